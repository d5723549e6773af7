"""Plain text and Markdown: one document per file, from a file, standard input or a folder."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path, PurePosixPath

from keyseq.data.formats.markdown import title_and_body
from keyseq.data.formats.source import CorpusSource, decode, with_text
from keyseq.data.formats.target import CorpusTarget
from keyseq.data.formats.tree import Tree, id_to_name, name_to_id, open_tree, write_tree
from keyseq.errors import DataError
from keyseq.files import COMPRESSIONS, bare_suffix
from keyseq.types import Document

TEXT_SUFFIXES = (".txt", ".text")
MARKDOWN_SUFFIXES = (".md", ".markdown")


def read_text(source: CorpusSource) -> Iterator[Document]:
    """Read a text file as one body, since no rule identifies a title reliably."""
    return _read(source, _plain)


def read_markdown(source: CorpusSource) -> Iterator[Document]:
    """Read the visible text of a Markdown file, with its first heading as the title."""
    return _read(source, title_and_body)


def _plain(content: str) -> tuple[str, str]:
    return "", content.removesuffix("\n")


def _read(source: CorpusSource, parts: Callable[[str], tuple[str, str]]) -> Iterator[Document]:
    def document(id: str) -> Document:
        title, body = parts(decode(source.content(), source.name).replace("\r\n", "\n"))
        return with_text(Document(id=id, title=title, body=body), source.name)

    return source.documents(["1" if source.path is None else _stem(source.path.name)], document)


def _stem(name: str) -> str:
    path = PurePosixPath(name)
    if path.suffix.lower() in COMPRESSIONS:
        path = path.with_suffix("")
    return name_to_id(str(path.with_suffix("")))


def read_folder(source: CorpusSource) -> Iterator[Document]:
    """Read the text and Markdown files of a folder or zip archive, sorted by name."""
    with open_tree(source) as tree:
        names = [name for name in tree.names if is_readable(name)]
        if not names:
            raise DataError(f"{source.name}: holds no {' or '.join(TEXT_SUFFIXES + MARKDOWN_SUFFIXES)} file")
        stems = Counter(map(_stem, names))
        yield from source.documents(names, lambda name: _file(tree, name, alone=stems[_stem(name)] == 1))


def is_readable(name: str) -> bool:
    """Whether a file of a folder is text or Markdown by its name."""
    return bare_suffix(Path(name)) in TEXT_SUFFIXES + MARKDOWN_SUFFIXES


def _file(tree: Tree, name: str, *, alone: bool) -> Document:
    parts = title_and_body if bare_suffix(Path(name)) in MARKDOWN_SUFFIXES else _plain
    title, body = parts(tree.text(name))
    # a.txt and a.md are two documents
    return with_text(Document(id=_stem(name) if alone else name, title=title, body=body), tree.place(name))


def as_text(document: Document) -> str:
    """A document as text: the title, an empty line, the body."""
    return "\n\n".join(filter(None, (document.title, document.body))) + "\n"


def write_text(documents: Iterable[Document], target: CorpusTarget) -> None:
    """Write a corpus of one document as a text file."""
    with target.open() as out:
        for number, document in enumerate(documents):
            if number:
                raise DataError(
                    "a text file holds one document, but there are more; write them to a folder (--to folder)"
                )
            out.write(as_text(document))


def write_folder(documents: Iterable[Document], target: CorpusTarget) -> None:
    """Write a new folder or zip archive with one text file per document."""
    with write_tree(target.path) as add:
        for document in documents:
            add(f"{id_to_name(document.id)}.txt", as_text(document))
