"""Searches that run many steps at once find what those that go step by step find, in the same order."""

from itertools import pairwise

import numpy as np
import pytest

from keyseq.data.network_inputs import NetworkInput
from keyseq.decoding.policies import Policy, policy
from keyseq.decoding.search import search
from keyseq.runtime.engine import GraphStepper
from keyseq.runtime.onnx import ExportedNetwork

POLICIES = {
    "greedy": Policy(),
    "distinct": Policy(distinct=True),
    "a calibrated end": Policy(distinct=True, end_bonus=1.0, end_growth=0.5),
    "a beam that keeps one": Policy(beam=5, max_length=10),
    "many of a beam": Policy(beam=8, keep=500, stop="count", max_length=9),
    "a beam that has enough": Policy(beam=8, keep=12, stop="count", max_length=9, length_penalty=1.0),
    "several starts": Policy(max_length=6, starts=(2, 7, 9)),
}
STEPWISE = {
    "sampled": Policy(temperature=1.0),
    "the best few of a beam": Policy(beam=3, keep=2),
    "ranked by length": Policy(beam=3, length_penalty=1.0),
    "more than there are words": Policy(beam=2_000, keep=2_000, stop="count"),
}


@pytest.fixture(scope="module")
def stepper(folder):
    return GraphStepper(ExportedNetwork(folder))


def sources(count):
    draw = np.random.default_rng(4)
    return [NetworkInput(draw.integers(5, 305, length)) for length in draw.integers(1, 40, count)]


def shown(found):
    return [
        [(one.tokens.tolist(), one.log_probabilities.tolist(), one.rank, one.finished) for one in own] for own in found
    ]


def test_some_sequences_end_and_some_are_cut_off(stepper):
    ended = [one.finished for name in POLICIES for own in search(stepper, sources(9), POLICIES[name]) for one in own]
    assert 0.1 < np.mean(ended) < 0.9, "else the tests of this file show little"


@pytest.mark.parametrize("name", POLICIES)
def test_many_steps_at_once_find_the_same_as_one_after_the_other(stepper, name, monkeypatch):
    assert stepper.runs(POLICIES[name])
    at_once = search(stepper, sources(9), POLICIES[name])
    monkeypatch.setattr(GraphStepper, "runs", lambda *_: False)
    one_by_one = search(stepper, sources(9), POLICIES[name])
    assert shown(at_once) == shown(one_by_one)


def test_documents_that_have_ended_leave_and_the_others_go_on(stepper, monkeypatch):
    runs = []

    def run(self, front, *rest):
        runs.append(front.documents.tolist())
        return GraphStepper.__dict__["_run"](self, front, *rest)

    monkeypatch.setattr(GraphStepper, "_run", GraphStepper.run, raising=False)
    monkeypatch.setattr(GraphStepper, "run", run)
    found = search(stepper, sources(16), POLICIES["a calibrated end"])
    assert len(runs) > 1
    assert runs[0] == list(range(16))
    assert all(set(later) < set(earlier) for earlier, later in pairwise(runs))
    lengths = [len(own[0].log_probabilities) for own in found]
    assert set(runs[-1]) >= {number for number, length in enumerate(lengths) if length == max(lengths)}


@pytest.mark.parametrize("name", STEPWISE)
def test_what_the_loop_does_not_know_goes_step_by_step(stepper, name):
    assert not stepper.runs(STEPWISE[name])


def test_the_published_decodings_run_at_once(folder):
    stepper = GraphStepper(ExportedNetwork(folder))
    assert all(stepper.runs(policy(name)) for name in ("distinct", "greedy", "beam", "exhaustive"))
