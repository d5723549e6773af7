"""Whether draws are what they should be, in bounded memory."""

import tracemalloc

import numpy as np
import pytest

from keyseq.errors import KeyseqError
from keyseq.evaluation import protocols, resampling
from keyseq.evaluation.resampling import Resampling, bootstrap, randomized
from keyseq.evaluation.scoring import Scores

COUNT, UNIQUE = "predictions.count", "predictions.unique"


def scored(values):
    values = np.asarray(values, float)
    ids = tuple(map(str, range(len(values))))
    table = {COUNT: values, UNIQUE: 2 * values}
    return Scores(ids=ids, values=table, metrics=(COUNT, UNIQUE), protocol=protocols.find("yuan2020"), data="toy:0")


def counts_drawn(documents, settings):
    """How often each document was drawn, (samples, N), seen through systems that score in one document alone."""
    means = bootstrap([scored(row) for row in np.eye(documents)], [COUNT], settings)
    return means[:, 0].T * documents


def test_every_bootstrap_sample_has_as_many_documents_as_the_test_set_and_each_is_drawn_alike():
    counts = counts_drawn(10, Resampling(samples=4000))
    assert counts == pytest.approx(np.rint(counts))
    assert counts.sum(axis=1) == pytest.approx(np.full(4000, 10.0))
    assert counts.mean(axis=0) == pytest.approx(np.ones(10), abs=0.08)
    assert counts.var(axis=0) == pytest.approx(np.full(10, 0.9), abs=0.1)  # binomial(10, 1/10)


def test_systems_and_metrics_are_scored_on_the_same_draws():
    table = scored(np.random.default_rng(0).random(20))
    drawn = bootstrap([table, table], [COUNT, UNIQUE], Resampling(samples=50))
    assert drawn.shape == (2, 2, 50)
    assert (drawn[0] == drawn[1]).all()
    assert drawn[0, 1] == pytest.approx(2 * drawn[0, 0])
    assert len(np.unique(drawn[0, 0])) > 40


def test_a_swap_gives_each_output_of_a_document_to_one_of_the_two_and_all_swaps_are_alike():
    a, b = scored(2.0 ** np.arange(4)), scored(np.zeros(4))
    [differences] = randomized(a, b, [COUNT], Resampling(samples=16_000))
    # the sum is +-1 +-2 +-4 +-8, which tells every sign: 16 odd numbers from -15 to 15
    sums, times = np.unique(np.rint(4 * differences), return_counts=True)
    assert sums.tolist() == list(range(-15, 16, 2))
    assert times == pytest.approx(np.full(16, 1000), abs=160)


def test_blocks_bound_the_memory_and_change_no_draw(monkeypatch):
    whole = counts_drawn(10, Resampling(samples=25))
    monkeypatch.setattr(resampling, "BLOCK", 60)
    assert counts_drawn(10, Resampling(samples=25)) == pytest.approx(whole)
    monkeypatch.setattr(resampling, "BLOCK", 20_000)
    a, b = scored(np.random.default_rng(1).random(2000)), scored(np.random.default_rng(2).random(2000))
    tracemalloc.start()
    bootstrap([a, b], [COUNT], Resampling(samples=2000))
    randomized(a, b, [COUNT], Resampling(samples=2000))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2_000_000  # all counts at once would be 32 MB


def test_progress_sees_every_block(monkeypatch):
    monkeypatch.setattr(resampling, "BLOCK", 60)
    seen = []

    def progress(items, description, total):
        for item in items:
            seen.append((description, total))
            yield item

    bootstrap([scored(range(10))], [COUNT], Resampling(samples=25), progress)
    randomized(scored(range(10)), scored(range(10)), [COUNT], Resampling(samples=7), progress)
    assert seen == [("bootstrap", 5)] * 5 + [("randomization", 2)] * 2


@pytest.mark.parametrize(
    ("setting", "problem"),
    [({"samples": 0}, "at least 1"), ({"seed": -1}, "0 or more"), ({"level": 95}, "between 0 and 1")],
)
def test_impossible_settings_are_refused(setting, problem):
    with pytest.raises(KeyseqError, match=problem):
        Resampling(**setting)
