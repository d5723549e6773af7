"""Whether a report shows the documents that it says it shows."""

import numpy as np

from keyseq.evaluation import protocols
from keyseq.evaluation.html.excerpt import SampledDocument, choose, gather
from keyseq.evaluation.scoring import Scores
from keyseq.types import Document

F1 = "present.f1@5"


def scored(values):
    ids = tuple(map(str, range(len(values))))
    return Scores(
        ids=ids, values={F1: np.array(values)}, metrics=(F1,), protocol=protocols.find("yuan2020"), data="toy:0"
    )


def test_few_documents_are_all_shown():
    choice = choose({"a": scored([0.1, np.nan, 0.3])}, F1, 3)
    assert choice.places == (0, 1, 2)
    assert choice.words == "All 3 documents."


def test_of_one_system_the_worst_the_best_and_others_at_random():
    values = np.linspace(0, 1, 100)
    choice = choose({"a": scored(values)}, F1, 10)
    assert len(choice.places) == len(set(choice.places)) == 10
    assert {0, 1, 2, 97, 98, 99} < set(choice.places)
    assert choice.words == (f"10 of 100 documents: 3 with the lowest {F1}, 3 with the highest {F1}, 4 at random.")
    assert choice == choose({"a": scored(values)}, F1, 10)


def test_of_several_systems_those_in_which_they_differ_most():
    one, other = np.full(50, 0.5), np.full(50, 0.5)
    other[[7, 30]] = [0.0, 1.0]
    choice = choose({"a": scored(one), "b": scored(other)}, F1, 4)
    assert {7, 30} < set(choice.places)
    assert choice.words == f"4 of 50 documents: 2 in which the systems differ most in {F1}, 2 at random."


def test_documents_outside_the_average_are_neither_worst_nor_best_but_may_be_drawn():
    values = [np.nan] * 50 + [0.5] * 50
    places = np.array(choose({"a": scored(values)}, F1, 60).places)
    assert np.count_nonzero(places >= 50) >= 40
    assert np.count_nonzero(places < 50) > 0


def test_the_number_that_was_asked_for_is_shown_even_if_few_documents_have_a_value():
    choice = choose({"a": scored([np.nan] * 50 + [0.5])}, F1, 9)
    assert len(choice.places) == 9
    assert choice.words == f"9 of 51 documents: 1 with the lowest {F1}, 0 with the highest {F1}, 8 at random."


def test_chosen_documents_are_gathered_with_what_each_system_said():
    documents = [Document(id=str(number), body=f"text {number}") for number in range(4)]
    pairs = {name: [(document, [f"{name} {document.id}"]) for document in documents] for name in ("a", "b")}
    assert gather(pairs, [3, 1]) == [
        SampledDocument(1, documents[1], {"a": ["a 1"], "b": ["b 1"]}),
        SampledDocument(3, documents[3], {"a": ["a 3"], "b": ["b 3"]}),
    ]
