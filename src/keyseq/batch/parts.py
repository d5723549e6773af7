"""The output folder of a job: one part file for each shard, written atomically."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

from keyseq.batch import checksums, manifest
from keyseq.batch.shards import Made
from keyseq.errors import KeyseqError
from keyseq.files import make_folder, write_whole, write_whole_binary

DONE = "done.json"
BAD = "bad.jsonl"
LOCK = ".lock"


@dataclass(frozen=True, slots=True)
class Summary:
    """The counts of a finished job."""

    documents: int
    parts: int
    bad: int


@dataclass(frozen=True, slots=True)
class Parts:
    """A folder of `part-000000.jsonl` and so on; the suffix determines format and compression."""

    folder: Path
    suffix: str = ".jsonl"

    @property
    def format(self) -> str:
        """The format of the files."""
        return "parquet" if self.suffix == ".parquet" else "jsonl"

    def path(self, number: int) -> Path:
        """The file of a shard."""
        return self.folder / f"part-{number:06d}{self.suffix}"

    def write(self, made: Made) -> None:
        """Write a shard's file."""
        with write_whole_binary(self.path(made.number)) as file:
            file.write(made.content)
        checksums.record(self.path(made.number), made.content)

    def intact(self) -> set[Path]:
        """The files that are as they were written."""
        return {self.folder / name for name in checksums.intact(self.folder)}

    @contextmanager
    def claimed(self, description: dict[str, Any]) -> Iterator[None]:
        """Lock the folder for a job of this description; refuse it if another job is writing or has other inputs."""
        from filelock import FileLock, Timeout

        make_folder(self.folder)
        try:
            with FileLock(self.folder / LOCK, timeout=0):
                manifest.check_in(self.folder, description)
                self._sweep()
                yield
        except Timeout:
            raise KeyseqError(
                f"{self.folder}: another job is writing here; wait for it, or choose another --out"
            ) from None
        except OSError as error:
            raise KeyseqError(f"{self.folder}: cannot be written ({error.strerror or error})") from error

    def _sweep(self) -> None:
        """Remove the temporary files of a job that was killed."""
        for name in ("part-*", BAD, DONE, manifest.NAME, checksums.NAME):
            for left in self.folder.glob(f".{name}.*"):
                left.unlink()

    def summary(self) -> Summary | None:
        """The summary, if the job is finished and no file was removed since."""
        if not (self.folder / DONE).exists():
            return None
        try:
            found = Summary(**manifest.read(self.folder / DONE))
        except TypeError:
            return None
        intact = self.intact()
        return found if all(self.path(number) in intact for number in range(found.parts)) else None

    def finish(self, summary: Summary) -> None:
        """Mark the folder as complete."""
        manifest.write(self.folder / DONE, asdict(summary))

    @contextmanager
    def bad(self) -> Iterator["BadRecords"]:
        """Collect records that cannot be read; without any there is no such file."""
        with write_whole(self.folder / BAD) as file:
            records = BadRecords(file)
            yield records
        if not records.count:
            (self.folder / BAD).unlink()


class BadRecords:
    """A file of records that cannot be read: their places and the reasons."""

    def __init__(self, file: IO[str]) -> None:
        self._file, self.count = file, 0

    def take(self, messages: list[str]) -> None:
        """Write messages such as `corpus.jsonl:17: not a JSON object`, and empty the list."""
        for message in messages:
            place, _, reason = message.partition(": ")
            self._file.write(json.dumps({"place": place, "reason": reason}, ensure_ascii=False) + "\n")
        self.count += len(messages)
        messages.clear()
