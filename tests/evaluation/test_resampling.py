"""Whether draws are what they should be, in bounded memory."""

import numpy as np
import pytest

from keyseq.errors import KeyseqError
from keyseq.evaluation import protocols, resampling
from keyseq.evaluation.resampling import Resampling, bootstrap, randomized
from keyseq.evaluation.scoring import Scores

COUNT, UNIQUE = "predictions.count", "predictions.unique"


class Witness(Scores):
    """Scores that remember how they were asked."""

    def aggregate(self, name, counts=None):
        if counts is not None:
            asked.append(counts.copy())
        return super().aggregate(name, counts)


asked = []


@pytest.fixture(autouse=True)
def _forget():
    asked.clear()


def witness(values):
    values = np.asarray(values, float)
    ids = tuple(map(str, range(len(values))))
    table = {COUNT: values, UNIQUE: values}
    return Witness(ids=ids, values=table, metrics=(COUNT, UNIQUE), protocol=protocols.find("yuan2020"), data="toy:0")


def test_every_bootstrap_sample_has_as_many_documents_as_the_test_set_and_each_is_drawn_alike():
    bootstrap([witness(range(10))], [COUNT], Resampling(samples=4000))
    counts = np.concatenate(asked)
    assert counts.shape == (4000, 10)
    assert (counts.sum(axis=1) == 10).all()
    assert counts.mean(axis=0) == pytest.approx(np.ones(10), abs=0.08)
    assert counts.var(axis=0) == pytest.approx(np.full(10, 0.9), abs=0.1)  # binomial(10, 1/10)


def test_systems_and_metrics_are_scored_on_the_same_draws():
    bootstrap([witness(range(5)), witness(range(5))], [COUNT, UNIQUE], Resampling(samples=7))
    first, *others = asked
    assert len(others) == 3
    assert all((other == first).all() for other in others)


def test_a_swap_takes_every_document_once_from_each_system():
    randomized(witness(range(6)), witness(range(6)), [COUNT], Resampling(samples=50))
    for taken in asked:
        assert set(np.unique(taken)) <= {0.0, 1.0}
        assert (taken[:, :6] + taken[:, 6:] == 1).all()
    assert (asked[0] + asked[1] == 1).all()
    assert 0.4 < asked[0][:, :6].mean() < 0.6


def test_memory_is_bounded_and_the_blocks_change_no_draw(monkeypatch):
    systems = [witness(np.random.default_rng(0).random(10)), witness(np.random.default_rng(1).random(10))]
    whole = bootstrap(systems, [COUNT], Resampling(samples=25)), randomized(*systems, [COUNT], Resampling(samples=25))
    asked.clear()
    monkeypatch.setattr(resampling, "BLOCK", 60)
    blocks = bootstrap(systems, [COUNT], Resampling(samples=25)), randomized(*systems, [COUNT], Resampling(samples=25))
    assert max(counts.size for counts in asked) == 60
    assert whole[0].shape == (2, 1, 25)
    assert whole[0] == pytest.approx(blocks[0])
    assert whole[1].shape == blocks[1].shape == (1, 25)


def test_progress_sees_every_block(monkeypatch):
    monkeypatch.setattr(resampling, "BLOCK", 60)
    seen = []

    def progress(items, description, total):
        for item in items:
            seen.append((description, total))
            yield item

    bootstrap([witness(range(10))], [COUNT], Resampling(samples=25), progress)
    assert seen == [("bootstrap", 5)] * 5


@pytest.mark.parametrize(
    ("setting", "problem"),
    [({"samples": 0}, "at least 1"), ({"seed": -1}, "0 or more"), ({"level": 95}, "between 0 and 1")],
)
def test_impossible_settings_are_refused(setting, problem):
    with pytest.raises(KeyseqError, match=problem):
        Resampling(**setting)
