"""Every feature on one small text, by hand."""

from math import log, log2, sqrt

import numpy as np
import pytest
from tests.ranking.handmade import GENERATED, TEXT, keyphraseness, number, pool

from keyseq.extractive.graph import word_scores
from keyseq.extractive.reading import Reading
from keyseq.extractive.textrank import TextRankSettings
from keyseq.ranking.features import FEATURES, measure
from keyseq.ranking.pool import Known, Pool

# the text has "solar" four times and once more in its title, "house" once: TF-IDF of 1 + log 5 and of 2
LENGTH = sqrt((1 + log(5)) ** 2 + 2**2)
ENERGY, PANELS = 0.5 * (1 + log(5)) / LENGTH, 2 / LENGTH
SCORES = word_scores(Reading(TEXT), TextRankSettings(), "position")

BY_HAND = [
    ("words", "solar panels", 2),
    ("words", "house of 3 owners", 4),
    ("words", "solar energy", -1),
    ("occurrences", "solar", 4),
    ("occurrences", "solar panels", 3),
    ("occurrences", "solar energy", 0),
    ("first_place", "panels", 1),
    ("first_place", "house", 7),
    ("first_place", "solar energy", -1),
    ("relative_first", "house", 7 / 18),
    ("relative_last", "solar panels", 16 / 18),
    ("in_title", "solar panels", 1),
    ("in_title", "house", 0),
    ("in_title", "solar energy", 0),
    ("stands_alone", "solar panels", 2 / 3),  # not before "power"
    ("stands_alone", "house", 1),  # between "the" and "of"
    ("stands_alone", "cheap", 0),
    ("is_noun_phrase", "solar panels", 2 / 3),  # "solar panels power" is one in the second sentence
    ("is_noun_phrase", "cheap solar", 0),
    ("is_noun_phrase", "house", 1),
    ("part_of_longer", "solar", 3 / 4),
    ("part_of_longer", "panels", 1),
    ("part_of_longer", "solar panels", 1 / 3),
    ("part_of_longer", "cheap solar heating", 0),
    ("first_class", "solar panels", 4),  # an adjective in the title
    ("first_class", "house", 5),
    ("last_class", "solar panels", 5),
    ("last_class", "house of 3", 1),
    ("stop_words", "house of 3 owners", 1),
    ("stop_words", "power the house of 3", 2),
    ("stop_words", "solar energy", -1),
    ("characters", "solar panels", 11),
    ("characters", "house of 3 owners", 14),
    ("capitals", "solar", 1),
    ("capitals", "solar panels", 0),
    ("digits", "3 owners", 1),
    ("digits", "owners", 0),
    ("textrank", "solar panels", (SCORES["solar"] + SCORES["panel"]) * log2(4)),
    ("textrank_rank", "solar panels", 0),
    ("textrank_rank", "solar energy", -1),
    ("tfidf", "solar panels", 3 * (log(4) + log(10))),
    ("tfidf", "house", log(100)),
    ("tfidf_rank", "power the house of 3", 0),  # five unknown words
    ("tfidf_rank", "house of 3 owners", 1),  # four
    ("tfidf_rank", "solar panels power the house", 2),  # three, and log 40
    ("rarity", "solar panels", log(4) + log(10)),
    ("least_rarity", "solar panels", log(4)),
    ("largest_rarity", "solar panels", log(10)),
    ("word_occurrences", "solar panels", (4 + 3) / 2),
    ("begins_keyphrases", "solar panels", log(8)),
    ("begins_keyphrases", "panels", 0),
    ("ends_keyphrases", "solar panels", log(4)),
    ("ends_keyphrases", "solar energy", -1),
    ("keyphrase_count", "solar panels", log(5)),
    ("keyphrase_count", "house", 0),
    ("document_count", "solar panels", log(20)),
    ("keyphraseness", "solar panels", log(4.05 / 20)),
    ("keyphraseness", "house", log(0.05)),
    ("profile_score", "solar panels", PANELS),
    ("profile_score", "solar energy", ENERGY),
    ("profile_score", "house", 0),
    ("profile_rank", "solar panels", 0),
    ("profile_rank", "solar energy", 1),
    ("profile_rank", "heating", 60),  # a label, but not among those retrieved
    ("profile_rank", "house", 999),  # no label
    ("profile_share", "solar panels", 1),
    ("profile_share", "solar energy", ENERGY / PANELS),
    ("words_in_text", "solar energy", 1 / 2),
    ("words_in_text", "photovoltaic cells", 0),
    ("words_in_text", "solar panels", 1),
    ("generated_probability", "photovoltaic cells", 0.5),
    ("generated_probability", "house", 0),
    ("generated_share", "solar panels", 0.5),
    ("generated_rank", "photovoltaic cells", 0),
    ("generated_rank", "solar panels", 1),
    ("generated_rank", "house", 99),
    ("text_words", "house", 18),
    ("title_words", "house", 2),
    ("best_profile", "house", PANELS),
    ("best_generated", "house", 0.75),
    ("capitalised_text", "house", 4 / 18),
    ("background_keyphrase_count", "solar panels", log(10)),
    ("background_document_count", "solar panels", log(30)),
    ("background_document_count", "house", 0),
    ("background_keyphraseness", "solar panels", log(9.05 / 30)),
    ("background_keyphraseness", "house", log(0.05)),
    ("profile_support", "solar panels", PANELS),  # both words are of that label, which scores higher than the other
    ("profile_support", "cheap solar", PANELS / 2),
    ("profile_support", "solar energy", (PANELS + ENERGY) / 2),
    ("least_profile_support", "solar energy", ENERGY),
    ("least_profile_support", "cheap solar", 0),
    ("generated_support", "solar heating", 0.5 / 2),
    ("generated_support", "photovoltaic cells", 0.75),
    ("least_generated_support", "solar heating", 0),
    ("least_generated_support", "solar panels", 0.5),
    ("keyphrase_words", "solar panels", log(3.05 / 10)),  # of "panels"; that of "solar", log(8.05 / 25), is higher
    ("keyphrase_words", "solar energy", -1),
    ("capitalised_inside", "solar", 0),  # once inside a sentence, after "Cheap"
    ("capitalised_inside", "solar panels", 0.5),  # only after marks, which tells nothing
    ("capitalised_inside", "solar energy", -1),
    ("acronym", "solar panels", 0),  # its capitals come later
    ("relative_occurrences", "solar panels", 3 / 4),
    ("relative_occurrences", "solar energy", 0),
    ("spread", "solar panels", 16 / 18),
    ("spread", "house", 0),
    ("cohesion", "solar panels", 1),  # "panels" stands nowhere else
    ("cohesion", "solar energy", -1),
    ("shortest_word", "solar panels", 5),
    ("shortest_word", "house of 3 owners", 1),
    ("words_around", "solar panels", 2),
    ("words_around", "power", 3),  # solar panels power
    ("words_around", "house", 1),
    ("left_variety", "solar panels", 3 / 4),  # of "solar": the beginning, marks, "Cheap"
    ("right_variety", "solar", 2 / 4),  # "panels" and "heating"
    ("right_variety", "solar panels", 1),  # of "panels": a full stop, "power", the end
]


