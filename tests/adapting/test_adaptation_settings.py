"""The settings of adapting, by the size of a corpus."""

import pytest

from keyseq.adapting.adaptation_settings import LARGER, MOST_LEARNT, AdaptationSettings
from keyseq.errors import KeyseqError
from keyseq.ranking.boosting import BoostingSettings


def test_a_small_corpus_keeps_the_settings():
    settings = AdaptationSettings()
    assert settings.for_corpus(settings.large - 1, 10) is settings


def test_a_large_one_gets_larger_trees_and_learnt_weights():
    grown = AdaptationSettings().for_corpus(20_000, MOST_LEARNT)
    assert {name: getattr(grown, name) for name in LARGER} == LARGER
    assert grown.learnt


def test_what_was_given_stays_even_if_it_is_the_default():
    usual = AdaptationSettings()
    grown = AdaptationSettings(trees=7).for_corpus(20_000, 10, {"trees", "rate"})
    assert (grown.trees, grown.rate, grown.leaves) == (7, usual.rate, LARGER["leaves"])
    assert AdaptationSettings(large=100_000).for_corpus(20_000, 10) == AdaptationSettings(large=100_000)


@pytest.mark.parametrize(("labels", "given", "learnt"), [(10, {"learnt"}, False), (MOST_LEARNT + 1, (), False)])
def test_weights_are_not_learnt_for_very_many_labels_or_where_that_was_given(labels, given, learnt):
    assert AdaptationSettings().for_corpus(20_000, labels, given).learnt is learnt


def test_the_weights_of_very_many_labels_are_learnt_if_asked_for():
    assert AdaptationSettings(learnt=True).for_corpus(20_000, MOST_LEARNT + 1, {"learnt"}).learnt


def test_a_setting_with_another_default_keeps_its_description_and_its_range():
    leaves = AdaptationSettings.__dataclass_fields__["leaves"]
    inherited = BoostingSettings.__dataclass_fields__["leaves"]
    assert leaves.default != inherited.default
    assert dict(leaves.metadata) == dict(inherited.metadata)
    with pytest.raises(KeyseqError, match=r"adapt\.leaves must be at least 2, not 1"):
        AdaptationSettings(leaves=1)
