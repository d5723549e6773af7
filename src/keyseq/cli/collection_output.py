"""`keyseq generate --together`: the phrases of a collection as a table, CSV or JSON lines."""

import csv
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING

from keyseq.cli.console import note, output, reading_report, tell_read, track
from keyseq.errors import DataError, KeyseqError
from keyseq.files import bare_suffix

if TYPE_CHECKING:
    from keyseq.data.formats import CorpusReading, ReadingReport
    from keyseq.systems.collection import CollectionCounts, CollectionPhrase
    from keyseq.systems.recipe import Recipe
    from keyseq.types import Document, System

FORMATS = ("text", "jsonl", "csv")
BY_NAME = {".csv": "csv", ".jsonl": "jsonl", ".json": "jsonl"}


@dataclass(frozen=True, kw_only=True)
class CollectionOutput:
    """The flags for output of a collection."""

    together: bool
    background: str | None
    top: int | None
    format: str | None
    out: Path | None

    def wanted(self, *, explain: bool, parts: bool) -> bool:
        """Whether the keyphrases of a collection are wanted; refuse options that cannot be combined with it."""
        if not self.together:
            if self.background is not None:
                raise KeyseqError("--background is what --together compares with; add --together, or leave it out")
            return False
        for option, given in (("--explain", explain), ("--workers and --ray", parts)):
            if given:
                raise KeyseqError(f"--together does not support {option}; leave it out")
        if self._written not in FORMATS:
            raise KeyseqError(f"--together is written as {', '.join(FORMATS)}, not {self._written}; choose one of them")
        return True

    @property
    def _written(self) -> str:
        return self.format or BY_NAME.get(bare_suffix(self.out) if self.out else "", "text")

    def write(self, names: list[str], reading: "CorpusReading", recipe: "Recipe", *, skip_bad: bool) -> None:
        """Read the documents, one after the other, and write the phrases that distinguish them together."""
        from keyseq.systems.collection import USUAL_TOP, known_to

        report = reading_report(skip_bad=skip_bad, textless=True)
        # `top` is of the collection, not of a document
        settings = {name: value for name, value in recipe.settings.items() if name != "top"}
        system = replace(recipe, settings=settings).load()
        counts = _counted(system, names, reading, report)
        if not counts.documents:
            raise DataError(f"{', '.join(names)}: no documents to take together")
        background = (
            known_to(system, counts)
            if self.background is None
            else _counted(system, [self.background], reading, report)
        )
        phrases = counts.distinctive(background, self.top or USUAL_TOP)
        with output(self.out) as file:
            WRITE[self._written](phrases, counts, file)
        if counts.dropped:
            note(f"{counts.dropped:,} phrases of single documents were left out, to bound the memory")
        tell_read(report)


def _counted(
    system: "System", names: list[str], reading: "CorpusReading", report: "ReadingReport"
) -> "CollectionCounts":
    from keyseq.systems.collection import counted

    def documents() -> "Iterator[Document]":
        for name in names:
            yield from track(reading.documents(name, report), name, source=name)

    return counted(system, documents())


def _write_text(phrases: "list[CollectionPhrase]", counts: "CollectionCounts", out: IO[str]) -> None:
    from keyseq.tables import render

    with_years = len(counts.years) > 1
    heads = ["phrase", "documents", "share", "background", "score", *(["trend a year"] if with_years else [])]
    rows = [
        [
            one.text,
            f"{one.documents:,}",
            f"{100 * one.share:.1f} %",
            f"{one.background:,}",
            f"{one.score:.1f}",
            *([f"{100 * (one.trend or 0.0):+.1f} %"] if with_years else []),
        ]
        for one in phrases
    ]
    out.write(render(heads, rows, "text"))


def _write_csv(phrases: "list[CollectionPhrase]", _: "CollectionCounts", out: IO[str]) -> None:
    from keyseq.systems.collection import CollectionPhrase

    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([one.name for one in fields(CollectionPhrase)])
    for phrase in phrases:
        cells = _rounded(phrase) | {"years": "; ".join(f"{year}: {count}" for year, count in phrase.years.items())}
        writer.writerow(["" if cell is None else cell for cell in cells.values()])


def _write_jsonl(phrases: "list[CollectionPhrase]", _: "CollectionCounts", out: IO[str]) -> None:
    for phrase in phrases:
        out.write(json.dumps(_rounded(phrase), ensure_ascii=False) + "\n")


def _rounded(phrase: "CollectionPhrase") -> dict[str, object]:
    return {name: round(value, 4) if isinstance(value, float) else value for name, value in asdict(phrase).items()}


WRITE = {"text": _write_text, "csv": _write_csv, "jsonl": _write_jsonl}
