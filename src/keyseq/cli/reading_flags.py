"""The flags of every verb that reads corpora."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from keyseq.cli.flag_groups import grouped

if TYPE_CHECKING:
    from keyseq.data.formats import CorpusReading


def _flag(names: tuple[str, ...], metavar: str, help: str) -> Any:
    return Annotated[str | None, typer.Option(*names, metavar=metavar, help=help)]


FLAGS = {
    "from_format": _flag(("--from",), "FORMAT", "The format of the input, if its name does not show it."),
    "title_column": _flag(("--title-column",), "NAME", "Column of a table, or JSON field, of the title."),
    "text_column": _flag(("--text-column",), "NAME", "Column or field of the text."),
    "id_column": _flag(("--id-column",), "NAME", "Column or field of the id."),
    "keywords_column": _flag(
        ("--keywords-column", "--keyphrases-column"), "NAME", "Column or field of the keyphrases."
    ),
    "separator": _flag(("--separator",), "TEXT", "Separator of the keyphrases in a cell. [default: ;]"),
    "encoding": _flag(("--encoding",), "NAME", "Encoding of text files, such as cp1252 or utf-16. [default: utf-8]"),
}


def _reading(*, from_format: str | None = None, **options: Any) -> "CorpusReading":
    from keyseq.data.formats import CorpusReading

    return CorpusReading.of(format=from_format, **options)


# decorates a verb that takes a `CorpusReading` as `reading`
reads_corpora = grouped("reading", FLAGS, _reading)
