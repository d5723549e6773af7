"""Document frequencies of words or phrases in a corpus, stored in a small text file."""

import json
import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import TypedDict, cast, get_type_hints

from keyseq.errors import DataError
from keyseq.files import open_binary, write_whole
from keyseq.text.analyzer import ENGLISH, Analyzer
from keyseq.types import Document

FORMAT = "keyseq document frequencies"
MOST_ENTRIES = 4_000_000  # while counting: beyond that, the rarest are discarded
SHIPPED = Path(__file__).with_name("frequencies.txt.gz")


@dataclass(frozen=True, kw_only=True)
class DocumentFrequencies:
    """The number of documents, and the document frequency of each n-gram of up to `longest` stems.

    Keys are stems joined by spaces. An n-gram missing in `counts` was in fewer than `least` documents, and its
    frequency is taken as 0. `about` describes the corpus, `language` is its language.
    """

    documents: int
    counts: dict[str, int]
    longest: int = 1
    least: int = 1
    about: str = ""
    language: str = ENGLISH.language

    def df(self, stems: tuple[str, ...]) -> int:
        """The document frequency of a phrase of up to `longest` words."""
        return self.counts.get(" ".join(stems), 0)

    def idf(self, stems: tuple[str, ...], without: int = 0) -> float:
        """Inverse document frequency: log2((N + 1) / (df + 1)), summed over the words of a phrase that is too long.

        `without=1` excludes the document in which the phrase was found, if that was counted too.
        """
        if len(stems) <= self.longest:
            return math.log2((self.documents - without + 1) / (max(0, self.df(stems) - without) + 1))
        return sum(self.idf((stem,), without) for stem in stems)

    def save(self, path: Path) -> None:
        """Write the table, compressed if the name ends in .gz, .xz or .zst."""
        header = {
            "format": FORMAT,
            "about": self.about,
            "documents": self.documents,
            "longest": self.longest,
            "least": self.least,
            "language": self.language,
        }
        by_count = sorted(self.counts, key=lambda phrase: (-self.counts[phrase], phrase))
        with write_whole(path) as file:
            file.write(json.dumps(header, ensure_ascii=False) + "\n")
            for count, phrases in groupby(by_count, self.counts.__getitem__):
                file.write("\t".join([str(count), *phrases]) + "\n")

    @classmethod
    def load(cls, path: Path) -> "DocumentFrequencies":
        """Read a table that `save` wrote."""
        with open_binary(path) as file:
            first, _, lines = file.read().decode("utf-8", errors="replace").partition("\n")
        header = _header(path, first)
        counts: dict[str, int] = {}
        for number, line in enumerate(lines.splitlines(), start=2):
            count, *phrases = line.split("\t")
            if not count.isdecimal():
                raise DataError(f"{path}:{number}: does not begin with a count; create the table again")
            counts.update(dict.fromkeys(phrases, int(count)))
        return cls(counts=counts, **header)


class _Header(TypedDict):
    documents: int
    longest: int
    least: int
    about: str
    language: str


_HEADER = get_type_hints(_Header)


def _header(path: Path, line: str) -> _Header:
    try:
        header = {"language": ENGLISH.language, **json.loads(line)}  # older tables are English
        if header.pop("format") == FORMAT and {name: type(value) for name, value in header.items()} == _HEADER:
            return cast(_Header, header)
    except (ValueError, AttributeError, KeyError, TypeError, RecursionError):
        pass
    raise DataError(f"{path}:1: not a table of document frequencies; create one with keyseq data frequencies")


def count_documents(
    documents: Iterable[Document],
    *,
    longest: int = 1,
    least: int = 1,
    about: str = "",
    analyzer: Analyzer = ENGLISH,
) -> DocumentFrequencies:
    """Count a corpus of any length in bounded memory.

    If there are too many distinct phrases, those with the lowest counts are discarded and may later be counted from
    zero again: a count is too low by at most the highest count that was discarded.
    """
    counts: Counter[str] = Counter()
    number = forgotten = 0
    for document in documents:
        number += 1
        counts.update(_phrases(document.text, longest, analyzer))
        while len(counts) > MOST_ENTRIES:
            forgotten += 1
            counts = Counter({phrase: count for phrase, count in counts.items() if count > forgotten})
    if not number:
        raise DataError("the corpus contains no documents, so there are no words to count")
    kept = {phrase: count for phrase, count in counts.items() if count >= least}
    return DocumentFrequencies(
        documents=number,
        counts=kept,
        longest=longest,
        least=max(least, forgotten + 1),
        about=about,
        language=analyzer.language,
    )


def _phrases(text: str, longest: int, analyzer: Analyzer) -> set[str]:
    """The distinct n-grams of stems of a text."""
    stems = analyzer.for_text(text).text_stems(text)
    found = set(stems)
    for length in range(2, longest + 1):
        found.update(map(" ".join, zip(*(stems[offset:] for offset in range(length)), strict=False)))
    return found


@cache
def shipped() -> DocumentFrequencies:
    """The table inside the package."""
    return DocumentFrequencies.load(SHIPPED)
