"""Labels in texts: whole, inflected, the longest; and none that only look alike."""

import pytest

from keyseq.errors import KeyseqError
from keyseq.text.analyzer import ENGLISH, Analyzer
from keyseq.text.presence import SourceText
from keyseq.vocabularies.building import build_vocabulary, vocabulary_of_labels
from keyseq.vocabularies.concept import ALTERNATIVE, Concept, ConceptLabel
from keyseq.vocabularies.label_matching import by_concept, find_labels


def found(labels, text, analyzer=ENGLISH):
    """Pairs of a label and what the text has for it."""
    vocabulary = labels if not isinstance(labels, list) else vocabulary_of_labels(labels, "list")
    source = SourceText(text, analyzer.for_text(text))
    return [
        (vocabulary.labels[match.label], text[source.tokens[match.first].start : source.tokens[match.last - 1].end])
        for match in find_labels(vocabulary, source)
    ]


@pytest.mark.parametrize(
    ("label", "text"),
    [
        ("community", "Several communities met."),
        ("neural networks", "A Neural Network learns."),
        ("Networks, neural", "A neural network learns."),
        ("networks, neural", "Networks neural"),
        ("Mercury (planet)", "The orbit of Mercury"),
        ("human-robot interaction", "human robot interactions"),
        ("decision making", "Decision-\nmaking is hard"),
        ("Alzheimer's disease", "Alzheimer’s disease and age"),
        ("Alzheimer disease", "Alzheimer's disease"),
        ("node.js", "a Node.js server"),
        ("U.S. history", "a U.S. history"),
        ("C++", "in C++."),
        ("TCP/IP", "over TCP/IP"),
        ("theory of relativity", "the theory of relativity"),
        ("behaviour", "the behavior of bees"),
        ("IT", "The IT department"),
        ("GPU", "many GPUs"),
        ("gpus", "a GPU"),
        ("AIDS", "AIDS is a disease"),
        ("Windows 95", "with Windows 95"),
        ("Straße", "die Straße"),
        ("3D printing", "3d printing"),
        ("Convention on the Rights of the Child", "The Convention on the Rights of the Child says"),
    ],
)
def test_a_label_is_found_in_any_inflected_form(label, text):
    assert [name for name, _ in found([label], text)] == [label]


@pytest.mark.parametrize(
    ("label", "text"),
    [
        ("community", "Communication is communal."),
        ("transformers", "The signal is transformed."),
        ("surface roughness", "Quantum surface codes correct errors on a rough surface."),
        ("household archaeology", "Monetary policy of a household."),
        ("university", "the universe"),
        ("policy", "the police"),
        ("IT", "Put it there. It is."),
        ("WHO", "Those who know"),
        ("us", "They saw us"),
        ("US", "They saw us"),
        ("AIDS", "hearing aids"),
        ("aid", "AIDS is a disease"),
        ("C", "vitamins b and c"),
        ("economics", "an economic crisis"),
        ("bank robbery", "the bank; robbery is rare"),
        ("bank robbery", "the bank.\n\nRobbery is rare"),
        ("bank robbery", "the bank (robbery is rare)"),
        ("Windows 95", "with Windows 10"),
        ("art", "artful artists start"),
        ("May", "It may rain"),
    ],
)
def test_what_only_looks_like_a_label_is_none(label, text):
    assert found([label], text) == []


def test_a_label_inside_of_a_longer_one_is_not_found_there():
    labels = ["machine learning", "learning", "machine", "learning machines"]
    assert found(labels, "Machine learning is learning.") == [
        ("machine learning", "Machine learning"),
        ("learning", "learning"),
    ]
    assert [name for name, _ in found(labels, "A machine learning machines")] == [
        "machine learning",
        "learning machines",
    ]


def test_all_places_of_a_concept_are_found_under_any_of_its_labels_once_each():
    cars = Concept(
        "u:1", (ConceptLabel("automobiles"), ConceptLabel("cars", ALTERNATIVE), ConceptLabel("car", ALTERNATIVE))
    )
    vocabulary = build_vocabulary([cars, Concept("u:2", (ConceptLabel("cars"),))], "v")
    source = SourceText("A car, an automobile", ENGLISH)
    places = by_concept(vocabulary, find_labels(vocabulary, source))
    assert {concept: [(vocabulary.labels[one.label], one.first) for one in own] for concept, own in places.items()} == {
        0: [("cars", 1), ("automobiles", 4)],
        1: [("cars", 1)],
    }


def test_labels_are_found_in_the_language_of_the_text_alone():
    labels = (
        ConceptLabel("gift", language="en"),
        ConceptLabel("Gift", language="de"),
        ConceptLabel("Häuser", language="de"),
    )
    vocabulary = build_vocabulary([Concept(f"u:{label.language}{label.text}", (label,)) for label in labels], "v.ttl")
    german = Analyzer.for_language("de")
    assert found(vocabulary, "Das Gift im Haus", german) == [("Gift", "Gift"), ("Häuser", "Haus")]
    assert found(vocabulary, "a gift") == [("gift", "gift")]
    with pytest.raises(KeyseqError) as error:
        found(vocabulary, "un cadeau", Analyzer.for_language("fr"))
    assert str(error.value) == (
        "v.ttl: none of its labels is in French (fr), the language of the texts; they are in de (2), en (1)"
    )


def test_equal_hashes_of_other_words_are_no_match(monkeypatch):
    monkeypatch.setattr("keyseq.vocabularies.label_index.phrase_hash", lambda _: 7)
    monkeypatch.setattr("keyseq.vocabularies.label_matching.stem_hashes", lambda stems: _sevens(len(list(stems))))
    assert found(["cats", "dogs"], "birds and dogs") == [("dogs", "dogs")]


def _sevens(count):
    import numpy as np

    return np.full(count, 7, dtype=np.uint32)
