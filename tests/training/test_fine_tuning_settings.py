"""The recipe of fine-tuning: how long a run is, and what may be changed."""

import pytest

from keyseq.config import EndingSettings, OrderSettings, load_settings
from keyseq.training.fine_tuning_settings import fine_tuning_settings


@pytest.fixture
def network(tmp_path):
    before = load_settings("tiny", ["training.steps=11000", "training.patience=0", "ending.bonus=-1.5", "order.bias=2"])
    (tmp_path / "settings.toml").write_text(before.to_toml())
    return tmp_path / "settings.toml"


@pytest.mark.parametrize(
    ("documents", "steps", "reason"),
    [
        (40, 60, "a few steps at least"),
        (1_800, 342, "six epochs of 57 steps"),
        (20_000, 3_000, "fewer epochs of a large corpus"),
        (200_000, 12_500, "two epochs at least"),
    ],
)
def test_the_number_of_steps_follows_the_size_of_the_corpus(network, documents, steps, reason):
    training = fine_tuning_settings(network, documents).training
    assert training.steps == steps, reason
    assert 0 < training.warmup < training.validate_every * 2 < steps


def test_the_network_s_own_sizes_and_targets_are_kept_and_what_was_calibrated_is_not(network):
    before, settings = load_settings(network), fine_tuning_settings(network, 1_000)
    assert (settings.model, settings.target, settings.loss) == (before.model, before.target, before.loss)
    assert (settings.ending, settings.order) == (EndingSettings(), OrderSettings())


def test_any_setting_can_be_changed_and_steps_follow_the_size_of_batches(network):
    settings = fine_tuning_settings(network, 1_800, ["training.batch_size=64", "training.patience=9"])
    assert (settings.training.steps, settings.training.patience) == (174, 9)
    assert fine_tuning_settings(network, 1_800, ["training.steps=7"]).training.steps == 7
