"""From concepts to a vocabulary: labels once, relations both ways, cycles broken."""

import pytest

from keyseq.errors import DataError
from keyseq.vocabularies.building import build_vocabulary, closing_edges, vocabulary_of_labels
from keyseq.vocabularies.concept import ALTERNATIVE, BROADER, NARROWER, RELATED, Concept, ConceptLabel


def concept(name, *relations, labels=()):
    return Concept(f"u:{name}", (ConceptLabel(name), *labels), tuple((kind, f"u:{other}") for kind, other in relations))


def relations(vocabulary):
    return {
        (vocabulary.preferred(number, "en"), int(kind), vocabulary.preferred(int(other), "en"))
        for number in range(len(vocabulary))
        for kind, other in zip(*vocabulary.related(number), strict=True)
    }


def test_relations_stand_in_both_directions_whoever_states_them():
    vocabulary = build_vocabulary([concept("a", (BROADER, "b")), concept("b", (RELATED, "c")), concept("c")], "v")
    assert relations(vocabulary) == {
        ("a", BROADER, "b"),
        ("b", NARROWER, "a"),
        ("b", RELATED, "c"),
        ("c", RELATED, "b"),
    }


def test_a_label_is_kept_once_as_the_best_of_its_kinds():
    more = (
        ConceptLabel("  a ", ALTERNATIVE),
        ConceptLabel("x", ALTERNATIVE, "EN-us"),
        ConceptLabel("x", ALTERNATIVE, "en"),
    )
    vocabulary = build_vocabulary([concept("a", labels=more)], "v")
    assert [vocabulary.label(number) for number in range(2)] == [("a", 0, ""), ("x", 1, "en")]
    assert len(vocabulary.labels) == 2


def test_relations_that_lead_nowhere_are_told_and_ignored():
    vocabulary = build_vocabulary([concept("a", (RELATED, "b"), (BROADER, "c"))], "v.ttl")
    assert relations(vocabulary) == set()
    assert vocabulary.remarks == (
        "v.ttl: ignored: relations to concepts that it does not have (2, the first to 'u:b')",
    )


def test_cyclic_broader_relations_are_broken_and_told():
    cycle = [concept("a", (BROADER, "b")), concept("b", (BROADER, "c")), concept("c", (BROADER, "a"), (BROADER, "d"))]
    vocabulary = build_vocabulary([*cycle, concept("d"), concept("e", (BROADER, "e"))], "v.ttl")
    assert {edge for edge in relations(vocabulary) if edge[1] == BROADER} == {
        ("a", BROADER, "b"),
        ("b", BROADER, "c"),
        ("c", BROADER, "d"),
    }
    [told] = vocabulary.remarks
    assert told == (
        "v.ttl: its broader relations are cyclic: 'c' is broader than itself; ignored: those that close a cycle (2, the"
        " first to 'a')"
    )


@pytest.mark.parametrize(
    ("graph", "closing"),
    [
        ({1: [2], 2: [3]}, []),
        ({1: [2], 2: [1]}, [(2, 1)]),
        ({1: [2, 3], 2: [4], 3: [4]}, []),  # a diamond is no cycle
        ({1: [1]}, [(1, 1)]),
        ({number: [number + 1] for number in range(5000)}, []),  # deeper than Python's stack
    ],
)
def test_edges_that_close_a_cycle(graph, closing):
    assert closing_edges(graph) == closing


def test_concepts_without_a_label_are_left_out_and_a_second_of_one_uri_too():
    vocabulary = build_vocabulary([Concept("u:x", ()), concept("a"), Concept("u:a", (ConceptLabel("b"),))], "v")
    assert [vocabulary.uris[number] for number in range(len(vocabulary))] == ["u:a"]
    with pytest.raises(DataError, match="v: holds no concept with a label"):
        build_vocabulary([Concept("u:x", (ConceptLabel(" "),))], "v")


def test_a_list_may_have_a_term_twice():
    assert len(vocabulary_of_labels(["cats", "dogs", "cats"], "v")) == 2
