"""Publishers' boilerplate around abstracts: copyright lines, headings, and keyword lists that leak the targets."""

import re
from collections.abc import Callable

LONGEST_NOTICE = 400  # characters of a copyright line with its licence
LONGEST_LIST = 800

_HEADING = re.compile(
    r"^\W*(?:\[?(?:english )?abstract\]?|summary)\s*(?:[:.—]+\s*|[–-]+\s+|\]\s*)(?=\S)", re.IGNORECASE
)
_BARE_HEADING = re.compile(
    r"^(?:ABSTRACT|Abstract|SUMMARY|Summary)\s+(?=(?:The|This|These|We|In|An?|Our|It|To|For|With|As|"
    r"Background|Objectives?|Purpose|Aims?|Introduction|Context|Motivation|OBJECTIVES?|BACKGROUND|PURPOSE)\b)"
)

# a notice starts at the beginning of a sentence or of the text
_START = r"(?:^|(?<=[.!?;:)\]\"”’'%»\d])\s+|(?<=[.!?])(?=[©(C]))"
_OWNER = (
    r"(?:\d{4}|the authors?(?:\(s\))?[\s,.]*(?:\d{4}|$|published|licen|under)|the\b.{0,60}\d{4}|author\(s\)|crown"
    r"|copyright|elsevier|springer|wiley|ieee|acm\b)"
)
_NOTICE = re.compile(
    _START
    + rf"(?:(?:Crown )?Copyright(?:,?\s*(?:©|\(c\)|:|(?:is |are )?held\b|by\b|{_OWNER})|[\s.:]*$)"
    + rf"|©|\(c\)\s*{_OWNER}|All rights reserved|\d{{4}}\s[^.]{{2,80}}\. All rights reserved"
    + r"|\(?PsycINFO Database Record|This is an open[- ]access article|Licensee MDPI).*$",
    re.IGNORECASE | re.DOTALL,
)
# searching for these words is much faster than the patterns, which most texts then skip
_NOTICE_WORDS = ("©", "(c)", "copyright", "rights", "psycinfo", "open access", "open-access", "licensee", "published")
_LIST_WORDS = ("Key", "KEY", "Terms", "TERMS", "Descriptors", "JEL")
_PUBLISHED = re.compile(
    _START
    + r"Published (?:by|online by) (?:[A-Z]|the )[^.]*\b(?:Elsevier|Press|Ltd|Limited|Inc|B\.? ?V|Wiley|Springer|"
    r"Sons|SPIE|Sage|SAGE|IOP|GmbH|Francis|Publish\w*|Societ\w+|Association|behalf)\b.{0,200}$",
    re.DOTALL,
)
_LIST = re.compile(
    r"(?:^|(?<=\s)|(?<=[.!?)]))[\[(*_]*"
    r"(?:(?:Additional |Author )?K(?:ey|EY)[ -]?[Ww](?:ords?|ORDS?)(?: and [Pp]hrases)?"
    r"|Index Terms|INDEX TERMS|General Terms|Categories and Subject Descriptors|JEL (?:[Cc]lassification|[Cc]odes?))"
    r"\s*[*_]*\s*(?::|—|–|-(?=\s)).*$",
    re.DOTALL,
)
_PROSE = re.compile(r"[.!?]\s+[A-Z][a-z]*(?:\s+[\w'’-]+,?){7}")  # a sentence after the list: the abstract continues


def without_heading(text: str) -> str:
    """The text without a leading heading such as "Abstract"."""
    return _BARE_HEADING.sub("", _HEADING.sub("", text, count=1), count=1)


def without_notice(text: str) -> str:
    """The text without a trailing copyright line or publisher's name."""
    tail = text[-LONGEST_NOTICE:].lower()
    if not any(word in tail for word in _NOTICE_WORDS):
        return text
    for pattern in (_NOTICE, _PUBLISHED):
        found = pattern.search(text, max(1, len(text) - LONGEST_NOTICE))
        if found and not _goes_on(found[0]):
            text = text[: found.start()].rstrip()
    return text


def without_keyword_list(text: str) -> str:
    """The text without a trailing keyword list."""
    if not any(word in text for word in _LIST_WORDS):
        return text
    found = _LIST.search(text, max(1, len(text) - LONGEST_LIST))
    if found and not _PROSE.search(found[0]):
        return text[: found.start()].rstrip(" -–—*[(")
    return text


def _goes_on(notice: str) -> bool:
    """Whether other sentences follow: then the notice is inside the abstract, not after it."""
    sentences = re.split(r"(?<=[.!?])\s+(?=[A-Z])", notice)[1:]
    return any(len(sentence.split()) > 8 and not _LEGAL.search(sentence) for sentence in sentences)


_LEGAL = re.compile(
    r"licen[sc]e|rights|copyright|publish|open[- ]access|creative commons|elsevier|springer|wiley|press|ltd|permission"
    r"|behalf|reserved|©|\(c\)|journal|doi|peer.review|responsib",
    re.IGNORECASE,
)

# what is removed, by the reason given in reports
CUTS: dict[str, Callable[[str], str]] = {
    "heading removed": without_heading,
    "keyword list removed": without_keyword_list,
    "copyright line removed": without_notice,
}
