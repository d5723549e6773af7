"""How corpora are read: the settings that the command line, Python and HTTP have in common."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypedDict, Unpack

from keyseq.data.formats.columns import Columns
from keyseq.data.formats.encodings import known_encoding
from keyseq.data.formats.reading_report import ReadingReport
from keyseq.data.formats.recognition import named, recognised
from keyseq.data.formats.source import STDIN, CorpusSource
from keyseq.errors import DataError, nearest, shown
from keyseq.types import Document


class ReadingOptions(TypedDict, total=False):
    """The options of reading by the names that they have everywhere."""

    format: str | None
    title_column: str | None
    text_column: str | None
    id_column: str | None
    keywords_column: str | None
    separator: str | None
    encoding: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusReading:
    """How corpora are read: their format, if names do not show it, their columns, and the encoding of texts."""

    format: str | None = None
    columns: Columns = field(default_factory=Columns)
    encoding: str | None = None

    def __post_init__(self) -> None:
        known_encoding(self.encoding)

    @classmethod
    def of(cls, **options: Unpack[ReadingOptions]) -> "CorpusReading":
        """The settings of these options."""
        for unknown in options.keys() - ReadingOptions.__annotations__.keys():
            raise DataError(f"unknown reading option '{unknown}'{nearest(unknown, ReadingOptions.__annotations__)}")
        separator = options.get("separator")
        return cls(
            format=options.get("format"),
            encoding=options.get("encoding"),
            columns=Columns(
                id=options.get("id_column"),
                title=options.get("title_column"),
                text=options.get("text_column"),
                keyphrases=options.get("keywords_column"),
                separator=";" if separator is None else separator,
            ),
        )

    def documents(self, path: Path | str, report: ReadingReport | None = None) -> Iterator[Document]:
        """Stream the documents of a file, folder or archive; "-" is standard input."""
        source = self.source(str(path), report)
        name = self.format or recognised(source)
        if source.part and name != "ake":
            raise DataError(f"{path}: no such file or folder; only ake corpora have parts after a #")
        if named(name).one_document:  # without which nothing would be left
            source = replace(source, report=replace(source.report, advice=""))
        return named(name).read(source)

    def source(self, name: str, report: ReadingReport | None = None) -> CorpusSource:
        """The corpus of a name, which must be there."""
        path, part = _located(name)
        return CorpusSource(
            path=path, part=part, columns=self.columns, encoding=self.encoding, report=report or ReadingReport()
        )


def _located(name: str) -> tuple[Path | None, str]:
    """The path of a corpus, and the part after a `#`."""
    if name == STDIN:
        return None, ""
    if not name:
        raise DataError("a file name is empty; name a file or a folder")
    refuse_address(name)
    path, part = Path(name), ""
    if not path.exists() and "#" in name:
        name, _, part = name.rpartition("#")
        path = Path(name)
    if not path.exists():
        raise DataError(f"{path}: no such file or folder")
    return path, part


def is_address(name: str) -> bool:
    """Whether a name is an address on the web; a `Path` made of it has lost a slash."""
    return name.lower().startswith(("http:/", "https:/", "ftp:/")) and not Path(name).exists()


def refuse_address(name: str) -> None:
    """Refuse the address of a web page, or another URI, in place of a file."""
    if "://" in name and not is_address(name) and not Path(name).exists():
        raise DataError(f"{shown(name)}: is a URI; keyseq generate reads URIs of storage only with --workers or --ray")
    if is_address(name):
        raise DataError(f"{shown(name)}: is an address, and keyseq does not go online; download the file and name it")


def read(
    path: Path | str, *, skipped: list[str] | None = None, **options: Unpack[ReadingOptions]
) -> Iterator[Document]:
    """Stream the documents of a file, a folder or an archive, in any format that keyseq reads.

    The first record that cannot be read raises a `DataError`, unless `skipped` is a list, to which the errors are
    appended. The options are those of `keyseq generate`: `format`, if the name does not show it; `title_column`,
    `text_column`, `id_column`, `keywords_column` and `separator` of tables and JSON; `encoding` of text files.
    """
    return CorpusReading.of(**options).documents(path, ReadingReport(skipped=skipped))
