"""Tagged output of `keyseq generate`: the file that was read, with the keyphrases of its entries added."""

import sys
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from keyseq.errors import KeyseqError
from keyseq.files import bare_suffix, write_whole_binary

if TYPE_CHECKING:
    from keyseq.data.formats import CorpusReading
    from keyseq.data.tagging.tags import Existing

# formats of names that predictions are written under too; and that of a file that is tagged under such a name
OFTEN_WRITTEN = {"jsonl": "csl-json", "parquet": "parquet"}
WRITTEN = ("text", "txt", "markdown", "jsonl", "parquet")  # formats of output that is not a library
ALIKE = {"marcxml": "xml", "csl-json": "jsonl"}  # the format that the name of such a file shows


@dataclass(frozen=True, slots=True, kw_only=True)
class TaggedOutput:
    """The flags for tagged output. `format` is that of --format, if it was given."""

    names: list[str]
    reading: "CorpusReading"
    format: str | None
    out: Path | None
    existing: "Existing | None"
    column: str | None

    def wanted(self) -> str | None:
        """The format to write again, None if predictions are to be written instead."""
        chosen = self._asked()
        if chosen is None:
            for flag, value in (("--existing", self.existing), ("--column", self.column)):
                if value is not None:
                    raise KeyseqError(f"{flag} is for libraries and tables to which keyphrases are added; see --help")
            return None
        from keyseq.data.formats.source import STDIN
        from keyseq.data.tagging import TABLES

        if self.existing is not None and chosen in TABLES:
            raise KeyseqError("--existing is for libraries; a table gets a column of its own, see --column")
        if self.names == [STDIN]:
            raise KeyseqError(
                f"-: {chosen} is written by reading it twice, and standard input can be read once; name a file"
            )
        if self.column is not None and chosen not in TABLES:
            raise KeyseqError(f"--column is for tables; in {chosen}, keywords have their own place")
        return chosen

    def _asked(self) -> str | None:
        if self.format is None and self.out is None:  # a text on the screen, which is what most people ask for
            return None
        from keyseq.data.formats.recognition import by_name
        from keyseq.data.tagging import TAGGERS

        told = by_name(self.out.name) if self.out else None
        kind = self.format or {"xml": "marcxml"}.get(told or "", told)
        if self.format is None and kind in OFTEN_WRITTEN:
            return self._of_input() if self._of_input() == OFTEN_WRITTEN[kind] else None
        if kind is None and self.out is not None:
            self._check_unknown(self.out)
        if kind is None or self.format == "csv" or kind in WRITTEN:
            return None
        if kind not in TAGGERS:
            raise KeyseqError(f"{self.out}: generate does not write {kind}; choose a --format, or another name")
        if len(self.names) == 1 and self._is_of(kind):
            return kind
        if kind == "csv":
            return None
        raise KeyseqError(
            f"{kind} is written by adding keywords to a file that is read; name one {kind} file to read, or write "
            "text, .jsonl or .csv"
        )

    @staticmethod
    def _check_unknown(out: Path) -> None:
        """Refuse a name that means a file of another kind, which text is not."""
        from keyseq.data.formats.recognition import ARCHIVE
        from keyseq.data.formats.unread_kinds import advice_for

        if out.suffix.lower() == ARCHIVE or advice_for(out.name):
            raise KeyseqError(f"{out}: generate does not write {out.suffix}; choose a --format, or another name")

    def _of_input(self) -> str | None:
        """The format of the one file that is read, among those that can be written again."""
        from keyseq.data.tagging import format_of

        alone = len(self.names) == 1 and self.out is not None and Path(self.names[0]).is_file()
        if not alone or self.reading.format is not None or _ends(self.out) != _ends(self.names[0]):
            return None
        return format_of(self.reading.source(self.names[0]))

    def _is_of(self, format: str) -> bool:
        from keyseq.data.formats.recognition import by_name

        [name] = self.names
        told = self.reading.format or by_name(Path(name).name)
        return told is not None and told in (format, ALIKE.get(format))

    def reading_of(self, format: str) -> "CorpusReading":
        """How the file is read: by the reader of the format that it is written in again."""
        return replace(self.reading, format=format)

    def write(self, format: str, phrases: Iterable[Sequence[str]]) -> None:
        """Write the file again."""
        from keyseq.data.formats import ReadingReport
        from keyseq.data.tagging import IN_PLACE, Tagging, tag

        rules = Tagging(
            existing=self.existing or "merge",
            column="keyphrases" if self.column is None else self.column,
            separator=self.reading.columns.separator,
        )
        # records that cannot be read were reported when the documents were read
        source = self.reading_of(format).source(self.names[0], ReadingReport(skipped=[], textless=[]))
        with self._opened(source.path if format in IN_PLACE else None) as file:
            tag(format, source, phrases, file, rules)

    def _opened(self, in_place: Path | None) -> AbstractContextManager[BinaryIO]:
        if self.out is None:
            return nullcontext(sys.stdout.buffer)
        return write_whole_binary(self.out, in_place=in_place)


def _ends(name: Path | str | None) -> str:
    return bare_suffix(Path(name or ""))
