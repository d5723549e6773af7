"""Dropout that draws its lots in bulk."""

import torch
from torch import Tensor, nn
from torch.nn import functional

LOTS = 1 << 16  # a lot is one of so many


class Dropout(nn.Module):
    """Zero a share of the numbers in training and scale the others up, as `nn.Dropout` does.

    On a CPU PyTorch draws a random number for each number it may drop; here one of 64 bits is cut into four lots,
    which is three times as fast. The share is rounded to one of 65,536.
    """

    def __init__(self, share: float) -> None:
        super().__init__()
        self.share = share

    def forward(self, numbers: Tensor) -> Tensor:
        """Drop from a tensor of any shape."""
        if not (self.training and self.share):
            return numbers
        if numbers.device.type != "cpu":
            return functional.dropout(numbers, self.share)
        dropped = round(self.share * LOTS)
        draws = torch.empty(-(-numbers.numel() // 4), dtype=torch.int64).random_(-(2**63), None)
        lots = draws.view(torch.int16)[: numbers.numel()].view(numbers.shape)
        kept = lots.ge(dropped - LOTS // 2).to(numbers.dtype)
        return numbers * kept.mul_(LOTS / (LOTS - dropped))
