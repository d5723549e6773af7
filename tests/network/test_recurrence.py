import pytest
import torch
from torch import nn

from keyseq.network import recurrence as module
from keyseq.network.recurrence import recurrent


def example(steps=7, rows=3, seed=0):
    torch.manual_seed(seed)
    gru = nn.GRU(4, 5, batch_first=True).double()
    inputs = torch.randn(rows, steps, 4, dtype=torch.float64, requires_grad=True)
    start = torch.randn(rows, 5, dtype=torch.float64, requires_grad=True)
    return gru, inputs, start


@pytest.mark.parametrize("block", [1, 6, 1024], ids=["a step at a time", "two steps at a time", "all at once"])
@pytest.mark.parametrize("steps", [1, 7])
def test_states_and_gradients_are_those_of_pytorch(block, steps, monkeypatch):
    monkeypatch.setattr(module, "BLOCK", block)
    gru, inputs, start = example(steps)
    states, last = recurrent(gru, inputs, start)
    expected, expected_last = gru(inputs, start[None])
    torch.testing.assert_close(states, expected)
    torch.testing.assert_close(last, expected_last[0])
    upstream = torch.randn(states.shape, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    wanted = [inputs, start, *gru.parameters()]
    got = torch.autograd.grad((states * upstream).sum() + last.sum(), wanted)
    torch.testing.assert_close(got, torch.autograd.grad((expected * upstream).sum() + expected_last.sum(), wanted))


def test_gradients_agree_with_finite_differences():
    gru, inputs, start = example()
    assert torch.autograd.gradcheck(lambda x, h, *_: recurrent(gru, x, h)[0], (inputs, start, *gru.parameters()))


def test_inputs_without_gradient_are_left_alone():
    gru, inputs, start = example()
    states, _ = recurrent(gru, inputs.detach(), start)
    states.sum().backward()
    assert inputs.grad is None
    assert start.grad is not None


def test_inference_runs_pytorchs_own_so_that_it_can_be_exported(monkeypatch):
    gru, inputs, start = example()
    trained = recurrent(gru, inputs, start)[0].detach()
    monkeypatch.setattr(module, "_Recurrence", None)
    with torch.no_grad():
        torch.testing.assert_close(recurrent(gru, inputs, start)[0], trained)


def test_mixed_precision_is_computed_in_that_of_the_weights():
    gru, inputs, start = example()
    with torch.autocast("cpu", torch.bfloat16):
        states, _ = recurrent(gru, inputs.bfloat16(), start)
    assert states.dtype == torch.float64
    torch.testing.assert_close(states, gru(inputs.bfloat16().double(), start[None])[0])
