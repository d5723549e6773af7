"""The layout of ake-datasets: one folder of CoreNLP XML files per split, and `references/SPLIT.ANNOTATOR.json`."""

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from keyseq.data.formats.corenlp import title_and_body
from keyseq.data.formats.encodings import decode
from keyseq.data.formats.source import CorpusSource, with_text
from keyseq.data.formats.tree import Tree, folder, open_tree
from keyseq.errors import DataError, nearest
from keyseq.json_text import parse_json
from keyseq.types import Document

REFERENCES = "references"
# the default annotators, in order of preference
ANNOTATORS = ("combined", "author", "editor", "reader", "indexer", "uncontr", "contr")
STEMMED = ".stem"
HEAD = 2048  # bytes in which an XML file shows its kind


def read(source: CorpusSource) -> Iterator[Document]:
    """Read one split, given its folder, or that of the corpus if it has one split only.

    What follows a `#` selects the split and the annotator: `Inspec/test#contr`, `Inspec#test.contr`, `Inspec#test`.
    """
    with open_tree(source) as opened:
        tree, given = _with_references(opened)
        splits = {str(PurePosixPath(name).parent) for name in tree.names if _is_document(name)}
        split, annotator = _chosen(source, {split for split in splits if given in ("", split)})
        references = _references(tree, split, annotator)
        names = [name for name in tree.names if _is_document(name) and str(PurePosixPath(name).parent) == split]
        yield from source.documents(names, lambda name: _document(tree, name, references))


def is_corpus(tree: Tree) -> bool:
    """Whether a folder or archive is such a corpus, by the first of its XML files."""
    first = next(filter(_is_document, tree.names), None)
    return first is not None and b"<root" in tree.read(first)[:HEAD]


def _is_document(name: str) -> bool:
    """Whether a file is a CoreNLP file by its name, not one of the original sources."""
    return name.endswith(".xml") and "src" not in name.split("/")[:-1]


def _with_references(tree: Tree) -> tuple[Tree, str]:
    """The tree that includes the references, and the requested folder in it."""
    path = tree.path if tree.path.name else tree.path.absolute()
    if any(REFERENCES in name.split("/") for name in tree.names) or not (path.parent / REFERENCES).is_dir():
        return tree, ""
    return folder(path.parent), path.name


def _chosen(source: CorpusSource, splits: set[str]) -> tuple[str, str]:
    """The folder of the split and, if given, the annotator."""
    head, _, rest = source.part.partition(".")
    named = {split for split in splits if PurePosixPath(split).name == head}
    if len(named or splits) != 1:
        found = f"holds several splits ({', '.join(sorted(splits))})" if splits else "holds no CoreNLP .xml file"
        raise DataError(f"{source.name}: {found}; name the folder of one split")
    [split] = named or splits
    return split, rest if named else source.part


def _references(tree: Tree, split: str, annotator: str) -> Mapping[str, object] | None:
    """The references of a split, or None if the corpus has no folder of references at all."""
    parent, prefix = PurePosixPath(split).parent / REFERENCES, f"{PurePosixPath(split).name}."
    files = [name for name in map(PurePosixPath, tree.names) if name.parent == parent and name.suffix == ".json"]
    if not files:
        return None
    found = {name.stem.removeprefix(prefix): str(name) for name in files if name.name.startswith(prefix)}
    if not found:
        raise DataError(f"{tree.place(str(parent))}: has no {prefix}*.json for this split")
    return _load(tree, found[_annotator(tree.place(split), list(found), annotator)])


def _annotator(place: str, found: list[str], wanted: str) -> str:
    if wanted in found:
        return wanted
    if wanted:
        raise DataError(f"{place}: has no references '{wanted}'{nearest(wanted, found)}")
    unstemmed = sorted(name for name in found if not name.endswith(STEMMED))
    if not unstemmed:
        raise DataError(f"{place}: its references are stems; to use them anyway, write {place}#{sorted(found)[0]}")
    return next((name for name in ANNOTATORS if name in unstemmed), unstemmed[0])


def _load(tree: Tree, name: str) -> Mapping[str, object]:
    place = tree.place(name)
    references = parse_json(decode(tree.read(name), place), place)
    if not isinstance(references, dict):
        raise DataError(f"{place}: must be a JSON object of documents and their keyphrases")
    return references


def _document(tree: Tree, name: str, references: Mapping[str, object] | None) -> Document:
    stem, place = PurePosixPath(name).stem, tree.place(name)
    title, body = title_and_body(tree.read(name), place)
    keyphrases = None if references is None else _keyphrases(references.get(stem), place)
    return with_text(Document(id=stem, title=title, body=body, keyphrases=keyphrases), place)


def _keyphrases(phrases: object, place: str) -> tuple[str, ...]:
    """The first of each keyphrase's variants."""
    if phrases is None:
        raise DataError(f"{place}: this document has no references")
    if isinstance(phrases, list):
        firsts = [phrase[0] if isinstance(phrase, list) and phrase else phrase for phrase in phrases]
        if all(isinstance(phrase, str) for phrase in firsts):
            return tuple(firsts)
    raise DataError(f"{place}: its references must be a list of lists of texts")
