"""The layout of a paper: what its lines on pages are, by their size, their place and their words."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from keyseq.data.formats.written_document import ABSTRACT, KEYWORDS, begins_references, letters

EDGE = 2  # lines at the top and at the bottom of a page that may be running heads and feet
LARGER = 1.12  # times the size of the text that a title must have
GAP = 1.7  # times its size that a line may lie below the one before and still go on with it
LONGEST_TITLE = 300  # characters

_HEADING = re.compile(
    r"(?:(?:\d+|[IVX]+)(?:\.\d+)*\.?\s+\S.{0,80}|introduction|einleitung|introducción|article info)$", re.IGNORECASE
)
_APPENDIX = re.compile(r"(?:[A-Z]\.?\s+)?(?:appendi(?:x|ces)|supplement|supporting information|anhang|annexe)", re.I)
_NUMBER = re.compile(r"\d+|\b[ivxlc]+\b")
_BROKEN = re.compile(r"(?<!\w)(\w+)[-\u00ad\u2010]$")
_HYPHENATED = re.compile(r"(?<!\w)\w+(?:[-\u2010]\w+)+")
_LIGATURES = str.maketrans({"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"})


class TextLine(NamedTuple):
    """A line of a page: its text, the size of its letters and its height, both in points."""

    text: str
    size: float
    y: float


class Paper(NamedTuple):
    """The parts of a paper; those that the layout does not show are empty."""

    title: str
    body: str
    keywords: str


def read_layout(pages: Sequence[Sequence[TextLine]], title: str = "") -> Paper:
    """Find the parts of a paper. `title` is that of the file's properties, which is often wrong."""
    pages = _without_running_lines([[_clean(line) for line in page] for page in pages])
    lines = [line for page in pages for line in page]
    if not lines:
        return Paper("", "", "")
    text_size = _text_size(lines)
    heading, named = _title(pages[0], title, text_size)
    lines = [line for place, line in enumerate(lines) if place not in named]
    lines = _without_references(lines)
    keywords, lines = _keywords(lines, text_size)
    return Paper(heading, _joined(_from_abstract(lines, found=bool(heading))), keywords)


def _clean(line: TextLine) -> TextLine:
    return line._replace(text=line.text.translate(_LIGATURES))


def _without_running_lines(pages: list[list[TextLine]]) -> list[list[TextLine]]:
    """Leave out lines at the edges of pages that are the same on several, apart from numbers; and page numbers."""
    edges = [_edges(page) for page in pages]
    times = Counter(pattern for edge in edges for pattern in {_pattern(line) for line in edge})
    least = max(2, round(0.3 * len(pages)))
    running = {pattern for pattern, count in times.items() if count >= least}
    return [
        [line for line in page if not (line in edge and (_pattern(line) in running or _pattern(line)[0] == "#"))]
        for page, edge in zip(pages, edges, strict=True)
    ]


def _edges(page: list[TextLine]) -> set[TextLine]:
    by_height = sorted(page, key=lambda line: line.y)
    return {*by_height[:EDGE], *by_height[-EDGE:]} if len(page) > EDGE else set()


def _pattern(line: TextLine) -> tuple[str, int]:
    """What running lines have in common: their words but not the numbers, and their size, unlike that of the title."""
    return " ".join(_NUMBER.sub("#", line.text.lower()).strip(" -–—.|").split()), round(line.size)


def _text_size(lines: Iterable[TextLine]) -> float:
    """The size in which most of the letters are set."""
    letters: Counter[float] = Counter()
    for line in lines:
        letters[round(line.size, 1)] += len(line.text)
    return letters.most_common(1)[0][0]


def _title(page: Sequence[TextLine], named: str, text_size: float) -> tuple[str, set[int]]:
    """The title and the places of its lines: those that the properties name, or the largest at the top."""
    for run in _runs(page):
        told = " ".join(page[place].text for place in run)
        if len(letters(named)) > 3 and letters(told) == letters(named):
            return " ".join(named.split()), set(run)
    large = [run for run in _runs(page) if _is_title([page[place] for place in run], text_size)]
    if not large:
        return "", set()
    best = max(large, key=lambda run: page[run[0]].size)  # the first of several
    return _paragraph([page[place].text for place in best]), set(best)


def _runs(page: Sequence[TextLine]) -> list[list[int]]:
    """The places of lines that follow each other in one size."""
    runs: list[list[int]] = []
    for place, line in enumerate(page):
        before = page[place - 1] if place else None
        if before is not None and abs(line.size - before.size) < 0.05 * line.size and _goes_on(before, line):
            runs[-1].append(place)
        else:
            runs.append([place])
    return runs


