"""The output of a corpus."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from keyseq.data.formats.columns import Columns
from keyseq.errors import DataError
from keyseq.files import write_whole


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusTarget:
    """A file or folder to write, or an open stream."""

    to: Path | IO[str]
    columns: Columns = field(default_factory=Columns)

    @property
    def path(self) -> Path:
        """Its path, for the formats that need one."""
        if not isinstance(self.to, Path):
            raise DataError("this format consists of several files; name a file or folder to write")
        return self.to

    @contextmanager
    def open(self) -> Iterator[IO[str]]:
        """Open it for atomic writing."""
        if isinstance(self.to, Path):
            with write_whole(self.to) as file:
                yield file
        else:
            yield self.to
