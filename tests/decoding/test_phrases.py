import math

import numpy as np
import pytest

from keyseq.config import OrderSettings
from keyseq.data.vocabulary import EOS, SEP, Vocabulary
from keyseq.decoding.evidence import evidence
from keyseq.decoding.hypotheses import Hypothesis
from keyseq.decoding.phrases import RANKINGS, PhraseRanking, ScoredPhrase, candidates, phrases
from keyseq.decoding.trie import AllowList
from keyseq.errors import KeyseqError
from keyseq.text.presence import SourceText

WORDS = Vocabulary.from_words(["neural", "network", "networks", "graph", ".", "(", "learning", "<digit>"])


def said(text, chances, finished=True):
    """A sequence written with | for the separator, and the probability of each word and of the end."""
    tokens = [SEP if word == "|" else WORDS.id(word) for word in text.split()]
    logs = np.log(np.array(chances, dtype=np.float32))
    assert len(logs) == len(tokens) + finished
    return Hypothesis(np.array(tokens, dtype=np.int64), logs, float(logs.sum()), finished)


def found(*hypotheses, text="", **ranking):
    chosen = PhraseRanking(**ranking)
    ranked = candidates(evidence(hypotheses, WORDS.words.__getitem__, chosen.key), text.split(), chosen)
    return [(" ".join(candidate.words), round(candidate.score, 4)) for candidate in ranked]


def test_the_published_order_is_rank_of_the_sequence_then_place_in_it():
    first = said("graph | neural network", [0.2, 1, 0.9, 0.9, 1])
    second = said("learning | graph", [0.8, 1, 0.9, 1])
    assert [text for text, _ in found(first, second)] == ["graph", "neural network", "learning"]


def test_a_phrase_has_the_probability_of_its_words_and_its_end():
    sequence = said("neural network | graph", [0.5, 0.4, 0.9, 0.25, 0.8])
    assert found(sequence, ranking="probability") == [("graph", 0.2), ("neural network", 0.18)]


def test_in_the_published_order_a_score_never_rises_with_the_rank():
    sequence = said("neural network | graph", [0.5, 0.4, 0.9, 0.25, 0.8])
    assert found(sequence) == [("neural network", 0.18), ("graph", 0.18)]


def test_the_most_probable_place_counts_where_several_sequences_say_a_phrase():
    first, second = said("graph", [0.5, 0.5]), said("neural | graph", [0.1, 0.1, 0.9, 0.9])
    assert found(first, second, ranking="probability") == [("graph", 0.81), ("neural", 0.01)]


@pytest.mark.parametrize(
    ("exact", "expected"),
    [
        (False, ["neural network"]),  # the same stems
        (True, ["neural network", "neural networks"]),  # as published
    ],
)
def test_duplicates(exact, expected):
    sequence = said("neural network | neural networks | neural network", [0.5] * 9)
    assert [text for text, _ in found(sequence, exact=exact)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (". | graph", ["graph"]),
        ("( . | ( graph", ["( graph"]),  # it says something
        ("| graph |", ["graph"]),
        ("| |", []),
        ("", []),
        ("<digit>", ["<digit>"]),
    ],
)
def test_empty_phrases_and_punctuation_are_dropped(text, expected):
    assert [phrase for phrase, _ in found(said(text, [0.5] * (len(text.split()) + 1)))] == expected


def test_a_sequence_that_was_cut_off_keeps_what_it_said():
    assert found(said("neural | graph", [0.5, 0.5, 0.25], finished=False), ranking="probability") == [
        ("neural", 0.25),
        ("graph", 0.25),
    ]


TEXT = "Human-robot interaction: Neural Networks, in 2020.\nNeural\nnetworks; graphs learn. Robot interactions"


@pytest.mark.parametrize(
    ("phrase", "text", "spans"),
    [
        ("human robot interaction", "Human-robot interaction", [(0, 23)]),
        ("neural networks", "Neural Networks", [(25, 40), (51, 66)]),
        ("neural network", "Neural Networks", [(25, 40), (51, 66)]),  # by its stems
        ("robot interactions", "Robot interactions", [(6, 23), (82, 100)]),  # the very words, not the first place
        ("interaction neural", "interaction neural", [(12, 31)]),  # present by the published rule, but no phrase
        ("networks graphs", "networks graphs", [(58, 74)]),
        ("<digit>", "2020", [(45, 49)]),
        ("deep learning", "deep learning", []),
    ],
)
def test_present_phrases_appear_as_in_the_text_with_their_places(phrase, text, spans):
    [made] = phrases([ScoredPhrase(tuple(phrase.split()), 0.5)], SourceText(TEXT))
    assert (made.text, made.present, list(made.spans)) == (text, bool(spans), spans)


