"""Parquet and JSON lines files at any URI that Arrow opens."""

import io
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, BinaryIO, cast

from keyseq.data.formats import FORMATS, ReadingReport
from keyseq.data.formats.document_reading import is_address
from keyseq.data.formats.parquet import parquet_documents
from keyseq.data.formats.source import CorpusSource
from keyseq.errors import DataError, KeyseqError
from keyseq.files import COMPRESSIONS
from keyseq.imports import require
from keyseq.types import Document

PARQUET = ".parquet"
JSONL = (".jsonl", ".jsonl.gz", ".jsonl.zst")


def is_stored(name: str) -> bool:
    """Whether an input is a URI, not a corpus on the local disk."""
    return "://" in name and not is_address(name)


def stored_files(name: str) -> "list[StoredFile]":
    """The file of a URI; for a URI of a folder, all files that can be read, sorted by name."""
    require("pyarrow", "ray")
    import pyarrow as pa
    from pyarrow import fs

    try:
        system, path = fs.FileSystem.from_uri(name)
        found = system.get_file_info(path)
        if found.type == fs.FileType.Directory:
            inside = system.get_file_info(fs.FileSelector(path, recursive=True))
            files = [info for info in inside if info.path.endswith((PARQUET, *JSONL))]
        else:
            files = [found]
    except (pa.ArrowException, OSError) as error:
        raise KeyseqError(f"{name}: cannot be opened ({_first_line(error)})") from None
    if not files or files[0].type == fs.FileType.NotFound:
        raise KeyseqError(f"{name}: no such file, nor a folder of {PARQUET} or {JSONL[0]} files")
    where = name.split("://")[0] + "://"
    return [StoredFile(system, info, where) for info in sorted(files, key=lambda info: str(info.path))]


class StoredFile:
    """A Parquet or JSON lines file, read as a stream."""

    def __init__(self, system: Any, info: Any, scheme: str) -> None:  # Arrow has no types
        self._system, self._path = system, info.path
        self.name: str = scheme + info.path
        self.key = self._key(info)
        if not info.path.endswith((PARQUET, *JSONL)):
            raise KeyseqError(f"{self.name}: only {', '.join((PARQUET, *JSONL))} files can be read from a URI")
        self._file: Any = None

    def documents(self, skipped: list[str]) -> Iterator[Document]:
        """Stream the documents; records that cannot be read are skipped, with the reason in `skipped`."""
        import pyarrow as pa

        stream = _Stream(path=None, report=ReadingReport(skipped=skipped), file=self)
        try:
            if self._path.endswith(PARQUET):
                self._file = self._system.open_input_file(self._path)
                with self._file:
                    yield from parquet_documents(stream, self._file)
            else:
                yield from FORMATS["jsonl"].read(stream)
        except (pa.ArrowException, OSError) as error:
            raise DataError(f"{self.name}: cannot be read ({_first_line(error)})") from None

    def current(self) -> dict[str, Any]:
        """The key that it would have now."""
        return self._key(self._system.get_file_info(self._path))

    def _key(self, info: Any) -> dict[str, Any]:
        return {"path": self.name, "bytes": info.size, "modified": info.mtime_ns}

    def share(self) -> float | None:
        """The fraction that has been read, from 0 to 1; None if unknown."""
        if self._file is None or self._file.closed or not self.key["bytes"]:
            return None
        return cast(int, self._file.tell()) / cast(int, self.key["bytes"])

    def open_stream(self) -> BinaryIO:
        """Open it for reading, decompressed."""
        import pyarrow as pa

        self._file = self._system.open_input_stream(self._path, compression=None)
        if not self._path.endswith(COMPRESSIONS):
            return io.BufferedReader(self._file)
        codec = "gzip" if self._path.endswith(".gz") else "zstd"
        return io.BufferedReader(pa.CompressedInputStream(self._file, codec))


@dataclass(frozen=True, kw_only=True)
class _Stream(CorpusSource):
    """A stored file as a source for the readers of formats."""

    file: StoredFile

    @property
    def name(self) -> str:
        return self.file.name

    def open(self) -> AbstractContextManager[BinaryIO]:
        return self.file.open_stream()


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)
