import numpy as np
import pytest

from keyseq.config import TargetSettings
from keyseq.data.examples import ABSENT, ORDERS, Dropped, example, sampled_phrases
from keyseq.types import Document

TITLE = "Kernel methods for graphs"
BODY = "Graph kernels compare structured data. We learn from 1998 graphs."
PHRASES = ("structured data", "machine learning", "graph kernel", "automata", "kernel methods (KM)")


def made(phrases=PHRASES, **settings):
    dropped = Dropped()
    document = Document(id="1", title=TITLE, body=BODY, keyphrases=phrases)
    return example(document, TargetSettings(**settings), dropped), dropped


def test_the_source_is_title_and_body_as_published_and_cut_to_its_limit():
    whole, _ = made()
    assert " ".join(whole.source[:6]) == "kernel methods for graphs . graph"
    assert whole.source[-2:] == ["graphs", "."]
    assert "<digit>" in whole.source
    cut, _ = made(source_words=4)
    assert cut.source == ["kernel", "methods", "for", "graphs"]


def test_a_phrase_beyond_the_cut_is_absent_for_the_network_cannot_see_it():
    cut, _ = made(("structured data", "kernel method"), source_words=4)
    assert [(" ".join(target.words), target.position) for target in cut.targets] == [
        ("kernel method", 0),
        ("structured data", ABSENT),
    ]


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        # positions by stems: kernel methods 0, graph kernel 5 ("Graph kernels"), structured data 8
        ("present-absent", ["kernel methods", "graph kernel", "structured data", "machine learning", "automata"]),
        ("absent-present", ["machine learning", "automata", "kernel methods", "graph kernel", "structured data"]),
        ("given", ["structured data", "machine learning", "graph kernel", "automata", "kernel methods"]),
        ("random", ["structured data", "machine learning", "graph kernel", "automata", "kernel methods"]),
        ("alphabetical", ["automata", "graph kernel", "kernel methods", "machine learning", "structured data"]),
        ("length", ["automata", "structured data", "machine learning", "graph kernel", "kernel methods"]),
    ],
)
def test_orders(order, expected):
    ordered, _ = made(order=order)
    assert [" ".join(target.words) for target in ordered.targets] == expected


def test_every_order_that_can_be_set_is_there():
    assert set(ORDERS) == set(TargetSettings.__dataclass_fields__["order"].type.__args__)


@pytest.mark.parametrize(
    ("phrase", "settings", "reason"),
    [
        ("", {}, "no words"),
        ("(only brackets)", {}, "no words"),
        ("a b c d e f g h i", {}, "too long"),
        ("a b c", {"phrase_words": 2}, "too long"),
        ("a, b", {}, "punctuation"),
        ("e = mc2", {}, "punctuation"),
        ("data data data data data set", {}, "repeats its words"),
        ("68T05", {}, "subject code"),
        ("62-07", {}, "subject code"),
        ("automata", {}, "given twice"),
        ("Automata", {}, "given twice"),
    ],
)
def test_the_filter_of_the_released_code_says_why(phrase, settings, reason):
    left, dropped = made(("automata", phrase), **settings)
    assert [target.words for target in left.targets] == [("automata",)]
    assert dropped.phrases == {reason: 1}


@pytest.mark.parametrize(
    ("phrase", "settings"),
    [
        ("e = mc2", {"filter": False}),
        ("68T05", {"filter": False}),
        ("a b c d e f g h i", {"phrase_words": 0}),
        ("kernel methods (a, b)", {}),  # the brackets go, and their comma with them
        ("<digit> dimensions", {}),  # a corpus with numbers replaced already
        ("don't care", {}),
    ],
)
def test_what_the_filter_keeps(phrase, settings):
    left, dropped = made((phrase,), **settings)
    assert len(left.targets) == 1
    assert not dropped.phrases


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        (Document(id="1", title=TITLE), "no keyphrases"),
        (Document(id="1", title=TITLE, keyphrases=()), "no keyphrases"),
        (Document(id="1", title=TITLE, keyphrases=("=",)), "no keyphrase passed the filter"),
        (Document(id="1", title="—", keyphrases=("a",)), "no words"),
    ],
)
def test_documents_that_teach_nothing_are_dropped_and_counted(document, reason):
    dropped = Dropped()
    assert example(document, TargetSettings(), dropped) is None
    assert dropped.documents == {reason: 1}


POSITIONS = np.array([0, 5, 8, ABSENT, ABSENT, ABSENT, ABSENT], dtype=np.int32)


def test_absent_phrases_change_places_by_epoch_and_present_ones_never():
    settings = TargetSettings()
    epochs = {tuple(sampled_phrases(POSITIONS, settings, (1, epoch, 7)).tolist()) for epoch in range(50)}
    assert {said[:3] for said in epochs} == {(0, 1, 2)}
    assert {frozenset(said[3:]) for said in epochs} == {frozenset({3, 4, 5, 6})}
    assert len(epochs) > 12  # of 24 permutations
    assert sampled_phrases(POSITIONS, TargetSettings(shuffle_absent=False), (1, 2, 3)).tolist() == list(range(7))


def test_the_shuffle_is_a_function_of_seed_epoch_and_document():
    settings = TargetSettings(order="random", phrases=0)
    positions = np.zeros(30, dtype=np.int32)
    said = sampled_phrases(positions, settings, (1, 2, 3)).tolist()
    assert sampled_phrases(positions, settings, (1, 2, 3)).tolist() == said
    for other in ((0, 2, 3), (1, 0, 3), (1, 2, 0)):
        assert sampled_phrases(positions, settings, other).tolist() != said


def test_of_too_many_phrases_each_epoch_says_another_sample_without_repeats():
    settings = TargetSettings(order="given", phrases=3)
    samples = [sampled_phrases(POSITIONS, settings, (1, epoch, 0)).tolist() for epoch in range(40)]
    assert all(sample == sorted(set(sample)) and len(sample) == 3 for sample in samples)
    assert set().union(*samples) == set(range(7))
