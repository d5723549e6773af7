import pytest
import torch

from keyseq.network.dropout import Dropout


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_the_share_is_dropped_and_the_rest_scaled_so_that_the_mean_stays(share):
    torch.manual_seed(0)
    numbers = Dropout(share)(torch.ones(1000, 403))
    assert (numbers == 0).float().mean().item() == pytest.approx(share, abs=3e-3)
    assert numbers.mean().item() == pytest.approx(1, abs=0.03)
    assert len(numbers.unique()) == 2


def test_lots_are_drawn_for_each_number_alone():
    """The four lots of a draw are independent: neighbours are dropped together as often as chance has it."""
    torch.manual_seed(0)
    dropped = (Dropout(0.3)(torch.ones(400_000)) == 0).float().view(-1, 4)
    for first in range(4):
        assert dropped[:, first].mean().item() == pytest.approx(0.3, abs=6e-3)
        for second in range(first):
            assert (dropped[:, first] * dropped[:, second]).mean().item() == pytest.approx(0.09, abs=4e-3)


def test_gradients_pass_where_numbers_passed():
    torch.manual_seed(0)
    numbers = torch.randn(5, 7, requires_grad=True)
    out = Dropout(0.5)(numbers)
    out.sum().backward()
    torch.testing.assert_close(numbers.grad * numbers, out)


def test_it_follows_the_seed_and_rests_in_inference():
    dropout, numbers = Dropout(0.5), torch.ones(101)
    torch.manual_seed(1)
    first, second = dropout(numbers), dropout(numbers)
    torch.manual_seed(1)
    assert dropout(numbers).equal(first)
    assert not second.equal(first)
    assert dropout.eval()(numbers) is numbers
    assert Dropout(0.0)(numbers) is numbers
