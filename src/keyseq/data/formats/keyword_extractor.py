"""The layout of KeywordExtractor-Datasets: `docsutf8/NAME.txt` and `keys/NAME.key`, one phrase per line."""

from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from keyseq.data.formats.file_names import id_to_name, name_to_id
from keyseq.data.formats.plain import as_text
from keyseq.data.formats.source import CorpusSource, with_text
from keyseq.data.formats.target import CorpusTarget
from keyseq.data.formats.tree import Tree, open_tree, write_tree
from keyseq.errors import DataError
from keyseq.types import Document

DOCUMENTS, KEYS = "docsutf8", "keys"


def read(source: CorpusSource) -> Iterator[Document]:
    """Read a folder or zip archive, sorted by name."""
    with open_tree(source) as tree:
        documents = _inside(tree, DOCUMENTS, ".txt")
        corpora = sorted({str(PurePosixPath(name).parents[1]) for name in documents})
        if not corpora:
            raise DataError(f"{source.name}: has no folder '{DOCUMENTS}' with .txt files in it")
        if len(corpora) > 1:
            raise DataError(f"{source.name}: holds several corpora: {', '.join(corpora)}; name one of them")
        keys = set(_inside(tree, KEYS, ".key"))
        yield from source.documents(documents, lambda name: _document(tree, name, keys))


def _inside(tree: Tree, folder: str, suffix: str) -> list[str]:
    return [name for name in tree.names if name.endswith(suffix) and name.split("/")[-2:-1] == [folder]]


def _document(tree: Tree, name: str, keys: set[str]) -> Document:
    """Read one document. Without any key file the keyphrases are unknown; if only this one has none, it is bad."""
    file = PurePosixPath(name)
    key = str(file.parents[1] / KEYS / f"{file.stem}.key")
    if keys and key not in keys:
        raise DataError(f"{tree.place(name)}: its keyphrases are missing: there is no {tree.place(key)}")
    phrases = (line.strip() for line in tree.text(key).split("\n")) if keys else None
    document = Document(
        id=name_to_id(file.stem),
        body=tree.text(name).removesuffix("\n"),
        keyphrases=None if phrases is None else tuple(filter(None, phrases)),
    )
    return with_text(document, tree.place(name))


def write(documents: Iterable[Document], target: CorpusTarget) -> None:
    """Write a new folder or zip archive."""
    with write_tree(target.path) as add:
        for document in documents:
            name = id_to_name(document.id)
            add(f"{DOCUMENTS}/{name}.txt", as_text(document))
            phrases = (" ".join(phrase.split()) for phrase in document.keyphrases or ())
            add(f"{KEYS}/{name}.key", "".join(f"{phrase}\n" for phrase in phrases))
