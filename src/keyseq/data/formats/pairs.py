"""Parallel source and target files with one line per document, the format of sequence-to-sequence toolkits."""

import re
from collections.abc import Iterable, Iterator
from itertools import chain, groupby, islice, zip_longest
from pathlib import Path
from typing import NamedTuple

from keyseq.data.formats.encodings import decode
from keyseq.data.formats.source import CorpusSource, with_text
from keyseq.data.formats.target import CorpusTarget
from keyseq.errors import DataError, shown
from keyseq.files import COMPRESSIONS, write_whole
from keyseq.overwriting import refuse_existing
from keyseq.types import Document

TITLE_END = "<eos>"
PRESENT_END = "<peos>"
# the suffixes of the two files; targets are searched in this order
ENDS = (("_src.txt", "_trg.txt"), ("_src.txt", "_tgt.txt"), (".src", ".tgt"), (".src", ".trg"))
SUFFIXES = tuple(dict.fromkeys(source for source, _ in ENDS))

_LINE_BREAK = re.compile(r"(?:(?<!\s)\s+)?[\r\n]\s*")


class _Line(NamedTuple):
    number: int
    source: bytes
    target: bytes | None


def read(source: CorpusSource) -> Iterator[Document]:
    """Read the source file and, if it exists, the target file."""
    targets = _beside(source)
    lines = _lines(source, targets) if targets else (_Line(number, line, None) for number, line in source.lines())
    records = _records(lines, source.columns.separator.encode())
    return source.documents(records, lambda record: _document(source, targets or source, *record))


def _beside(source: CorpusSource) -> CorpusSource | None:
    if source.path is None:
        raise DataError("pairs are two files; use the one that ends in .src instead of -")
    found = next((path for path in _partners(source.path) if path.exists()), None)
    return None if found is None else CorpusSource(path=found)


def _partners(path: Path) -> Iterator[Path]:
    """The possible target files of a source file, compressed or not."""
    compression = path.suffix if path.suffix.lower() in COMPRESSIONS else ""
    name = path.name.removesuffix(compression)
    for source_end, target_end in ENDS:
        if name.endswith(source_end):
            for suffix in dict.fromkeys((compression, "", *COMPRESSIONS)):
                yield path.with_name(name.removesuffix(source_end) + target_end + suffix)


def _lines(source: CorpusSource, targets: CorpusSource) -> Iterator[_Line]:
    """Yield the lines of both files in parallel; they must have the same number of lines."""
    ours, theirs = source.lines(), targets.lines()
    for both, (first, second) in enumerate(zip_longest(ours, theirs)):
        if first is None or second is None:
            more = both + 1 + sum(1 for _ in (theirs if first is None else ours))
            counts = (both, more) if first is None else (more, both)
            raise DataError(f"{source.name} has {counts[0]} lines but {targets.name} has {counts[1]}; make them equal")
        yield _Line(first[0], first[1], second[1])


def _records(lines: Iterable[_Line], separator: bytes) -> Iterator[tuple[str, list[_Line]]]:
    """Yield the lines of each document, numbered through.

    Consecutive equal source lines are one document with one phrase per line (one2one) if every target is a single
    phrase; otherwise every line is a document.
    """
    number = 0
    for _, group in groupby(lines, key=lambda line: line.source.strip()):
        equal = list(group)
        one2one = all(line.target and line.target.strip() and separator not in line.target for line in equal)
        for document in [equal] if one2one else [[line] for line in equal]:
            number += 1
            yield str(number), document


def _document(source: CorpusSource, targets: CorpusSource, id: str, lines: list[_Line]) -> Document:
    first = lines[0]
    title, separator, body = decode(first.source, source.name, first.number).strip().partition(TITLE_END)
    keyphrases = None
    if first.target is not None:
        phrases = [decode(line.target or b"", targets.name, line.number) for line in lines]
        keyphrases = tuple(phrase for line in phrases for phrase in source.columns.split(line) if phrase != PRESENT_END)
    document = Document(
        id=id,
        title=title.strip() if separator else "",
        body=body.strip() if separator else title,
        keyphrases=keyphrases,
    )
    return with_text(document, f"{source.name}:{first.number}")


def write(documents: Iterable[Document], target: CorpusTarget) -> None:
    """Write one line per document to both files, title and body separated by `<eos>`."""
    partner = next(_partners(target.path), None)
    if partner is None:
        raise DataError(f"{target.path}: the name of a pairs file must end in {' or '.join(SUFFIXES)}")
    with write_whole(target.path) as sources, write_whole(partner) as targets:
        previous, rest = None, iter(documents)
        first = list(islice(rest, 1))  # read first, so that an input is distinguished from another file
        refuse_existing(partner)  # which no flag names
        for document in chain(first, rest):
            line = _source_line(document)
            phrases = [_one_line(phrase) for phrase in document.keyphrases or ()]
            # a trailing separator marks that the same text again is another document, not another phrase
            end = target.columns.separator if line == previous else ""
            sources.write(f"{line}\n")
            targets.write(f"{target.columns.join(phrases, document.id)}{end}\n")
            previous = line


def _source_line(document: Document) -> str:
    if TITLE_END in document.title:
        raise DataError(f"document '{shown(document.id)}': its title contains '{TITLE_END}', the end of a title")
    if document.title or TITLE_END in document.body:
        return _one_line(f"{document.title} {TITLE_END} {document.body}")
    return _one_line(document.body)


def _one_line(text: str) -> str:
    return _LINE_BREAK.sub(" ", text).strip()
