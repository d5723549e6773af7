"""Which concepts of a vocabulary a document may be about: by its text, by profiles, by a network."""

import pytest
from tests.ranking.handmade import LABELS, pool

from keyseq.ranking.concept_candidates import ConceptFinder, candidates_at
from keyseq.text.analyzer import ENGLISH
from keyseq.vocabularies.building import build_vocabulary
from keyseq.vocabularies.concept import ALTERNATIVE, Concept, ConceptLabel

ENERGY, PANELS, CELLS, MODULES, HEAT = range(5)


def concept(name, *others):
    return Concept(f"u:{name}", (ConceptLabel(name), *(ConceptLabel(other, ALTERNATIVE) for other in others)))


@pytest.fixture
def finder():
    concepts = [
        concept("renewables", "solar energy"),
        concept("solar panels", "PV"),
        concept("photovoltaic cell"),
        concept("modules", "solar panels"),
        concept("heaters", "heating"),
        concept("wind"),
    ]
    return ConceptFinder(build_vocabulary(concepts, "terms"), LABELS, ENGLISH)


def test_concepts_come_from_the_text_the_profiles_and_the_network(finder):
    found = {one.concept: one for one in finder.find(pool())}
    assert set(found) == {ENERGY, PANELS, CELLS, MODULES, HEAT}
    assert [len(found[number].matches) for number in (ENERGY, PANELS, CELLS, HEAT)] == [0, 3, 0, 1]
    labels = {number: finder.vocabulary.labels[one.label] for number, one in found.items()}
    assert labels == {
        ENERGY: "solar energy",
        PANELS: "solar panels",
        CELLS: "photovoltaic cell",
        MODULES: "solar panels",
        HEAT: "heating",
    }


def test_a_candidate_of_the_pool_stands_for_each(finder):
    one = pool()
    for found in finder.find(one):
        for number in found.candidates:
            assert (one.run[number] >= 0) == bool(found.matches)


def test_concepts_at_the_same_places_share_their_label_and_one_of_them_borrows_it(finder):
    found = {one.concept: one for one in finder.find(pool())}
    assert (found[PANELS].sharing, found[PANELS].borrowed) == ((MODULES,), False)
    assert (found[MODULES].sharing, found[MODULES].borrowed) == ((PANELS,), True)
    assert (found[HEAT].sharing, found[HEAT].borrowed) == ((), False)


def test_a_concept_that_is_found_elsewhere_too_shares_its_label_no_longer(finder):
    found = {one.concept: one for one in finder.find(pool("Solar panels. These modules", ""))}
    assert found[MODULES].sharing == ()
    assert found[PANELS].sharing == (MODULES,)


def test_a_label_that_is_longer_than_candidates_is_judged_by_the_longest_within_it():
    text = "The convention on the rights of the child of 1989"
    whole = pool(text, "", generated=())
    [found] = ConceptFinder(
        build_vocabulary([concept("Convention on the Rights of the Child")], "terms"), LABELS, ENGLISH
    ).find(whole)
    assert [text[whole.reading.source.tokens[one.first].start :][:10] for one in found.matches] == ["convention"]
    lengths = {int(whole.runs.lengths[whole.run[number]]) for number in found.candidates}
    assert lengths == {4}  # "rights of the child", "convention on the rights"; no run of five has nouns at both ends


def test_what_has_no_candidate_at_all_is_no_concept():
    assert candidates_at(pool("of the and", "", generated=()), 0, 2) == []


def test_labels_of_a_phrase_are_found_in_any_form(finder):
    def names(phrase):
        return [finder.vocabulary.labels[label] for label in finder.labels_of(phrase)]

    assert names("Photovoltaic Cells") == ["photovoltaic cell"]
    assert names("solar panel") == ["solar panels", "solar panels"]
    assert names("panels") == []
