"""Vocabularies in files: SKOS, tables and lists are parsed, compiled vocabularies are memory-mapped."""

import json
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO

import safetensors.numpy

from keyseq.arrays import map_arrays
from keyseq.errors import DataError, KeyseqError
from keyseq.files import bare_suffix, open_binary, write_whole_binary
from keyseq.languages import ENGLISH, LANGUAGES
from keyseq.overwriting import reading
from keyseq.text.analyzer import Analyzer
from keyseq.vocabularies.building import build_vocabulary
from keyseq.vocabularies.controlled_vocabulary import ControlledVocabulary
from keyseq.vocabularies.skos import read_skos
from keyseq.vocabularies.term_table import TermTable

COMPILED = "compiled"
SUFFIX = ".vocabulary"  # of a compiled one
LARGEST = 1 << 30  # bytes of a table or list
MOST_KEPT = 8  # vocabularies that are kept in memory once they were read

_BY_SUFFIX = {
    **dict.fromkeys((".ttl", ".turtle", ".n3"), "Turtle"),
    **dict.fromkeys((".rdf", ".owl", ".xml", ".skos"), "RDF/XML"),
    **dict.fromkeys((".jsonld", ".json"), "JSON-LD"),
    ".nt": "N-Triples",
    ".csv": "CSV",
    **dict.fromkeys((".tsv", ".tab", ".txt", ".lst", ".list", ""), "list"),
    SUFFIX: COMPILED,
}
# How files of a format begin, whatever they are called
_BEGINNINGS = {
    b"@prefix": "Turtle",
    b"@base": "Turtle",
    b"prefix ": "Turtle",
    b"<?xml": "RDF/XML",
    b"<rdf:": "RDF/XML",
    b"{": "JSON-LD",
    b"[{": "JSON-LD",
}
FORMATS = tuple(dict.fromkeys(_BY_SUFFIX.values()))


def read_vocabulary(path: Path | str) -> ControlledVocabulary:
    """Read a vocabulary in any format; one that was read before and has not changed since is taken from memory."""
    path = Path(path)
    try:
        status = path.stat()
    except OSError:
        raise KeyseqError(f"{path}: no such file") from None
    if path.is_dir():
        raise KeyseqError(f"{path}: is a folder; name a file with a vocabulary")
    reading(path)
    return _read(path, status.st_mtime_ns, status.st_size)


@lru_cache(MOST_KEPT)
def _read(path: Path, _modified: int, _size: int) -> ControlledVocabulary:
    kind = vocabulary_format(path)
    if kind == COMPILED:
        return _mapped(path)
    with open_binary(path) as file:
        if kind not in ("CSV", "list"):
            return build_vocabulary(read_skos(file, str(path), kind), str(path))
        concepts, remarks = TermTable.parse(_text(file, path), str(path), "," if kind == "CSV" else "\t").concepts()
        return build_vocabulary(concepts, str(path), remarks)


def write_compiled(vocabulary: ControlledVocabulary, path: Path) -> None:
    """Write a vocabulary with its labels indexed in all languages that keyseq analyses, so that it loads at once."""
    if path.suffix != SUFFIX:
        raise KeyseqError(f"{path}: a compiled vocabulary must be named …{SUFFIX}")
    for code in vocabulary.languages:
        if not code or code in LANGUAGES:
            vocabulary.index(Analyzer.for_language(code or ENGLISH))
    with write_whole_binary(path) as file:
        file.write(safetensors.numpy.save(vocabulary.arrays()))


def vocabulary_format(path: Path) -> str:
    """One of `FORMATS`: by how a file begins, or else by its name."""
    with open_binary(path) as file:
        start = file.read(512)
    if is_compiled(start):
        return COMPILED
    beginning = start.removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    named = _BY_SUFFIX.get(bare_suffix(path))
    begun = next((kind for begins, kind in _BEGINNINGS.items() if beginning.startswith(begins)), None)
    if named in (None, "list") and begun:
        return begun
    if named is None or (named == COMPILED and start):
        raise DataError(
            f"{path}: not recognised as a vocabulary by name or content; SKOS is read from .ttl, .rdf, .jsonld and "
            f".nt, labels from .tsv, .csv and .txt, compiled vocabularies from {SUFFIX}"
        )
    return named


def is_compiled(start: bytes) -> bool:
    """Whether a file that begins so holds named arrays: the length of a JSON object, and the object."""
    return len(start) > 9 and start[8:9] == b"{" and 2 <= int.from_bytes(start[:8], "little") < 1 << 24


def _mapped(path: Path) -> ControlledVocabulary:
    try:
        return ControlledVocabulary.from_arrays(map_arrays(path), str(path))
    except (KeyseqError, KeyError, TypeError, ValueError, IndexError, json.JSONDecodeError) as error:
        reason = str(error).removeprefix(f"{path}: ").removesuffix("; train the system again")
        raise KeyseqError(
            f"{path}: damaged, or compiled by another version ({reason}); compile it again (keyseq vocabulary compile)"
        ) from None


def _text(file: BinaryIO, path: Path) -> str:
    data = file.read(LARGEST)
    if len(data) >= LARGEST:
        raise DataError(f"{path}: over {LARGEST >> 20} MiB, more than a table of labels has")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise DataError(f"{path}: not a vocabulary: it must be UTF-8 text, one term per line, or SKOS") from None
    if "\0" in text:
        raise DataError(f"{path}: not a vocabulary: it holds binary data")
    return text.replace("\r\n", "\n")
