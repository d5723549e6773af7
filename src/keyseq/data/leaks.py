"""Leaks: training documents that are copies of evaluation documents."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from keyseq.data.formats import read_documents
from keyseq.data.parallel import Track, untracked
from keyseq.data.repair import plain, repaired
from keyseq.data.shingles import plain_words, shingles
from keyseq.text.tokenize import DIGIT
from keyseq.types import Document

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ALIKE = 0.5  # fraction of the shorter text's shingles that two copies share
FEWEST_SHINGLES = 8  # a shorter text is a copy only if it is identical
TITLE_WORDS = 5  # titles of this length do not coincide by chance
TITLE_ALIKE = 0.3  # fraction shared by copies with the same short title


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """A document for comparison: its title's words, and the shingles of its body (of its title, without a body)."""

    title: str
    shingles: "NDArray[np.uint64]"

    @classmethod
    def of(cls, document: Document) -> "Fingerprint":
        """The fingerprint of a repaired document."""
        return cls(" ".join(plain_words(document.title)), shingles(document.body or document.title))

    @property
    def telling_title(self) -> bool:
        """Whether the title alone identifies the document: neither "Editorial" nor a numbered series."""
        words = self.title.split()
        return len(words) >= TITLE_WORDS and not any(word == DIGIT or word.isdecimal() for word in words)


@dataclass(frozen=True, slots=True, kw_only=True)
class Leak:
    """A document, the evaluation document it is a copy of, and their overlap."""

    id: str
    file: str
    copy_of: str
    alike: float
    same_title: bool


def is_copy(shared: int, one: Fingerprint, other: Fingerprint, threshold: float = ALIKE) -> bool:
    """Whether two documents with `shared` common shingles are copies."""
    smaller = min(len(one.shingles), len(other.shingles))
    share = shared / smaller if smaller else 0.0
    if share == 1 and len(one.shingles) == len(other.shingles):
        return True
    if share >= threshold and smaller >= FEWEST_SHINGLES:
        return True
    same_title = bool(one.title) and one.title == other.title
    return same_title and (one.telling_title or share >= TITLE_ALIKE)


class Held:
    """An index of evaluation documents by title and by shingles."""

    def __init__(self, documents: Iterable[tuple[str, Document]], threshold: float = ALIKE) -> None:
        import numpy as np

        self._threshold = threshold
        self._names: list[tuple[str, str]] = []
        self._prints: list[Fingerprint] = []
        self._titles: dict[str, list[int]] = {}
        for number, (file, document) in enumerate(documents):
            known = Fingerprint.of(as_plain(document))
            self._names.append((file, document.id))
            self._prints.append(known)
            if known.title:
                self._titles.setdefault(known.title, []).append(number)
        sizes = [len(known.shingles) for known in self._prints]
        runs = np.concatenate([known.shingles for known in self._prints] or [np.zeros(0, dtype=np.uint64)])
        order = np.argsort(runs, kind="stable")
        self._runs = runs[order]
        self._numbers = np.repeat(np.arange(len(sizes)), sizes)[order]

    def __len__(self) -> int:
        return len(self._prints)

    def copied_by(self, document: Document, known: Fingerprint) -> Leak | None:
        """The evaluation document that this one is the closest copy of, if any."""
        shared = self._shared(known.shingles)
        candidates = [*shared, *(number for number in self._titles.get(known.title, ()) if number not in shared)]
        copies = [
            number
            for number in candidates
            if is_copy(shared.get(number, 0), known, self._prints[number], self._threshold)
        ]
        return max((self._leak(document, known, n, shared.get(n, 0)) for n in copies), key=_closeness, default=None)

    def _leak(self, document: Document, known: Fingerprint, number: int, shared: int) -> Leak:
        file, copied = self._names[number]
        held = self._prints[number]
        smaller = min(len(known.shingles), len(held.shingles))
        return Leak(
            id=document.id,
            file=file,
            copy_of=copied,
            alike=round(shared / smaller, 3) if smaller else 0.0,
            same_title=bool(known.title) and known.title == held.title,
        )

    def _shared(self, runs: "NDArray[np.uint64]") -> dict[int, int]:
        """The number of shingles that each evaluation document shares with these."""
        import numpy as np

        first = np.searchsorted(self._runs, runs, side="left")
        times = np.searchsorted(self._runs, runs, side="right") - first
        places = np.repeat(first, times) + np.arange(times.sum()) - np.repeat(np.cumsum(times) - times, times)
        numbers, counts = np.unique(self._numbers[places], return_counts=True)
        return dict(zip(numbers.tolist(), counts.tolist(), strict=True))


def _closeness(leak: Leak) -> tuple[float, bool]:
    return leak.alike, leak.same_title


def as_plain(document: Document) -> Document:
    """The document with repaired title and body, for comparison."""
    return Document(
        id=document.id,
        title=plain(repaired(document.title)),
        body=plain(repaired(document.body)),
        keyphrases=document.keyphrases,
    )


def hold(files: Mapping[str, Path], threshold: float = ALIKE, track: Track = untracked) -> Held:
    """Index evaluation files, by their names in reports."""
    named = ((name, document) for name, path in files.items() for document in track(read_documents(path), name))
    return Held(named, threshold)


def find_leaks(documents: Iterable[Document], held: Held) -> Sequence[Leak]:
    """The documents that are copies of evaluation documents."""
    plains = map(as_plain, documents)
    found = (held.copied_by(document, Fingerprint.of(document)) for document in plains)
    return [leak for leak in found if leak is not None]
