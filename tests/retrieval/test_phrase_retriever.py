"""An index of neighbours in a file, and what is retrieved by it."""

import pytest

from keyseq.config import TargetSettings
from keyseq.data.network_inputs import INPUTS, RETRIEVED_WORDS, SourceWindow
from keyseq.data.vocabulary import EOS, UNK, Vocabulary
from keyseq.errors import KeyseqError
from keyseq.retrieval.phrase_retriever import open_retriever, write_index
from keyseq.text.analyzer import ENGLISH
from keyseq.types import Document

PARKS = Document(id="1", body="green parks of a large city", keyphrases=("urban ecology", "parks"))
BIRDS = Document(id="2", body="birds nest in parks", keyphrases=("ornithology", "parks"))
UNKNOWN = Document(id="3", body="green parks of a large town")  # nobody gave it keyphrases


@pytest.fixture
def index(tmp_path):
    path = tmp_path / "neighbours.safetensors"
    write_index([PARKS, BIRDS, UNKNOWN], ENGLISH, path)
    assert list(tmp_path.iterdir()) == [path]
    return path


def test_keyphrases_of_similar_documents_come_in_the_order_of_similarity(index):
    retriever = open_retriever(index, ENGLISH)
    assert retriever.texts(Document(id="q", body="parks of the city")) == ("urban ecology", "parks", "ornithology")
    assert retriever.texts(Document(id="q", body="something else")) == ()


def test_a_training_document_does_not_retrieve_its_own(index):
    retriever = open_retriever(index, ENGLISH)
    assert "urban ecology" in retriever.texts(PARKS)
    assert retriever.texts(PARKS, copies=False) == ("ornithology", "parks")


def test_a_network_reads_the_words_of_phrases_each_with_its_end():
    vocabulary = Vocabulary.from_words(["urban", "ecology"])
    window = SourceWindow(PARKS, [], vocabulary, TargetSettings(), ("urban ecology", "Parks"))
    assert INPUTS["retrieved"].read(window) == [*vocabulary.ids(["urban", "ecology"]), EOS, UNK, EOS]
    many = SourceWindow(PARKS, [], vocabulary, TargetSettings(), ("urban ecology",) * 50)
    assert len(INPUTS["retrieved"].read(many)) == RETRIEVED_WORDS


@pytest.mark.parametrize("content", [b"", b"\x08\0\0\0\0\0\0\0{}      ", b"no index"])
def test_a_damaged_index_is_refused(index, content):
    index.write_bytes(content)
    with pytest.raises(KeyseqError, match=r"neighbours\.safetensors: "):
        open_retriever(index, ENGLISH)
