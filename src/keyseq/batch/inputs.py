"""The documents of a job: one or several inputs as one stream that can be read again."""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol

from keyseq.batch.content import content_key
from keyseq.batch.stored import is_stored, stored_files
from keyseq.data.formats import CorpusReading, ReadingReport
from keyseq.data.formats.document_reading import refuse_address
from keyseq.errors import KeyseqError
from keyseq.files import share_read
from keyseq.types import Document


class Input(Protocol):
    """A file or folder of documents. `key` changes whenever it does."""

    key: dict[str, Any]

    def documents(self, skipped: list[str]) -> Iterator[Document]:
        """Stream the documents; records that cannot be read are skipped, with the reason in `skipped`."""
        ...

    def share(self) -> float | None:
        """The fraction that has been read, from 0 to 1; None if unknown."""
        ...

    def current(self) -> dict[str, Any]:
        """The key that it would have now."""
        ...


class Inputs:
    """Inputs in any format, read in order; also URIs that Arrow opens."""

    def __init__(self, names: list[str], reading: CorpusReading | None = None) -> None:
        if "-" in names:
            raise KeyseqError("standard input cannot be read again when a job is resumed; use a file")
        self._inputs: list[Input] = []
        for name in names:
            self._inputs += stored_files(name) if is_stored(name) else [_Local(name, reading or CorpusReading())]
        self.keys = [one.key for one in self._inputs]
        self._number = 0

    def documents(self, skipped: list[str]) -> Iterator[Document]:
        """Stream the documents of all inputs."""
        self._number = 0
        for one in self._inputs:
            yield from one.documents(skipped)
            self._number += 1

    def check_unchanged(self) -> None:
        """Refuse inputs that were changed while they were read."""
        for one in self._inputs:
            if one.current() != one.key:
                raise KeyseqError(
                    f"{one.key['path']}: was changed while it was read; wait until it is complete,"
                    " and start again with a new --out"
                )

    def share(self) -> float | None:
        """The fraction of all bytes that has been read."""
        sizes: list[int] = [key["bytes"] for key in self.keys]
        if self._number == len(sizes) or not sum(sizes):
            return 1.0
        current = self._inputs[self._number].share()
        if current is None:
            return None
        return (sum(sizes[: self._number]) + current * sizes[self._number]) / sum(sizes)


class _Local:
    """A corpus on this machine's disk, in any format."""

    def __init__(self, name: str, reading: CorpusReading) -> None:
        self._name, self._reading = name, reading
        self.key = self.current()

    def current(self) -> dict[str, Any]:
        reading = {} if self._reading == CorpusReading() else {"reading": asdict(self._reading)}
        return _key(self._name) | reading

    def documents(self, skipped: list[str]) -> Iterator[Document]:
        return self._reading.documents(self._name, ReadingReport(skipped=skipped))

    def share(self) -> float | None:
        return share_read(Path(self._name))


def _key(name: str) -> dict[str, Any]:
    refuse_address(name)
    path = Path(name)
    if not path.exists() and "#" in name:  # a part of a corpus
        whole, _, part = name.rpartition("#")
        return _key(whole) | {"part": part}
    if not path.exists():
        raise KeyseqError(f"{name}: no such file or folder")
    return content_key(path)
