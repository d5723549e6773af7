"""Documents kept in a file until it is known which of them stay."""

from tempfile import TemporaryFile

from keyseq.data.spool import DocumentSpool
from keyseq.types import Document

DOCUMENTS = [
    Document(id="a", title="Über Bäume", body="trees\nand \ud800 halves", keyphrases=("tree", "Wald")),
    Document(id="b", body="", keyphrases=()),
    Document(id="c", title="t", body="x" * 20_000, keyphrases=("y",)),
]


def test_documents_come_back_as_they_were_in_any_order():
    with TemporaryFile("w+b") as file:
        spool = DocumentSpool(file)
        for document in DOCUMENTS:
            spool.append(document)
        assert len(spool) == 3
        assert [spool[number] for number in (2, 0, 1, 0)] == [DOCUMENTS[number] for number in (2, 0, 1, 0)]
        assert list(spool) == DOCUMENTS