RANKED = [
    ScoredPhrase(("neural", "networks"), 0.9),
    ScoredPhrase(("deep", "learning"), 0.6),
    ScoredPhrase(("human",), 0.3),
    ScoredPhrase(("vision",), 0.1),
]


def test_a_listed_phrase_appears_as_the_list_writes_it_and_others_not_at_all():
    allow_list = AllowList(["Neural Networks (NN)", "VISION"], WORDS, len(WORDS))
    made = phrases(RANKED, SourceText(TEXT), allow_list)
    assert [(phrase.text, phrase.present) for phrase in made] == [("Neural Networks (NN)", True), ("VISION", False)]


def test_wrong_settings_say_what_is_right():
    with pytest.raises(KeyseqError, match="'score'; choose one of sequence, probability"):
        PhraseRanking(ranking="score")
    with pytest.raises(KeyseqError, match="no learnt ranking; run keyseq calibrate"):
        PhraseRanking(ranking="learnt")


def test_scores_are_probabilities_even_of_a_certain_phrase():
    [(_, score)] = found(said("graph", [1.0, 1.0]))
    assert 0 <= score <= 1
    assert math.isclose(score, 1.0)
    assert EOS not in said("graph", [1.0, 1.0]).tokens


def test_a_share_is_the_part_of_the_found_probability_whose_sequences_say_the_phrase():
    first = said("graph | neural network", [0.5, 1, 0.8, 1, 1])  # 0.4
    second = said("learning | graph | graph", [0.5, 1, 0.2, 1, 1, 1])  # 0.1, and a repeat counts once
    assert found(first, second, ranking="share") == [("graph", 1.0), ("neural network", 0.8), ("learning", 0.2)]


def test_a_share_adds_up_over_the_forms_of_a_phrase():
    first, second, third = said("networks", [0.2, 1]), said("network", [0.1, 1]), said("graph", [0.1, 1])
    assert found(first, second, third, ranking="share") == [("networks", 0.75), ("graph", 0.25)]
    assert found(ranking="share") == []


@pytest.mark.parametrize(
    ("ranking", "order"),
    [
        ("sequence", ["graph", "neural network"]),
        ("probability", ["neural network", "graph"]),
        ("share", ["graph", "neural network"]),
        ("learnt", ["graph", "neural network"]),
    ],
)
def test_phrases_that_few_sequences_say_are_left_out_in_every_order(ranking, order):
    first = said("graph | neural network", [0.5, 1, 0.8, 1, 1])  # 0.4, and 0.8 of all
    second = said("learning | graph", [0.5, 1, 0.2, 1])  # 0.1
    learnt = OrderSettings(share=1)
    assert [text for text, _ in found(first, second, ranking=ranking, order=learnt, min_share=0.79)] == order
    assert len(found(first, second, ranking=ranking, order=learnt, min_share=0.19)) == 3


def test_of_several_forms_in_a_sequence_the_first_is_said_whatever_the_ranking():
    sequence = said("network | networks", [0.5] * 4)
    for ranking in RANKINGS:
        said_first = found(sequence, ranking=ranking, order=OrderSettings(share=1))
        assert [text for text, _ in said_first] == ["network"], ranking


def test_the_learnt_order_is_by_the_probability_that_a_phrase_is_the_documents_own():
    first = said("graph | neural network", [0.5, 1, 0.8, 1, 1])  # 0.4, and 0.8 of all
    second = said("learning | graph", [0.5, 1, 0.2, 1])  # 0.1
    order = OrderSettings(share=1, probability=2, occurrences=3, bias=math.log(0.5))
    # odds: share × probability² × (1 + occurrences)³ / 2
    odds = {"graph": 1 * 0.5**2 * 1 / 2, "neural network": 0.8 * 0.8**2 * 2**3 / 2, "learning": 0.2 * 0.5**2 * 1 / 2}
    expected = sorted(((text, round(one / (1 + one), 4)) for text, one in odds.items()), key=lambda pair: -pair[1])
    assert found(first, second, text="neural networks , deep", ranking="learnt", order=order) == expected
    assert [text for text, _ in expected] == ["neural network", "graph", "learning"]
