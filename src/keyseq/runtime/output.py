"""The output layer in blocks whose probabilities fit into the processor's cache."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from keyseq.runtime.state import CHUNK, Layout

NEVER = -1e4  # a logit that float16 can represent and whose exponential is zero
HIGHEST = 70.0  # a logit whose exponential can be summed in float32 without overflow


@dataclass(frozen=True, slots=True)
class Generated:
    """s · p_a for hypotheses (D, B): exponentials of logits by block, and their normaliser."""

    parts: list[Tensor]  # (D, B, columns)
    peaks: list[Tensor]  # (D, B, chunks of a block), the largest of each chunk
    weight: Tensor  # (D, B, 1), s over the sum of all

    def of_chunks(self) -> Tensor:
        """The largest probability of each chunk (D, B, chunks)."""
        return torch.cat(self.peaks, dim=-1) * self.weight

    def at(self, places: Tensor) -> Tensor:
        """The probability (D, B, X) at columns of each block (D, count, B, X); all but one point to padding."""
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
        """The same, masked (D, B, all columns)."""
        masks = torch.chunk(mask, len(self.parts), dim=-1)
        parts = [part * some for part, some in zip(self.parts, masks, strict=True)]
        return Generated(parts, [peaks(part) for part in parts], self.weight)


class OutputLayer(nn.Module):
    """The output layer of the network in matrices (O + 1, columns) with the bias in the last row.

    Its input is a tanh, so a logit cannot exceed the absolute sum of its weights; all logits are shifted such that this
    bound does not overflow in float32. So the softmax needs no maximum of the logits.
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
            # in one tensor, so that an engine computes both while the block is in the cache
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
    """The maximum of each chunk of the last dimension."""
    return values.view(*values.shape[:-1], -1, CHUNK).amax(dim=-1)


def largest(values: Tensor, k: Tensor, is_sorted: bool = True) -> tuple[Tensor, Tensor]:
    """The k largest of the last dimension, or all if it is shorter; a tensor `k` stays variable in an export."""
    fitting = torch.minimum(k, torch.tensor(values.shape[-1]))
    return torch.topk(values, fitting, dim=-1, sorted=is_sorted)  # type: ignore[arg-type]


def _block(layer: nn.Linear, number: int, layout: Layout, move: float) -> nn.Parameter:
    """A block of the layer, padded with columns of probability 0."""
    some = slice(number * layout.width, (number + 1) * layout.width)
    matrix = torch.cat([layer.weight.detach()[some].T, layer.bias.detach()[None, some] + move])
    filled = nn.functional.pad(matrix, (0, layout.columns - matrix.shape[1]))
    filled[-1, matrix.shape[1] :] = NEVER
    return nn.Parameter(filled, requires_grad=False)