def _is_title(lines: Sequence[TextLine], text_size: float) -> bool:
    text = " ".join(line.text for line in lines)
    return lines[0].size >= LARGER * text_size and len(letters(text)) > 3 and len(text) <= LONGEST_TITLE


def _without_references(lines: list[TextLine]) -> list[TextLine]:
    """Leave out the list of references, up to an appendix behind it."""
    begins = [place for place, line in enumerate(lines) if begins_references(line.text)]
    if not begins or begins[-1] < 0.3 * len(lines):
        return lines
    begin = begins[-1]
    ends = (place for place in range(begin + 1, len(lines)) if _is_appendix(lines[place], lines[begin]))
    return lines[:begin] + lines[next(ends, len(lines)) :]


def _is_appendix(line: TextLine, heading: TextLine) -> bool:
    return line.size >= 0.95 * heading.size and len(line.text) < 100 and _APPENDIX.match(line.text) is not None


def _keywords(lines: list[TextLine], text_size: float) -> tuple[str, list[TextLine]]:
    """The list of keywords, and the lines without it."""
    for place, line in enumerate(lines[:120]):
        found = KEYWORDS.match(line.text)
        if found is None:
            continue
        first = line.text[found.end() :]
        end = place + 1
        while end < len(lines) and end - place < 12 and not _ends_keywords(lines[end - 1], lines[end], text_size):
            end += 1
        rest = [one.text for one in lines[place + 1 : end]]
        listed = list(filter(None, [first, *rest]))
        words = _paragraph(listed) if re.search(r"[,;·•]", " ".join(listed)) else "; ".join(listed)  # one in a line
        return re.sub(r"(?:(?<!\s)\s+)?[·•]\s*", "; ", words).strip(" .;,"), lines[:place] + lines[end:]
    return "", lines


def _ends_keywords(before: TextLine, line: TextLine, text_size: float) -> bool:
    """Whether a line begins something else than the list of keywords above it."""
    is_heading = _HEADING.match(line.text) or ABSTRACT.match(line.text) or line.size >= LARGER * text_size
    new_block = not _goes_on(before, line) and KEYWORDS.fullmatch(before.text) is None
    return bool(is_heading) or new_block or letters(line.text) == "abstract" or before.text.endswith(".")


def _from_abstract(lines: list[TextLine], *, found: bool) -> list[TextLine]:
    """The lines from the abstract on, if it can be seen where it begins: names and addresses stand before it."""
    for place, line in enumerate(lines[:80]):
        match = ABSTRACT.match(line.text)
        if letters(line.text) == "abstract":
            return lines[place + 1 :]
        if match is not None and (found or place == 0):
            rest = line.text[match.end() :]
            return ([line._replace(text=rest)] if rest else []) + lines[place + 1 :]
    return lines


def _goes_on(before: TextLine, line: TextLine) -> bool:
    """Whether a line lies right below another, and is not the heading of the abstract."""
    below = 0 <= before.y - line.y <= GAP * max(before.size, line.size)
    return below and ABSTRACT.fullmatch(line.text.strip()) is None


def _joined(lines: Sequence[TextLine]) -> str:
    """The text of lines, in paragraphs, with words whole that were divided at the end of a line."""
    paragraphs = [[line.text] for line in lines[:1]]
    for before, line in pairwise(lines):
        if _begins_paragraph(before, line):
            paragraphs.append([])
        paragraphs[-1].append(line.text)
    known = {word.lower() for line in lines for word in _HYPHENATED.findall(line.text)}
    return "\n\n".join(_paragraph(texts, known) for texts in paragraphs)


def _begins_paragraph(before: TextLine, line: TextLine) -> bool:
    if abs(line.size - before.size) > 0.1 * before.size:
        return True
    if before.y <= line.y:  # the next column or page
        return before.text.endswith((".", "!", "?", ":"))
    return not _goes_on(before, line)


def _paragraph(texts: Sequence[str], hyphenated: Iterable[str] = ()) -> str:
    """Lines joined to one; a hyphen at the end of a line stays if the word is written with one elsewhere."""
    known = set(hyphenated)
    joined = ""
    for text in texts:
        broken = _BROKEN.search(joined)
        if broken is None or not text[:1].islower():
            joined = f"{joined} {text}" if joined else text
            continue
        second = re.match(r"\w+", text)
        whole = f"{broken[1]}-{second[0] if second else ''}".lower()
        joined = joined[:-1] + ("-" if whole in known else "") + text
    return joined