def test_words_of_capitals_are_acronyms_and_words_with_one_are_names():
    candidates = Pool(Reading("the RNA of Escherichia coli in many Escherichia cells"), "", Known(keyphraseness()))
    assert FEATURES["acronym"](candidates)[number(candidates, "RNA")] == 1
    assert FEATURES["acronym"](candidates)[number(candidates, "Escherichia")] == 0
    assert FEATURES["capitalised_inside"](candidates)[number(candidates, "Escherichia")] == 1
    assert FEATURES["cohesion"](candidates)[number(candidates, "Escherichia coli")] == 1
    assert FEATURES["cohesion"](candidates)[number(candidates, "coli")] == 1


def test_what_trees_do_not_ask_for_is_not_measured():
    asked = np.zeros(len(FEATURES), dtype=bool)
    asked[list(FEATURES).index("words")] = True
    table = measure(pool(), asked)
    assert table[:, asked].any()
    assert not table[:, ~asked].any()


@pytest.mark.parametrize(("name", "phrase", "value"), BY_HAND)
def test_a_feature_has_the_value_worked_out_by_hand(name, phrase, value):
    candidates = pool()
    assert FEATURES[name](candidates)[number(candidates, phrase)] == pytest.approx(value, rel=1e-5)


def test_every_feature_was_worked_out():
    assert {name for name, _, _ in BY_HAND} == FEATURES.keys()


def test_all_are_measured_in_the_order_of_the_table():
    candidates = pool()
    table = measure(candidates)
    assert (table.shape, table.dtype) == ((len(candidates.keys), len(FEATURES)), np.float32)
    for column, feature in zip(table.T, FEATURES.values(), strict=True):
        assert column == pytest.approx(feature(candidates), rel=1e-6)


@pytest.mark.parametrize("text", ["", ". , .", "of the", "Solar"])
@pytest.mark.parametrize("generated", [(), GENERATED])
def test_a_text_with_nothing_in_it_is_measured_too(text, generated):
    bare = pool(text, "", Known(keyphraseness()), generated)
    table = measure(bare)
    assert table.shape == (len(bare.keys), len(FEATURES))
    assert np.isfinite(table).all()
    assert len(bare.keys) == len(generated) + (text == "Solar")
