"""keyseq as a component of spaCy, in a blank pipeline, which needs no model."""

import tomllib
from pathlib import Path

import pytest
import spacy
from spacy.tokens import DocBin

import keyseq
from keyseq.imports import referred
from keyseq.integrations import spacy_component

TEXT = "Voice recognition for social robots. A social robot follows the spoken commands of older people."


@pytest.fixture
def nlp():
    nlp = spacy.blank("en")
    nlp.add_pipe("keyseq", config={"system": "textrank", "settings": {"top": 2}})
    return nlp


def test_a_document_gets_phrases_and_spans(nlp):
    doc = nlp(TEXT)
    assert doc._.keyphrases == list(keyseq.generate(TEXT, "textrank", top=2))
    assert {span.text.lower() for span in doc.spans["keyseq"]} >= {doc._.keyphrases[0].text.lower()}
    assert nlp("")._.keyphrases == []


def test_the_default_system_needs_no_configuration():
    nlp = spacy.blank("en")
    nlp.add_pipe("keyseq")
    phrases = nlp(TEXT)._.keyphrases
    assert phrases == list(keyseq.generate(TEXT))
    assert phrases[0].evidence.sources, "evidence survives"


def test_streams_keep_their_order_also_over_processes(nlp):
    texts = [f"{TEXT} The number is {number}." for number in range(5)]
    expected = [nlp(text)._.keyphrases for text in texts]
    assert [doc._.keyphrases for doc in nlp.pipe(texts, batch_size=2)] == expected
    assert [doc._.keyphrases for doc in nlp.pipe(texts, n_process=2, batch_size=2)] == expected


def test_pipelines_and_documents_are_stored(nlp, tmp_path):
    nlp.to_disk(tmp_path / "pipeline")
    again = spacy.load(tmp_path / "pipeline")
    stored = DocBin(store_user_data=True, docs=[nlp(TEXT)]).to_bytes()
    [doc] = DocBin().from_bytes(stored).get_docs(again.vocab)
    assert doc._.keyphrases == again(TEXT)._.keyphrases


def test_mistakes_are_told_when_the_component_is_added():
    with pytest.raises(keyseq.KeyseqError, match="unknown system 'textrink'"):
        spacy.blank("en").add_pipe("keyseq", config={"system": "textrink"})


def test_the_entry_point_by_which_spacy_finds_it_is_declared():
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    [reference] = project["entry-points"]["spacy_factories"].values()
    assert referred(reference) is spacy_component.make_component
