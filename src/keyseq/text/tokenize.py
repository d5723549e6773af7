"""Words of a text, with the character offsets they came from."""

import re
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import regex

from keyseq.errors import KeyseqError
from keyseq.languages import TOKENIZERS

DIGIT = "<digit>"
DEFAULT = "meng17"

# The released tokenizer pads _ < > , ( ) . ' % with spaces and splits on all but [a-zA-Z0-9_<>,#&+*().']: the
# padded marks become separate words, except % (not in the second set), and every other character is dropped.
# <digit> in a text is kept as one word, so that tokenizing twice changes nothing.
_MENG17 = r"[a-zA-Z0-9#&+*]+|<digit>|[_<>,().']"

# The same marks, but letters and digits of any script with their combining accents. Scripts that do not put
# spaces between words have no words to find this way: each of their characters is a word.
UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}ー\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
_UNICODE = rf"<digit>|[{UNSPACED}]\p{{M}}*|(?:[[\p{{L}}\p{{N}}#&+*]--[{UNSPACED}]]\p{{M}}*)+|[_<>,().']"


_ASCII = re.compile(_MENG17)

# The same cut twice as fast for text of some length: fold and blank out byte by byte, pad the marks, split
LONG = 100
_MARKS = tuple(mark.encode() for mark in "_<>,().'")
_FOLDED = bytes(ord(chr(byte).lower()) if _ASCII.fullmatch(chr(byte)) else ord(" ") for byte in range(256))


class Token(NamedTuple):
    """A word of the text and its offsets: `text[start:end]`."""

    text: str
    start: int
    end: int


class Tokenizer(NamedTuple):
    """A pattern for words, and a rule for case folding."""

    pattern: "re.Pattern[str] | regex.Pattern[str]"
    fold: Callable[[str], str]

    def pattern_for(self, text: str) -> "re.Pattern[str] | regex.Pattern[str]":
        """The fastest pattern for this text: on ASCII all tokenizers find the same words."""
        return _ASCII if text.isascii() else self.pattern


@cache
def tokenizer(name: str = DEFAULT) -> Tokenizer:
    """Look a tokenizer up: `meng17` as in the published work, or `unicode` for text beyond ASCII."""
    match name:
        case "meng17":
            return Tokenizer(_ASCII, str.lower)
        case "unicode":
            return Tokenizer(regex.compile(_UNICODE, flags=regex.VERSION1), str.casefold)
    raise KeyseqError(f"unknown tokenizer '{name}'; choose one of {', '.join(TOKENIZERS)}")


def tokenize(text: str, name: str = DEFAULT) -> list[Token]:
    """Tokenize a text, keeping case."""
    pattern = tokenizer(name).pattern_for(text)
    return [Token(match[0], *match.span()) for match in pattern.finditer(text)]


def is_number(word: str) -> bool:
    """Whether the `<digit>` rule applies: two or more digits and nothing else."""
    return len(word) > 1 and word.isdecimal()


def normalize(word: str, name: str = DEFAULT) -> str:
    """Normalise a word: `<digit>` for a number, otherwise its case folded."""
    return DIGIT if is_number(word) else tokenizer(name).fold(word)


def words(text: str, name: str = DEFAULT) -> list[str]:
    """Tokenize a text into normalised words."""
    return [DIGIT if word.isdecimal() and len(word) > 1 else word for word in folded(text, name)]


def folded(text: str, name: str = DEFAULT) -> list[str]:
    """Tokenize a text into case-folded words; numbers are unchanged."""
    chosen = tokenizer(name)
    if not text.isascii():
        return list(map(chosen.fold, chosen.pattern.findall(text)))
    if len(text) < LONG:
        # the mark of a number is known by its small letters, so it must be found before they are all small
        return list(map(str.lower, _ASCII.findall(text))) if "<" in text else _ASCII.findall(text.lower())
    cut = text.replace(DIGIT, " 00 ").encode().translate(_FOLDED)  # as a number it means the same
    for mark in _MARKS:
        cut = cut.replace(mark, b" %b " % mark)
    return cut.decode().split()
