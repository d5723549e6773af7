"""XML files whose name does not show their format: read by the format that their outermost element shows."""

from collections.abc import Iterator

from keyseq.data.formats import jats, marc, pubmed_xml, tei
from keyseq.data.formats.source import CorpusSource
from keyseq.data.formats.xml_trees import root_name
from keyseq.errors import DataError
from keyseq.types import Document

READERS = {
    **dict.fromkeys(jats.ROOTS, jats.read),
    **dict.fromkeys(tei.ROOTS, tei.read),
    **dict.fromkeys(marc.ROOTS, marc.read_xml),
    **dict.fromkeys(pubmed_xml.ROOTS, pubmed_xml.read),
}


def read(source: CorpusSource) -> Iterator[Document]:
    """Read a file in any XML format that keyseq knows."""
    found = root_name(source.content(), source.name)
    if found not in READERS:
        known = ", ".join(READERS)
        raise DataError(f"{source.name}: XML of no known format: it begins with '{found}', not with {known}")
    return READERS[found](source)
