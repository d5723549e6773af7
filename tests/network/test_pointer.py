import math

import pytest
import torch

from keyseq.network.attention import lowest
from keyseq.network.piece import Decoded
from keyseq.network.pointer import Pointer, mixed

from .conftest import model_settings


@pytest.mark.parametrize(
    ("generated", "copied", "share", "expected", "reason"),
    [
        (0.2, 0.5, 0.25, 0.25 * 0.2 + 0.75 * 0.5, "both ways to say a word add up"),
        (0.2, 0.0, 0.25, 0.25 * 0.2, "not in the source"),
        (0.0, 0.5, 0.25, 0.75 * 0.5, "not in the vocabulary"),
    ],
)
def test_generating_and_copying_are_mixed_by_the_switch(generated, copied, share, expected, reason):
    logs = [torch.tensor(math.log(p)) if p else torch.tensor(lowest(torch.ones(()))) for p in (generated, copied)]
    logs = [log.requires_grad_() for log in logs]
    switch = torch.tensor(math.log(share / (1 - share)), requires_grad=True)
    got = mixed(*logs, switch)
    assert got.item() == pytest.approx(math.log(expected), rel=1e-5), reason
    got.backward()
    # d log p / d log p_a is the share of p that was generated, and so on
    assert logs[0].grad.item() == pytest.approx(share * generated / expected, rel=1e-5)
    assert logs[1].grad.item() == pytest.approx((1 - share) * copied / expected, rel=1e-5)
    slope = share * (1 - share) * (generated - copied) / expected
    assert switch.grad.item() == pytest.approx(slope, rel=1e-5)


@pytest.mark.parametrize("switch", [-200.0, 200.0])
def test_a_certain_switch_leaves_numbers(switch):
    """s or 1 − s is zero in float32 here, and its logarithm is not."""
    got = mixed(torch.tensor(-3.0), torch.tensor(-4.0), torch.tensor(switch))
    assert got.item() == pytest.approx(-3.0 if switch > 0 else -4.0)
    only_copied = mixed(torch.tensor(lowest(got)), torch.tensor(-4.0), torch.tensor(200.0))
    assert only_copied.item() == pytest.approx(-204.0)


def test_the_extended_distribution_by_hand():
    """Six words can be generated, all alike; the source has word 1, its own word 7, and word 7 again."""
    pointer = Pointer(model_settings("catseq", output_vocabulary=6), words=6)
    with torch.no_grad():
        for weight in pointer.parameters():
            weight.zero_()  # s = 1/2, p_a = 1/6
    empty = torch.zeros(1, 1, 8)
    attention = torch.tensor([[[0.5, 0.1, 0.4]]]).log()
    decoded = Decoded(empty, empty, empty, attention, torch.zeros(1, 1, 7), attention)
    got = pointer(decoded, torch.tensor([[1, 7, 7]]), size=8).exp()
    torch.testing.assert_close(got[0, 0], torch.tensor([1 / 12] * 6 + [0, 0]) + torch.tensor([0, 0.25, *[0] * 5, 0.25]))
