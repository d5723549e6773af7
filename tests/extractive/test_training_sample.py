"""The training sample of rankers: all documents are counted, some are kept."""

import pytest
from tests.extractive.invented import documents

from keyseq.errors import DataError
from keyseq.extractive.frequencies import DocumentFrequencies
from keyseq.extractive.kea import KeaSettings
from keyseq.extractive.training_sample import collect, gold_stems, rarity
from keyseq.text.analyzer import ENGLISH
from keyseq.types import Document


def test_all_are_counted_and_a_sample_is_kept():
    sample = collect(documents(), KeaSettings(sample=5, seed=1))
    assert (sample.frequencies.documents, len(sample.documents)) == (42, 5)
    assert sample.frequencies.df(("even",)) == 42  # evening
    assert sample.frequencies.df(("solar",)) == 7
    assert sample.keyphrases.df(("craft",)) == 42
    assert sample.keyphrases.df(("solar", "lamp")) == 1


def test_the_sample_is_drawn_from_all_and_again_the_same():
    first, again, other = (
        {document.id for document in collect(documents(), KeaSettings(sample=10, seed=seed)).documents}
        for seed in (1, 1, 2)
    )
    assert first == again != other
    assert max(map(int, first)) > 20


def test_phrases_are_counted_if_their_rarity_is_wanted():
    counted = collect(documents(), KeaSettings(rarity="phrase")).frequencies
    assert counted.df(("even", "light")) == 42
    assert collect(documents(), KeaSettings(rarity="words")).frequencies.df(("even", "light")) == 0


def test_gold_phrases_are_stemmed_without_brackets_and_empty_ones():
    document = Document(id="1", body="x", keyphrases=("Solar Lamps (new)", "()", "lamps"))
    assert gold_stems(document, ENGLISH) == {("solar", "lamp"), ("lamp",)}


def test_a_document_that_nobody_gave_keyphrases_is_told():
    with pytest.raises(DataError, match="document 'a7' has no keyphrases to learn from"):
        collect([Document(id="a7", body="x")], KeaSettings())


def test_a_phrase_longer_than_those_counted_is_as_rare_as_its_first_words():
    table = DocumentFrequencies(documents=15, counts={"a b": 7, "c": 15}, longest=2)
    assert rarity(("a", "b", "c"), table) == rarity(("a", "b"), table) == 1.0


def test_a_documents_own_phrases_do_not_count_for_it():
    """7 of 15 have it, and 6 of the 14 others: log2(15/7)."""
    table = DocumentFrequencies(documents=15, counts={"a": 7})
    assert 2 ** table.idf(("a",), without=1) == pytest.approx(15 / 7)
    assert 2 ** table.idf(("b",), without=1) == pytest.approx(15)
