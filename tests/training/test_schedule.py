import pytest

from keyseq.config import TrainingSettings
from keyseq.training.schedule import learning_rate


@pytest.mark.parametrize(
    ("schedule", "step", "expected"),
    [
        ("constant", 5, 0.5),  # half of the warm-up
        ("constant", 10, 1.0),
        ("constant", 110, 1.0),
        ("linear", 5, 0.5),
        ("linear", 60, 0.5),  # half of what follows the warm-up
        ("linear", 110, 0.0),
        ("linear", 200, 0.0),  # a run that is given more steps than it had must not climb again
        ("cosine", 10, 1.0),
        ("cosine", 60, 0.5),
        ("cosine", 35, 0.5 + 0.5 * 2**-0.5),  # a quarter of the way
        ("cosine", 110, 0.0),
    ],
)
def test_rates_worked_out_by_hand(schedule, step, expected):
    settings = TrainingSettings(learning_rate=1.0, schedule=schedule, warmup=10, steps=110)
    assert learning_rate(step, settings) == pytest.approx(expected)


def test_without_a_warm_up_the_first_step_is_a_full_one():
    assert learning_rate(1, TrainingSettings(learning_rate=0.3)) == 0.3
