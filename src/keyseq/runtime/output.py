"""The output layer in blocks whose probabilities stay in a processor's cache."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from keyseq.runtime.state import CHUNK, Layout

NEVER = -1e4  # a logit whose exponential is zero, and which float16 can hold
HIGHEST = 70.0  # a logit whose exponential leaves float32 room for sums


@dataclass(frozen=True, slots=True)
class Generated:
    """s · p_a for hypotheses (D, B): exponentials of logits by block, and what makes probabilities of them."""

    parts: list[Tensor]  # (D, B, columns)
    peaks: list[Tensor]  # (D, B, chunks of a block), the largest of each chunk
    weight: Tensor  # (D, B, 1), s over the sum of all

    def of_chunks(self) -> Tensor:
        """The largest probability of each chunk (D, B, chunks)."""
        return torch.cat(self.peaks, dim=-1) * self.weight

    def at(self, places: Tensor) -> Tensor:
        """The probability at places of each block (D, count, B, X), all but one of which are no word's: (D, B, X)."""
        found = [part.gather(-1, places[:, number]) for number, part in enumerate(self.parts)]
        return sum(found[1:], start=found[0]) * self.weight

    def chunks(self, beams: Tensor, chunks: Tensor) -> Tensor:
        """The probabilities of the words of some chunks of some hypotheses (D, C): (D, C, CHUNK)."""
        documents, width, columns = self.parts[0].shape
        per_block = columns // CHUNK
        block, within = chunks // per_block, chunks % per_block
        rows = torch.arange(documents, device=beams.device)[:, None] * width + beams
        found = [
            part.view(-1, CHUNK)[rows * per_block + within] * (block == number)[:, :, None]
            for number, part in enumerate(self.parts)
        ]
        return sum(found[1:], start=found[0]) * self.weight[:, :, 0].gather(1, beams)[:, :, None]

    def masked(self, mask: Tensor) -> "Generated":
        """Only what a mask (D, B, all columns) leaves."""
        masks = torch.chunk(mask, len(self.parts), dim=-1)
        parts = [part * some for part, some in zip(self.parts, masks, strict=True)]
        return Generated(parts, [peaks(part) for part in parts], self.weight)


class OutputLayer(nn.Module):
    """The last layer of the network, cut into matrices (O + 1, columns) with the bias in the last row.

    What enters it is a tanh, so no logit can surpass the sum of its weights; all logits are moved by what keeps even
    that within the exponentials that float32 can hold. So none of them has to be looked for the largest first.
    """

    def __init__(self, layer: nn.Linear) -> None:
        super().__init__()
        self.layout = Layout(layer.out_features)
        highest = float((layer.weight.detach().abs().sum(dim=1) + layer.bias.detach()).max())
        move = min(0.0, HIGHEST - highest)
        self.blocks = nn.ParameterList(_block(layer, number, self.layout, move) for number in range(self.layout.count))
        self.chunks = self.layout.count * self.layout.columns // CHUNK

    def forward(self, readout: Tensor, switch: Tensor) -> Generated:
        """The distribution of readouts (D, B, O) for switches (D, B, 1)."""
        rows = nn.functional.pad(readout, (0, 1), value=1.0)
        parts, heights, sums = [], [], []
        for block in self.blocks:
            part = (rows @ block).exp()
            # side by side in one tensor, so that an engine looks at a block once for both, while it is in the cache
            both = torch.cat([peaks(part), part.sum(dim=-1, keepdim=True)], dim=-1)
            height, total = torch.split_with_sizes(both, [self.layout.columns // CHUNK, 1], dim=-1)
            parts.append(part)
            heights.append(height)
            sums.append(total)
        return Generated(parts, heights, switch / sum(sums[1:], start=sums[0]))

    def first_id(self, chunks: Tensor) -> Tensor:
        """The id of the first word of chunks."""
        per_block = self.layout.columns // CHUNK
        return chunks // per_block * self.layout.width + chunks % per_block * CHUNK


def peaks(values: Tensor) -> Tensor:
    """The largest of each chunk of the last dimension."""
    return values.view(*values.shape[:-1], -1, CHUNK).amax(dim=-1)


def largest(values: Tensor, k: Tensor, is_sorted: bool = True) -> tuple[Tensor, Tensor]:
    """The k largest of the last dimension, or all if it is shorter; `k` is a tensor to stay open in an export."""
    fitting = torch.minimum(k, torch.tensor(values.shape[-1]))
    return torch.topk(values, fitting, dim=-1, sorted=is_sorted)  # type: ignore[arg-type]


def _block(layer: nn.Linear, number: int, layout: Layout, move: float) -> nn.Parameter:
    """A block of the layer, filled up with words of no probability."""
    some = slice(number * layout.width, (number + 1) * layout.width)
    matrix = torch.cat([layer.weight.detach()[some].T, layer.bias.detach()[None, some] + move])
    filled = nn.functional.pad(matrix, (0, layout.columns - matrix.shape[1]))
    filled[-1, matrix.shape[1] :] = NEVER
    return nn.Parameter(filled, requires_grad=False)
