"""Clean keyphrases as typed by authors: split lists, trim, drop codes and headings."""

import re
from collections.abc import Callable, Iterator, Sequence

from keyseq.text.analyzer import ENGLISH, Analyzer
from keyseq.text.presence import StemmedText
from keyseq.text.tokenize import folded

MOST_WORDS = 10

Note = Callable[[str], None]

_LIST_MARKS = re.compile(r"(?:(?<!\s)\s+)?(?:[;\n\r\t]|\s[•●▪·∙|/]\s|(?<=\w)[•●▪·∙](?=\s))\s*")
_COMMA = re.compile(r"(?:(?<!\s)\s+)?,\s*")
# "gaps in", "evaluating", "and others": the rest of a heading after a comma, not a list item
LONGEST = 1_000  # characters of what may be a phrase within marks
_QUALIFIER = re.compile(
    r"^(?:and|or)\b|^\w+ing$|\b(?:in|of|on|for|with|by|as|to|from|and)$|^(?:\w+(?:ern|ic|al|ive|ed))$"
)
_HEADING = re.compile(
    r"^(?:authors?'?s? )?(?:(?:additional )?key[ -]?words?(?: and phrases)?|keyphrases|index terms?|mesh terms|mesh"
    r"|subject headings?|author keywords)\s*(?::|—|–|-(?=\s)|\.(?=\s))\s*",
    re.IGNORECASE,
)
_BARE_HEADING = re.compile(r"^(?:authors?'? )?keywords\s+(?=\w)", re.IGNORECASE)
_HEADING_ALONE = re.compile(
    r"(?:authors?'? )?(?:key[ -]?words?(?: and phrases)?|index terms|general terms)", re.IGNORECASE
)
_CATEGORY = re.compile(
    r"general terms\s*[:—–-].*|categories and subject descriptors.*|acm classification.*|(?:jel|msc|pacs)\b.*\d.*"
    r"|[A-K]\.\d(?:\.\d{1,2})?\.?\s*\[.*|[A-K]\.\d(?:\.(?:\d{1,2}|m))?\.?[a-z]?",
    re.IGNORECASE,
)
_SUBJECT_CODE = re.compile(r"\d\d[A-Z-](?:\d\d|xx)|\d\d\.\d\d\.[A-Za-z+-][A-Za-z+-]?")  # of MSC and of PACS
_JEL_CODE = re.compile(r"[A-RYZ]\d{1,2}")
_JEL_PREFIX = re.compile(r"^\[?(?:JEL\s*:\s*)?[A-RYZ]\d\d(?:\]\s*|\s*[:–—]\s+|\s+-\s+)(?=[A-Za-z]{3})")

_SHORT_FORM = re.compile(r"\s\([A-Z][\w-]{0,8}\)$")
_QUOTES = {'"': '"', "“": "”", "‘": "’", "'": "'", "«": "»", "(": ")", "[": "]"}


def clean_keyphrases(keyphrases: Sequence[str], text: str, note: Note) -> tuple[str, ...]:
    """The keyphrases of a text, split where several are in one, trimmed, without codes, headings and repetitions.

    `note` is called with the reason of each change and of each dropped phrase.
    """
    in_text = _Words(text).__contains__
    kept: dict[tuple[str, ...], str] = {}
    codes = sum(_JEL_CODE.fullmatch(phrase.strip()) is not None for phrase in keyphrases)
    for given in _parts(keyphrases, in_text, note):
        bare = _without_prefix(given, in_text, note)
        phrase = _trimmed(bare)
        if phrase != " ".join(bare.split()):
            note("trimmed")
        fault = _fault(phrase, codes, in_text)
        key = _key(phrase)
        if fault is None and key in kept:
            fault = "dropped: duplicate"
        if fault is not None:
            note(fault)
        else:
            kept[key] = phrase
    return tuple(kept.values())


class _Words:
    """The words of a text, stemmed lazily: most texts never need it."""

    def __init__(self, text: str) -> None:
        self._text, self._analyzer = text, ENGLISH.for_text(text)
        self._stemmed: StemmedText | None = None

    def __contains__(self, phrase: str) -> bool:
        if self._stemmed is None:
            self._stemmed = StemmedText(_stems(self._text, self._analyzer))
        wanted = _stems(phrase, self._analyzer)
        return bool(wanted) and wanted in self._stemmed


def _parts(keyphrases: Sequence[str], in_text: Callable[[str], bool], note: Note) -> Iterator[str]:
    alone = len(keyphrases) == 1
    for phrase in keyphrases:
        parts = [part for part in _outside_brackets(_LIST_MARKS, phrase) if part]
        parts = [piece for part in parts for piece in _at_commas(part, alone, in_text)]
        if len(parts) > 1:
            note("split")
        elif parts and "," in phrase.rstrip(" ,") and "," not in parts[0]:
            note("inverted")
        yield from parts or [phrase]


