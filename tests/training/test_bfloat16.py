import pytest
import torch

from keyseq.training import bfloat16 as module
from keyseq.training.bfloat16 import trial_problem


@pytest.mark.parametrize(
    ("trial", "problem"),
    [
        ("pass", None),
        ("assert 1 == 2", "do not compute"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGILL)", "crashes on them"),
    ],
    ids=["works", "computes nonsense", "an instruction that is none"],
)
def test_what_kills_a_process_of_its_own_does_not_kill_this_one(trial, problem):
    found = trial_problem(trial)
    assert found is problem is None or problem in found


def test_a_processor_that_does_not_claim_it_is_not_tried(monkeypatch):
    for name in module._CLAIMS:
        monkeypatch.setattr(torch.cpu, name, lambda: False, raising=False)
    monkeypatch.setattr(module, "trial_problem", None)
    assert "no instructions" in module.bfloat16_problem.__wrapped__()


@pytest.mark.usefixtures("bfloat16")
def test_the_trial_itself_passes_where_bfloat16_is_emulated_or_real():
    """Its accuracy is that of the format, not of a processor."""
    exec(module._TRIAL, {})
