"""Runs of words that may be phrases: where they stand, what surrounds them."""

from tests.ranking.handmade import TEXT, TITLE, key

from keyseq.extractive.reading import Reading
from keyseq.ranking.runs import Tokens, are_noun_phrases, find_runs, stand_alone


def laid_out(text, title=""):
    reading = Reading(text)
    tokens = Tokens.of(reading, title)
    return reading, tokens, find_runs(tokens)


def place(runs, phrase):
    return runs.keys.tolist().index(key(phrase))


def test_runs_have_no_mark_inside_and_no_stop_word_at_their_ends():
    _, _, runs = laid_out("the green parks of cities, trees")
    wanted = ["green", "parks", "cities", "trees", "green parks", "parks of cities", "green parks of cities"]
    assert sorted(runs.keys.tolist()) == sorted(map(key, wanted))


def test_no_run_has_more_than_five_words():
    _, _, runs = laid_out("one fine old red brick house stands")
    assert max(runs.lengths) == 5


def test_a_mark_that_tokenizers_drop_ends_a_run():
    _, _, runs = laid_out("green parks; old trees")
    assert key("parks old") not in runs.keys


def test_occurrences_are_counted_and_placed():
    _, tokens, runs = laid_out(TEXT, TITLE)
    own = place(runs, "solar panels")
    assert (runs.counts[own], runs.first[own], runs.last[own], runs.lengths[own]) == (3, 0, 16, 2)
    assert runs.places[runs.offsets[own] : runs.offsets[own + 1]].tolist() == [0, 3, 16]
    assert tokens.title == 2


def test_the_most_frequent_longer_run_is_found_on_either_side():
    _, _, runs = laid_out("deep blue sea, deep blue sky, deep blue")
    assert runs.extended[place(runs, "blue")] == 3
    assert runs.extended[place(runs, "sea")] == 1
    assert runs.extended[place(runs, "deep blue")] == 1
    assert runs.extended[place(runs, "deep blue sea")] == 0


def test_what_stands_alone_and_what_is_a_noun_phrase_is_told_by_occurrence():
    reading, tokens, runs = laid_out(TEXT, TITLE)
    own = place(runs, "solar panels")
    here = slice(runs.offsets[own], runs.offsets[own + 1])
    assert stand_alone(runs, tokens)[here].tolist() == [True, False, True]
    assert are_noun_phrases(runs, reading)[here].tolist() == [True, False, True]


def test_a_text_without_words_has_no_runs():
    for text in ("", " ", ". ,", "of the"):
        reading, tokens, runs = laid_out(text)
        assert len(runs.keys) == len(stand_alone(runs, tokens)) == len(are_noun_phrases(runs, reading)) == 0
