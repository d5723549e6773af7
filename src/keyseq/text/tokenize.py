"""Words of a text, with the character offsets they came from."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, NamedTuple

from keyseq.errors import KeyseqError
from keyseq.languages import TOKENIZERS
from keyseq.text.segmentation import Segmenter, segmenter

if TYPE_CHECKING:
    import regex

DIGIT = "<digit>"
DEFAULT = "meng17"

# The released tokenizer pads _ < > , ( ) . ' % with spaces and splits on all but [a-zA-Z0-9_<>,#&+*().']: the
# padded marks become separate words, except % (not in the second set), and every other character is dropped.
# <digit> in a text is kept as one word, so that tokenizing twice changes nothing.
_MENG17 = r"[a-zA-Z0-9#&+*]+|<digit>|[_<>,().']"

# The same marks, but letters and digits of any script with their combining accents. Scripts that do not put
# spaces between words have no words to find this way: each of their characters is a word.
UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}ー\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
CHARACTER, LETTER = rf"[{UNSPACED}]\p{{M}}*", rf"[[\p{{L}}\p{{N}}#&+*]--[{UNSPACED}]]\p{{M}}*"
_UNICODE = rf"<digit>|{CHARACTER}|(?:{LETTER})+|[_<>,().']"

# In French and Italian, the apostrophe of an elided word is none of the marks: "système d'information" is three words.
# In Turkish it separates a name from its ending: "Türkiye'nin".
ELIDED = (
    "(?i:c|d|j|l|m|n|s|t|v|qu|jusqu|lorsqu|puisqu|quoiqu|quelqu|un|dell|all|nell|sull|dall|coll|degl|quest|quell|bell"
    "|buon|nessun|ciascun|alcun|qualcun|tutt|com|dov|anch|sant|senz|mezz)"
)
_ELISION = _UNICODE.replace("[_<>,().']", rf"[_<>,().]|(?<!\b{ELIDED})'")
_TURKISH = _UNICODE.replace("[_<>,().']", r"[_<>,().]|(?<!\p{L})'|'(?!\p{L})")
# What a segmenter cuts stands together: what has no spaces, or a word of Hangul
RUNS = {"jieba": rf"[{UNSPACED}\p{{M}}]++", "ipadic": rf"[{UNSPACED}\p{{M}}]++", "josa": r"\p{Hangul}++"}
APART = {"josa": r"\p{Hangul}"}  # letters of runs, which are not joined to others: "AI로"

_ASCII = re.compile(_MENG17)

# The same cut twice as fast for text of some length: fold and blank out byte by byte, pad the marks, split
LONG = 100
_MARKS = tuple(mark.encode() for mark in "_<>,().'")
_FOLDED = bytes(ord(chr(byte).lower()) if _ASCII.fullmatch(chr(byte)) else ord(" ") for byte in range(256))

BETWEEN = "\0"  # between texts that are cut together; part of no word
_FOLDED_TOGETHER = BETWEEN.encode() + _FOLDED[1:]


class Token(NamedTuple):
    """A word of the text and its offsets: `text[start:end]`."""

    text: str
    start: int
    end: int


class Tokenizer(NamedTuple):
    """A pattern for words, a rule for case folding, and what cuts the runs that the pattern finds into words."""

    compiled: Callable[[], "re.Pattern[str] | regex.Pattern[str]"]
    fold: Callable[[str], str]
    segmenter: Segmenter | None = None
    plain: bool = True  # whether it finds the same words in ASCII as the others

    @property
    def pattern(self) -> "re.Pattern[str] | regex.Pattern[str]":
        """The pattern, compiled on first use: texts in plain ASCII do without."""
        return self.compiled()

    def tokens(self, text: str) -> list["Token"]:
        """The words of a text."""
        pattern = _ASCII if self.plain and text.isascii() else self.pattern
        if self.segmenter is None or text.isascii():
            return [Token(match[0], *match.span()) for match in pattern.finditer(text)]
        return [token for match in pattern.finditer(text) for token in self._cut(match)]

    def _cut(self, match: "re.Match[str] | regex.Match[str]") -> Iterable["Token"]:
        if self.segmenter is None or match.lastgroup != "run":
            return [Token(match[0], *match.span())]
        begin = match.start()
        return [Token(text, begin + at, begin + at + len(text)) for text, at, _ in self.segmenter(match[0])]

    def words(self, text: str) -> list[str]:
        """The case-folded words of a text beyond plain ASCII."""
        if self.segmenter is None:
            return list(map(self.fold, self.pattern.findall(text)))
        return [self.fold(token.text) for token in self.tokens(text)]


@cache
def tokenizer(name: str = DEFAULT) -> Tokenizer:
    """Look a tokenizer up: `meng17` as in the published work, or `unicode` for text beyond ASCII."""
    match name:
        case "meng17":
            return Tokenizer(lambda: _ASCII, str.lower)
        case "unicode":
            return Tokenizer(partial(_compiled, _UNICODE), str.casefold)
        case "elision":
            return Tokenizer(partial(_compiled, _ELISION), str.casefold, plain=False)
        case "turkish":
            return Tokenizer(partial(_compiled, _TURKISH), _fold_turkish, plain=False)
    if name in RUNS:
        pattern = f"(?P<run>{RUNS[name]})|{_UNICODE}".replace(f"--[{UNSPACED}", f"--[{UNSPACED}{APART.get(name, '')}")
        return Tokenizer(partial(_compiled, pattern), str.casefold, segmenter(name))
    raise KeyseqError(f"unknown tokenizer '{name}'; choose one of {', '.join(TOKENIZERS)}")


def tokenize(text: str, name: str = DEFAULT) -> list[Token]:
    """Tokenize a text, keeping case."""
    return tokenizer(name).tokens(text)


@cache
def _compiled(pattern: str) -> "regex.Pattern[str]":
    import regex  # not needed for plain ASCII

    return regex.compile(pattern, flags=regex.VERSION1)


def lower_turkish(word: str) -> str:
    """Lower-casing in which the capital of ı is I and that of i is İ."""
    return word.replace("İ", "i").replace("I", "ı").lower()


def lower_composed(word: str) -> str:
    """Lower-casing that makes accents part of their letters, and leaves out the vowel signs and lines of Arabic."""
    return word.lower() if word.isascii() else _ARABIC_SIGNS.sub("", unicodedata.normalize("NFC", word.lower()))


_ARABIC_SIGNS = re.compile("[\u064b-\u0652\u0670\u0640]")


def _fold_turkish(word: str) -> str:
    return lower_turkish(word).casefold()


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
    if not (chosen.plain and text.isascii()):
        return chosen.words(text)
    if len(text) < LONG:
        # the mark of a number is known by its small letters, so it must be found before they are all small
        return list(map(str.lower, _ASCII.findall(text))) if "<" in text else _ASCII.findall(text.lower())
    return _cut(text, _FOLDED)


def folded_together(texts: Sequence[str], name: str = DEFAULT) -> list[str]:
    """The case-folded words of several texts, with `BETWEEN` between two texts."""
    chosen, together = tokenizer(name), BETWEEN.join(texts)
    if not (chosen.plain and together.isascii()) and chosen.pattern is not _ASCII:
        return [word for text in texts for word in (*folded(text, name), BETWEEN)][:-1]
    if together.count(BETWEEN) >= len(texts):
        together = BETWEEN.join(text.replace(BETWEEN, " ") for text in texts)
    return _cut(together, _FOLDED_TOGETHER)


def _cut(text: str, table: bytes) -> list[str]:
    # as a number, <digit> means the same; what is not ASCII is in no word of the published tokenizer
    cut = text.replace(DIGIT, " 00 ").encode("ascii", "replace").translate(table)
    for mark in (*_MARKS, BETWEEN.encode()):
        cut = cut.replace(mark, b" %b " % mark)
    return cut.decode().split()