def _at_commas(phrase: str, alone: bool, in_text: Callable[[str], bool]) -> list[str]:
    """Split at commas only what is certainly a list: "1,4-quinone" is a name, "education, nursing" one heading.

    An inverted heading whose words occur in the text in normal order ("nursing education") is put into that order.
    """
    parts = [part for part in _outside_brackets(_COMMA, phrase) if part]
    if len(parts) < 2 or not all(re.search(r"[^\W\d_]{3}", part) for part in parts) or in_text(phrase):
        return [phrase]
    turned = f"{parts[-1]} {parts[0]}"
    if len(parts) == 2 and in_text(turned):
        return [turned]
    if alone and len(parts) > 2:
        return parts
    return parts if all(map(in_text, parts)) and not any(map(_QUALIFIER.search, parts)) else [phrase]


def _outside_brackets(mark: re.Pattern[str], phrase: str) -> list[str]:
    """Split at marks outside of brackets."""
    level = phrase.translate(str.maketrans("[{]}", "(())"))
    parts, start = [], 0
    place = depth = 0
    for found in mark.finditer(phrase):
        depth += level.count("(", place, found.start()) - level.count(")", place, found.start())
        place = found.start()
        if depth <= 0:
            parts.append(phrase[start : found.start()])
            start = found.end()
    return [*parts, phrase[start:]]


def _without_prefix(phrase: str, in_text: Callable[[str], bool], note: Note) -> str:
    bare = _JEL_PREFIX.sub("", _HEADING.sub("", phrase.strip()))
    if _BARE_HEADING.match(bare) and not in_text(bare):
        bare = _BARE_HEADING.sub("", bare)
    if bare != phrase.strip():
        note("heading removed")
    return bare


def _trimmed(phrase: str) -> str:
    """The phrase without surrounding marks; a bar inside it was a line break."""
    phrase = " ".join(re.sub(r"(?<=\w)\|(?=[\w(])", " ", phrase).split())
    before = None
    while before != phrase and len(phrase) <= LONGEST:  # each round removes one mark, and reads all others
        before = phrase
        phrase = re.sub(r"^[\s,;:|•·∙●▪*]+(?=.)|^[-–—.](?=\s)", "", phrase)
        phrase = re.sub(r"(?<![\s,;:|•·∙●▪])[\s,;:|•·∙●▪]+$|\s[-–—./*&]$", "", phrase).strip()
        phrase = _without_full_stop(_unwrapped(phrase))
    return phrase


def _unwrapped(phrase: str) -> str:
    """Remove a pair of marks around the whole phrase, or an unpaired one."""
    if len(phrase) < 3:
        return phrase
    opening, closing = phrase[0], phrase[-1]
    if opening in _QUOTES:
        inner = phrase[1:-1]
        if closing == _QUOTES[opening] and opening not in inner and closing not in inner:
            return inner
        if _QUOTES[opening] not in phrase[1:] and opening != "'":
            return phrase[1:]
    for left, right in (("(", ")"), ("[", "]"), ("“", "”"), ("«", "»")):
        if closing == right and left not in phrase:
            return phrase[:-1]
    return phrase


def _without_full_stop(phrase: str) -> str:
    """Remove a trailing full stop, unless it belongs to an abbreviation ("Quercus robur L.", "U.S.")."""
    return phrase[:-1] if re.fullmatch(r"[^.]*[^\W\d_]{4}\.", phrase) else phrase


def _fault(phrase: str, codes: int, in_text: Callable[[str], bool]) -> str | None:
    """The reason why a phrase is not a keyphrase, if any."""
    if not phrase:
        return "dropped: empty"
    if _is_code(phrase, codes, in_text):
        return "dropped: subject code or category"
    if _HEADING_ALONE.fullmatch(phrase) and not in_text(phrase):
        return "dropped: heading"
    if not any(map(str.isalpha, phrase)) and not in_text(phrase):
        return "dropped: no letter"
    return f"dropped: over {MOST_WORDS} words" if len(phrase.split()) > MOST_WORDS else None


def _is_code(phrase: str, codes: int, in_text: Callable[[str], bool]) -> bool:
    if _SUBJECT_CODE.fullmatch(phrase):
        return True
    if _JEL_CODE.fullmatch(phrase):
        return not in_text(phrase) and (codes > 1 or len(phrase) == 3)
    return _CATEGORY.fullmatch(phrase) is not None and not in_text(phrase)


def _key(phrase: str) -> tuple[str, ...]:
    """The key for duplicates: stems, with numbers, without an acronym after the long form."""
    bare = _SHORT_FORM.sub("", phrase)
    return tuple(_stems(bare, ENGLISH.for_text(bare))) or (phrase.casefold(),)


def _stems(text: str, analyzer: Analyzer) -> list[str]:
    """The stems of a text's words, each number by itself."""
    return analyzer.stems(folded(text, analyzer.tokenizer))
