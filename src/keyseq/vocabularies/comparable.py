"""What labels and texts are compared by: light stems, with short words in capitals left as they are."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from keyseq.text.analyzer import Analyzer
from keyseq.text.presence import without_brackets
from keyseq.text.tokenize import Token

LONGEST_ACRONYM = 5  # letters: longer words in capitals are headings
_APOSTROPHES = "'’"
_PLURAL_ACRONYM = re.compile(r"[A-Z][A-Z0-9]+s")
_INVERTED = re.compile(r"([^,]+), ([^,]+)")


class ComparableWords(NamedTuple):
    """The stems of a text or label, and the number of the token that each is of.

    Possessive endings and the full stops of initials such as "U.S." are left out.
    """

    stems: list[str]
    tokens: list[int]


def comparable(text: str, tokens: Sequence[Token], light: Analyzer) -> ComparableWords:
    """The stems of a text's tokens, punctuation marks included; numbers are different words."""
    kept = [
        number for number, token in enumerate(tokens) if not (_is_possessive(text, token) or _ends_initial(text, token))
    ]
    folded = [_folded(tokens[number].text) for number in kept]
    stems = light.stems(word for word, _ in folded)
    return ComparableWords(
        [word if is_whole else stem for (word, is_whole), stem in zip(folded, stems, strict=True)], kept
    )


def label_forms(label: str, light: Analyzer) -> list[list[str]]:
    """The stems by which a label is found: without a qualifier in brackets, and "networks, neural" both ways round."""
    light, bare = light.for_text(label), without_brackets(label).strip() or label
    forms = [_label_stems(bare, light)]
    if inverted := _INVERTED.fullmatch(bare):
        forms.append(_label_stems(f"{inverted[2]} {inverted[1]}", light))
    return [form for form in forms if form]


def is_acronym(label: str) -> bool:
    """Whether a label is a short word that is distinguished from others by its capitals, such as IT or WHO."""
    return len(label) <= LONGEST_ACRONYM and label.isalpha() and label.upper() == label != label.lower()


def _label_stems(label: str, light: Analyzer) -> list[str]:
    """Without punctuation marks, but for those inside of a word such as "node.js"."""
    tokens = light.tokenize(label)
    stems, kept = comparable(label, tokens, light)
    return [
        stem for stem, number in zip(stems, kept, strict=True) if _is_word(stem) or _is_inside(label, tokens[number])
    ]


def _is_word(stem: str) -> bool:
    return any(map(str.isalnum, stem))


def _is_inside(text: str, token: Token) -> bool:
    before, after = text[token.start - 1 : token.start], text[token.end : token.end + 1]
    return before.isalnum() and after.isalnum()


def _is_possessive(text: str, token: Token) -> bool:
    """Whether a token is an apostrophe inside of a word, or the s after one at its end."""
    if token.text in _APOSTROPHES:
        return _is_inside(text, token)
    ends = not text[token.end : token.end + 1].isalnum()
    return token.text in "sS" and token.start > 1 and text[token.start - 1] in _APOSTROPHES and ends


def _ends_initial(text: str, token: Token) -> bool:
    before = text[max(0, token.start - 2) : token.start]
    return token.text == "." and before[-1:].isupper() and not before[:-1].isalnum()


def _folded(word: str) -> tuple[str, bool]:
    """A word with its case folded, and whether it is to be left whole."""
    if _PLURAL_ACRONYM.fullmatch(word):
        return word[:-1].casefold(), True
    return word.casefold(), word.isupper() and 1 < len(word) <= LONGEST_ACRONYM
