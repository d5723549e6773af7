"""The corpora of Annif: a folder of texts with their subjects beside them, and short texts in a table of two columns.

A subject is written `<http://example.org/1>`, a tab and a label, or as either of the two alone.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from keyseq.data.formats.encodings import decode
from keyseq.data.formats.file_names import id_to_name, name_to_id
from keyseq.data.formats.plain import as_text
from keyseq.data.formats.source import CorpusSource, with_text
from keyseq.data.formats.target import CorpusTarget
from keyseq.data.formats.tree import Tree, open_tree, write_tree
from keyseq.errors import DataError, shown
from keyseq.types import Document

TEXTS, SUBJECTS = ".txt", (".tsv", ".key")  # subjects are looked for in this order
_URI = re.compile(r"<([^<>\s]+)>")


def is_corpus(names: Iterable[str]) -> bool:
    """Whether a folder with these files is such a corpus: a text and its subjects have one name."""
    known = set(names)
    texts = (name.removesuffix(TEXTS) for name in known if name.endswith(TEXTS))
    return any(f"{name}{suffix}" in known for name in texts for suffix in SUBJECTS)


def read_folder(source: CorpusSource) -> Iterator[Document]:
    """Read a folder or zip archive of `NAME.txt` with `NAME.tsv` or `NAME.key`, sorted by name."""
    with open_tree(source) as tree:
        names = [name for name in tree.names if name.endswith(TEXTS)]
        if not names:
            raise DataError(f"{source.name}: has no {TEXTS} files")
        yield from source.documents(names, lambda name: _document(tree, name))


def _document(tree: Tree, name: str) -> Document:
    """A text; its subjects are unknown if there is no file with them."""
    bare = name.removesuffix(TEXTS)
    beside = next((bare + suffix for suffix in SUBJECTS if bare + suffix in tree.names), None)
    lines = [] if beside is None else [line for line in tree.text(beside).split("\n") if line.strip()]
    pairs = [_subject(line) for line in lines]
    uris, labels = ([pair[place] for pair in pairs] for place in (0, 1))
    document = Document(
        id=name_to_id(PurePosixPath(bare).name),
        body=tree.text(name).removesuffix("\n"),
        keyphrases=None if beside is None or not all(labels) else tuple(labels),
        subjects=None if beside is None or not all(uris) else tuple(uris),
    )
    return with_text(document, tree.place(name))


def _subject(line: str) -> tuple[str, str]:
    """The URI and the label of a line; either may be empty."""
    cells = [cell.strip() for cell in line.split("\t")]
    uri = next((match[1] for match in map(_URI.fullmatch, cells) if match), "")
    return uri, next((cell for cell in cells if cell and not _URI.fullmatch(cell)), "")


def write_folder(documents: Iterable[Document], target: CorpusTarget) -> None:
    """Write a new folder or zip archive: subjects with URIs as `.tsv`, bare keyphrases as `.key`."""
    with write_tree(target.path) as add:
        for document in documents:
            name = id_to_name(document.id)
            add(f"{name}{TEXTS}", as_text(document))
            labels = [_one_line(phrase) for phrase in document.keyphrases or ()]
            if document.subjects is not None:
                named = labels if len(labels) == len(document.subjects) else [""] * len(document.subjects)
                rows = (f"<{uri}>\t{label}".rstrip() for uri, label in zip(document.subjects, named, strict=True))
                add(f"{name}.tsv", "".join(f"{row}\n" for row in rows))
            elif document.keyphrases is not None:
                add(f"{name}.key", "".join(f"{label}\n" for label in filter(None, labels)))


def read_table(source: CorpusSource) -> Iterator[Document]:
    """Read a table without a header: a text, a tab, and the URIs of its subjects, separated by spaces."""
    numbered = ((number, line) for number, line in source.lines() if line.strip())
    return source.documents(numbered, lambda record: _row(source, *record))


def _row(source: CorpusSource, number: int, line: bytes) -> Document:
    text, tab, uris = decode(line, source.name, number).rstrip("\r\n").partition("\t")
    given = tuple(uri.removeprefix("<").removesuffix(">") for uri in uris.split())
    document = Document(id=str(number), body=text.strip(), subjects=given if tab else None)
    return with_text(document, f"{source.name}:{number}")


def write_table(documents: Iterable[Document], target: CorpusTarget) -> None:
    """Write a text and the URIs of its subjects per line; keyphrases without URIs cannot be written."""
    with target.open() as out:
        for document in documents:
            if document.subjects is None and document.keyphrases:
                raise DataError(
                    f"document '{shown(document.id)}': has keyphrases but no URIs, which this table is made of; "
                    "name a vocabulary that has them with --vocabulary"
                )
            uris = None if document.subjects is None else " ".join(f"<{uri}>" for uri in document.subjects)
            text = _one_line(f"{document.title} {document.body}")
            out.write(f"{text}\n" if uris is None else f"{text}\t{uris}\n")


def _one_line(text: str) -> str:
    return " ".join(text.split())
