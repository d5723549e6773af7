"""Which files can be written again with keyphrases, by their names or, where those do not tell, by what they hold."""

from keyseq.data.formats import marc
from keyseq.data.formats.csl_json import are_items
from keyseq.data.formats.json_file import JsonFile
from keyseq.data.formats.jsonl import is_whole
from keyseq.data.formats.recognition import by_name
from keyseq.data.formats.source import CorpusSource
from keyseq.data.formats.xml_trees import root_name
from keyseq.errors import DataError

AMBIGUOUS = {"xml": "marcxml", "jsonl": "csl-json"}  # formats that names show, and the library that such a file may be


def taggable_format(source: CorpusSource, tagged: frozenset[str]) -> str | None:
    """The format of a file among those that can be `tagged`, if it is one of them."""
    told = by_name(source.path.name) if source.path else None
    if told in AMBIGUOUS:
        told = AMBIGUOUS[told] if _holds(AMBIGUOUS[told], source) else None
    return told if told in tagged else None


def _holds(format: str, source: CorpusSource) -> bool:
    """Whether a file is a readable library of this format."""
    try:
        return _is_catalogue(source) if format == "marcxml" else _are_items(source)
    except DataError:
        return False


def _is_catalogue(source: CorpusSource) -> bool:
    return root_name(source.content(), source.name) in marc.ROOTS


def _are_items(source: CorpusSource) -> bool:
    first = next((line for _, line in source.lines() if not line.isspace()), b"")
    return is_whole(first) and are_items(JsonFile.of(source.text(), source.name).records)
