"""The documents to work on: one or several inputs as one stream that can be read again."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from keyseq.batch.content import content_key
from keyseq.data.formats import read_documents
from keyseq.errors import KeyseqError
from keyseq.files import share_read
from keyseq.types import Document


class Corpus:
    """Inputs in any format, read in order."""

    def __init__(self, names: list[str], format: str | None = None) -> None:
        self._names, self._format = names, format
        if "-" in names:
            raise KeyseqError("standard input cannot be read again when a run is resumed: name a file")
        self.keys = [_key(name) for name in names]
        self._sizes: list[int] = [key["bytes"] for key in self.keys]
        self._number = 0

    def documents(self, skipped: list[str]) -> Iterator[Document]:
        """Stream the documents; what cannot be read is told in `skipped` and passed over."""
        self._number = 0
        for name in self._names:
            yield from read_documents(name, format=self._format, skipped=skipped)
            self._number += 1

    def share(self) -> float | None:
        """How much has been read, from 0 to 1; None where that can't be told."""
        total = sum(self._sizes)
        if self._number == len(self._names) or not total:
            return 1.0
        current = share_read(Path(self._names[self._number]))
        if current is None:
            return None
        return (sum(self._sizes[: self._number]) + current * self._sizes[self._number]) / total


def _key(name: str) -> dict[str, Any]:
    path = Path(name)
    if not path.exists() and "#" in name:  # a part of a corpus
        return content_key(Path(name.rpartition("#")[0])) | {"part": name.rpartition("#")[2]}
    if not path.exists():
        raise KeyseqError(f"{name}: no such file or folder")
    return content_key(path)
