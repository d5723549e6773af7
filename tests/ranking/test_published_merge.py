"""The merging of KG-KE-KR-M by hand."""

import numpy as np
import pytest

from keyseq.ranking.published_merge import EXTRACTED, GENERATED, RETRIEVED, FoundPhrase, extracted, merged


def found(**scores):
    return [FoundPhrase(tuple(words.split("_")), score) for words, score in scores.items()]


def alike(phrases):
    return np.ones(len(phrases))


def scores(sources, scorer=alike, key=tuple):
    return {" ".join(one.words): pytest.approx(one.score) for one in merged(sources, key, scorer)}


def test_each_source_is_scaled_to_the_mean_of_the_generated_phrases_and_all_add_up():
    # means .15, .3 and .9: retrieved phrases count half, extracted ones a sixth
    sources = {
        GENERATED: found(xxx=0.2, yyy=0.1),
        RETRIEVED: found(yyy=0.4, zzz=0.2),
        EXTRACTED: found(xxx=0.9),
    }
    assert scores(sources) == {"xxx": 0.35, "yyy": 0.3, "zzz": 0.1}
    assert list(scores(sources)) == ["xxx", "yyy", "zzz"]


def test_the_scorer_weighs_what_was_added_up():
    sources = {GENERATED: found(xxx=0.2, yyy=0.1)}
    weights = {"xxx": 0.25, "yyy": 1.0}
    weighed = scores(sources, lambda phrases: np.array([weights[" ".join(words)] for words in phrases]))
    assert weighed == {"yyy": 0.1, "xxx": 0.05}


def test_phrases_with_the_same_stems_are_one_and_of_each_source_the_best_counts():
    sources = {GENERATED: found(graphs=0.2, graph=0.3), EXTRACTED: found(graph=0.25)}
    assert scores(sources, key=lambda words: tuple(word.rstrip("s") for word in words)) == {"graph": 0.6}


def test_short_phrases_are_dropped_unless_the_text_has_them():
    sources = {GENERATED: found(c=0.2, ml=0.2, sql=0.2), RETRIEVED: found(ai=0.1), EXTRACTED: found(go=0.2)}
    assert set(scores(sources)) == {"sql", "go"}


@pytest.mark.parametrize("source", [GENERATED, EXTRACTED, RETRIEVED])
def test_a_source_alone_keeps_its_scores(source):
    assert scores({source: found(xxx=0.2, yyy=0.4)}) == {"yyy": 0.4, "xxx": 0.2}


def test_nothing_found_is_nothing():
    assert merged({}, tuple, lambda _: pytest.fail("there is nothing to weigh")) == []


@pytest.mark.parametrize(
    ("chances", "expected", "reason"),
    [
        ((0.9, 0.8, 0.1, 0.75), {"a b": 0.85, "d": 0.75}, "runs of words of at least .7"),
        ((0.5, 0.1, 0.41, 0.39), {"a": 0.5, "c": 0.41}, "none has .7: at least .8 of the largest, .4"),
        ((0.0, 0.0, 0.0, 0.0), {}, "without an extractor"),
    ],
)
def test_runs_of_probable_words_are_extracted(chances, expected, reason):
    runs = {" ".join(one.words): pytest.approx(one.score) for one in extracted("abcd", chances)}
    assert runs == expected, reason


def test_no_run_goes_across_a_mark():
    assert [one.words for one in extracted(["a", ",", "b"], [0.9, 0.9, 0.9])] == [("a",), ("b",)]
    assert list(extracted([], [])) == []
