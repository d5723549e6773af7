"""Sharded output of `keyseq generate`: a folder of part files, by several processes or a Ray cluster."""

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from typer.core import TyperCommand

from keyseq.cli.console import SKIPPED, note, track
from keyseq.errors import KeyseqError

if TYPE_CHECKING:
    from keyseq.batch import Job, Parts
    from keyseq.batch.shards import Engine
    from keyseq.data.formats import CorpusReading
    from keyseq.systems.recipe import Recipe

FORMATS = ("jsonl", "parquet")
RAY = "--ray"


class AddressOptional(TyperCommand):
    """A command whose --ray may have no value, which typer does not support: Ray then starts on this machine."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]
        """Add an address to --ray where another flag, a file or nothing follows it."""
        given = list(args)
        for place, (one, after) in enumerate(pairwise([*args, "-"])):
            if one == RAY and (after.startswith("-") or Path(after).exists()):
                given[place] = f"{RAY}=local"
        return super().parse_args(ctx, given)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShardedOutput:
    """The flags for sharded output."""

    out: Path | None
    format: str | None
    workers: int | None
    ray: str | None
    part_size: int | None
    compress: str | None

    @property
    def wanted(self) -> bool:
        """Whether sharded output is requested, not one file."""
        if self.workers is not None or self.ray is not None:
            return True
        for flag, given in (("--part-size", self.part_size), ("--compress", self.compress)):
            if given is not None:
                raise KeyseqError(f"{flag} is for sharded output; add --workers or --ray, or leave it out")
        return False

    def library_workers(self, format: str) -> int | None:
        """The number of processes that tag a library, which is one file whatever their number; None for this one."""
        for flag, given in (("--ray", self.ray), ("--part-size", self.part_size), ("--compress", self.compress)):
            if given is not None:
                raise KeyseqError(f"{flag} is for part files, not for {format}, which is one file; use --workers alone")
        return self.workers

    def fill(self, names: list[str], reading: "CorpusReading", recipe: "Recipe") -> None:
        """Make the missing parts of a corpus, and print a summary."""
        from keyseq.batch import Inputs, Job
        from keyseq.batch.job import SIZE

        run = Job(Inputs(names, reading), recipe, self._parts(), self.part_size or SIZE)
        made = (document for count in run.documents(self._engine()) for document in range(count))
        for _ in track(made, names[0], total=run.expected):
            pass
        self._tell(run)

    def _parts(self) -> "Parts":
        from keyseq.batch import Parts
        from keyseq.data.formats.recognition import by_name

        if self.out is None:
            raise KeyseqError("--workers and --ray write a folder of part files; name it with --out")
        if self.out.exists() and not self.out.is_dir():
            raise KeyseqError(f"{self.out}: is a file, but --workers and --ray write a folder; choose another --out")
        if not self.out.exists() and by_name(self.out.name):
            raise KeyseqError(f"{self.out}: --workers and --ray write a folder of part files; name a folder with --out")
        chosen = self.format or "jsonl"
        if chosen not in FORMATS:
            raise KeyseqError(f"part files are {' or '.join(FORMATS)}, not {chosen}; choose another --format")
        if chosen == "parquet" and self.compress is not None:
            raise KeyseqError("parquet files are compressed already; leave --compress out")
        return Parts(self.out, f".{chosen}" + (f".{self.compress}" if self.compress else ""))

    def _engine(self) -> "Engine":
        if self.ray is not None:
            from keyseq.batch import Cluster

            return Cluster(self.ray, self.workers)
        from keyseq.batch import Workers

        return Workers(self.workers or 1)

    def _tell(self, run: "Job") -> None:
        from keyseq.batch.parts import BAD

        made = run.summary
        if made is None:
            return
        note(f"{self.out}: {_several(made.documents, 'document')} in {_several(made.parts, 'part')}")
        if made.bad:
            are = "is" if made.bad == 1 else "are"
            note(f"{_several(made.bad, 'record')} that cannot be read {are} listed in {self.out}/{BAD}")
            raise typer.Exit(SKIPPED)


def _several(count: int, noun: str) -> str:
    return f"1 {noun}" if count == 1 else f"{count:,} {noun}s"
