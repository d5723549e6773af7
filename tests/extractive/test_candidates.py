"""Candidates: which phrases are ranked, where they are, and how often the text speaks of them."""

import pytest

from keyseq.extractive.candidates import FEWEST, find_candidates, find_positions
from keyseq.extractive.reading import Reading
from keyseq.extractive.textrank import TextRankSettings as Settings
from keyseq.text.analyzer import Analyzer

FILLER = "We see cats, dogs, birds, horses and goats. "  # candidates enough that long phrases are dropped


def found(text, **settings):
    reading = Reading(text)
    return {
        reading.surface(*candidate.places[0]): candidate for candidate in find_candidates(reading, Settings(**settings))
    }


@pytest.mark.parametrize(
    ("text", "expected", "reason"),
    [
        ("The deep neural network is here", ["deep neural network"], "the longest run, not its parts"),
        ("It is a distributed system for image matching", ["distributed system", "image matching"], "verbs' forms"),
        ("A graph matching network", ["graph matching network"], "within a phrase too"),
        ("We use a new algorithm", ["algorithm"], "a vague modifier says nothing"),
        ("The results of this paper are on graphs", ["graphs"], "nouns of no content are none by themselves"),
        ("The graph, the tree (the forest): trees", ["graph", "tree", "forest"], "once for each stem"),
        ("An x and a 7 of 2020", [], "letters and numbers are no phrases"),
        ("The UK is here", ["UK"], "two letters can be"),
    ],
)
def test_noun_phrases(text, expected, reason):
    assert list(found(text)) == expected, reason


def test_runs_are_nouns_and_adjectives_and_no_more():
    assert list(found("A distributed deep network for parallel data mining", candidates="runs")) == [
        "deep network",
        "parallel data mining",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("search of graphs", ["search", "search of graphs", "graphs"]),  # inside, a function word may stand
        ("deep, nets", ["deep", "nets"]),  # none goes across a mark
        ("a real-time net", ["real-time", "real-time net", "net"]),  # a compound is not cut
    ],
)
def test_ngrams_neither_begin_nor_end_with_a_function_word(text, expected):
    assert list(found(text, candidates="ngrams")) == expected


def test_ngrams_are_no_longer_than_wanted():
    assert max(len(text.split()) for text in found("deep fast graph search", candidates="ngrams", max_words=2)) == 2


def test_a_compound_is_one_word_of_the_longest_phrase():
    assert "real-time face recognition" in found(FILLER + "It is a real-time face recognition.")


def test_phrases_longer_than_wanted_are_dropped():
    assert len(found(FILLER)) == FEWEST
    assert list(found(FILLER + "It is a deep graph matching network.")) == list(found(FILLER))


def test_a_text_with_little_else_gives_the_ends_of_long_phrases():
    assert list(found("Deep neural network architecture search")) == ["network architecture search"]


def test_a_word_inside_a_phrase_is_no_occurrence_of_the_word():
    text = "The network is a neural network. The deep neural network is a network."
    assert found(text)["network"].occurrences == 2  # at the beginning and at the end
    assert found(text)["neural network"].occurrences == 2  # a longer one occurs wherever its stems do


def test_forms_of_one_stem_are_one_candidate():
    [candidate] = found("A network, networks").values()
    assert candidate.positions == [1, 3]


def test_positions_of_many_phrases_are_found_at_once():
    stems = ["a", "b", "a", "b", "a"]
    assert find_positions(stems, [("a",), ("a", "b"), ("a", "b", "a"), ("b", "b"), ("a",) * 9]) == {
        ("a",): [0, 2, 4],
        ("a", "b"): [0, 2],
        ("a", "b", "a"): [0, 2],  # overlapping ones too
        ("b", "b"): [],
        ("a",) * 9: [],
    }


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        (
            "de",
            "Neuronale Netze für die Landwirtschaft, weil der Anbau von Weizen mehr als 1990 kostet.",
            ["Neuronale Netze", "Landwirtschaft", "Anbau", "Weizen"],
        ),
        (
            "fr",
            "L’analyse des maladies, parce que nous avons d'abord des réseaux neuronaux aujourd’hui.",
            ["analyse", "maladies", "réseaux neuronaux"],
        ),
        (
            "es",
            "Las redes neuronales y las enfermedades de las plantas.",
            ["redes neuronales", "enfermedades", "plantas"],
        ),
        ("ru", "Мы обучили нейронные сети для сельского хозяйства.", ["обучили нейронные сети", "сельского хозяйства"]),
        ("fi", "Neuroverkot ovat tärkeitä, koska kasvitautien tunnistaminen on hidasta.", None),
        ("zh", "我们使用神经网络。因为我们训练神经网络。", ["神经网络", "训练神经网络"]),
    ],
)
def test_without_a_tagger_candidates_are_runs_between_stop_words(language, text, expected):
    reading = Reading(text, Analyzer.for_language(language))
    found = [reading.surface(*one.places[0]) for one in find_candidates(reading, Settings())]
    assert found == (expected or ["Neuroverkot", "tärkeitä", "kasvitautien tunnistaminen", "hidasta"])


@pytest.mark.parametrize("candidates", ["noun-phrases", "runs", "ngrams"])
@pytest.mark.parametrize("language", ["de", "fr", "es", "ru", "fi", "zh"])
def test_no_stop_word_is_a_candidate(language, candidates):
    analyzer = Analyzer.for_language(language)
    words = sorted(word for word in analyzer.stop_words if " " not in word)
    text = f"{'. '.join(words)}. {' '.join(words)}"
    settings = Settings(candidates=candidates, language=language)
    reading = Reading(text, analyzer)
    found = [reading.surface(*one.places[0]).lower() for one in find_candidates(reading, settings)]
    assert not analyzer.stop_words.intersection(found)
    assert language == "zh" or not found  # of characters without spaces, parts of two words may make a third
