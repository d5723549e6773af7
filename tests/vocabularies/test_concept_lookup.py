"""Concepts by the names that corpora have for them."""

import pytest

from keyseq.text.analyzer import ENGLISH
from keyseq.types import Document
from keyseq.vocabularies.building import build_vocabulary
from keyseq.vocabularies.concept import ALTERNATIVE, Concept, ConceptLabel
from keyseq.vocabularies.concept_lookup import ConceptLookup

EX = "http://example.org/"


@pytest.fixture
def lookup():
    concepts = [
        Concept(f"{EX}cars", (ConceptLabel("automobiles"), ConceptLabel("cars", ALTERNATIVE))),
        Concept(f"{EX}waggons", (ConceptLabel("cars"),)),
        Concept("", (ConceptLabel("roads"),)),
    ]
    return ConceptLookup(build_vocabulary(concepts, "terms"), ENGLISH)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (f"{EX}cars", 0),
        ("Automobiles", 0),
        ("automobile", 0),
        ("cars", 1),  # the preferred label of one goes before the alternative one of another
        ("roads", 2),
        ("http://example.org/other", None),
        ("", None),
        ("trains", None),
    ],
)
def test_a_uri_or_any_label_leads_to_its_concept(lookup, name, expected):
    assert lookup.find(name) == expected
    assert lookup.find(name) == expected  # as it was remembered


def test_labels_are_added_to_uris_and_uris_to_labels(lookup):
    by_uri = Document(id="1", body="b", subjects=(f"{EX}cars", f"{EX}other"))
    assert lookup.described(by_uri) == Document(id="1", body="b", keyphrases=("automobiles",), subjects=(f"{EX}cars",))
    by_label = Document(id="1", body="b", keyphrases=("car", "roads", "trains"))
    described = lookup.described(by_label)
    assert (described.keyphrases, described.subjects) == (by_label.keyphrases, (f"{EX}waggons",))
    unknown = Document(id="1", body="b")
    assert lookup.described(unknown) == unknown


def test_a_concept_without_a_uri_is_told_by_its_label(lookup):
    assert [lookup.name(number) for number in range(3)] == [f"{EX}cars", f"{EX}waggons", "roads"]
