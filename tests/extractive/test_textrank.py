"""TextRank: the walk by hand, the phrases of the text, any input."""

import math

import pytest

import keyseq
from keyseq.errors import KeyseqError
from keyseq.extractive.graph import word_scores
from keyseq.extractive.reading import Reading
from keyseq.extractive.textrank import ORIGINAL, TextRank, TextRankSettings
from keyseq.types import Document

TEXT = """Graph Matching Networks . We learn to match graphs. A graph matching network compares two graphs by
cross-graph attention. In experiments on molecules and on programs, graph matching networks find similar graphs faster
than hand-made kernels. Cross-graph attention is what the networks gain by."""

RUNS = {"cross-graph attention": ["cross", "graph", "attent"], "hand-made kernels": ["hand", "made", "kernel"]}


def test_the_original_definition_sums_the_scores_of_the_longest_runs():
    reading = Reading(TEXT)
    scores = word_scores(reading, ORIGINAL, "uniform")
    [phrases] = TextRank(ORIGINAL).predict([TEXT])
    totals = {text: sum(scores[stem] for stem in stems) for text, stems in RUNS.items()}
    best = max(totals.values())
    assert {phrase.text: phrase.score for phrase in phrases if phrase.text in RUNS} == pytest.approx(
        {text: total / best for text, total in totals.items()}
    )


def test_occurrences_count_by_their_logarithm():
    text = "cats see dogs. dogs"
    scores = word_scores(Reading(text), TextRankSettings(), "position")
    [phrases] = TextRank().predict([text])
    by_text = {phrase.text: phrase.score for phrase in phrases}
    cats, dogs = scores["cat"] * math.log2(2), scores["dog"] * math.log2(3)
    assert by_text["cats"] / by_text["dogs"] == pytest.approx(cats / dogs)


def test_phrases_are_the_texts_own_words_with_all_their_places():
    [phrases] = keyseq.load("textrank").predict([TEXT])
    first = phrases[0]
    assert first.text == "graph matching network"  # the first without the capitals of the title
    assert [TEXT[start:end] for start, end in first.spans] == [
        "Graph Matching Networks",
        "graph matching network",
        "graph matching networks",
    ]
    assert [phrase.score for phrase in phrases] == sorted((phrase.score for phrase in phrases), reverse=True)
    assert first.score == 1.0
    assert all(phrase.present and 0 <= phrase.score <= 1 for phrase in phrases)


def test_white_space_inside_a_phrase_is_collapsed():
    [[phrase]] = TextRank().predict(["graph \n\t  matching"])
    assert (phrase.text, phrase.spans) == ("graph matching", ((0, 18),))


def test_documents_and_texts_give_the_same():
    document = Document(id="1", title="Graph matching", body="Graphs are matched.")
    assert TextRank().predict([document]) == TextRank().predict(["Graph matching . Graphs are matched."])


def test_top_cuts_the_list_and_changes_nothing_else():
    [ten], [two] = TextRank().predict([TEXT]), TextRank(TextRankSettings(top=2)).predict([TEXT])
    assert ten[:2] == two


def test_text_in_lower_case_and_cut_into_words_gives_the_same_stems():
    lowered = "graph matching networks . we learn to match graphs . a graph matching network compares graphs ."
    [phrases] = TextRank().predict([lowered])
    assert phrases[0].text == "graph matching networks"


@pytest.mark.parametrize(
    "text",
    ["", " ", "…!?", "\x00\x1f", "\ud800", "x" * 200_000, "7 " * 500, "é" * 3, "deep " * 20_000, "." * 50_000 + "x"],
)
def test_any_text_has_an_answer_in_time_that_grows_with_its_length(text):
    [phrases] = TextRank().predict([text])
    assert all(phrase.text == text[slice(*phrase.spans[0])] for phrase in phrases)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Les réseaux de neurones pour l'analyse d'images : une étude", {"réseaux", "neurones", "analyse", "images"}),
        ("Über die Größe künstlicher Netze. Künstliche Netze sind größer", {"Größe künstlicher Netze"}),
        ("神经网络的应用。神经网络", {"神经网络"}),
    ],
)
def test_other_languages_give_whole_words(text, expected):
    [phrases] = TextRank().predict([text])
    assert expected <= {phrase.text for phrase in phrases}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"window": 1}, "textrank.window must be at least 2, not 1"),
        ({"damping": 1.0}, "textrank.damping must be below 1, not 1.0"),
        ({"candidates": "verbs"}, "textrank.candidates must be one of noun-phrases, runs, ngrams, not 'verbs'"),
        ({"windows": 2}, "textrank has no setting 'windows'; did you mean 'window'?"),
    ],
)
def test_a_setting_that_makes_no_sense_is_refused(settings, message):
    with pytest.raises(KeyseqError) as error:
        keyseq.load("textrank", **settings)
    assert str(error.value) == message
