"""One2Set: the assignment of target phrases to slots in training (Ye et al., 2021)."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from keyseq.data.batching import Batch
from keyseq.data.vocabulary import EOS, PAD, UNK
from keyseq.network.decoder import Carried
from keyseq.network.memory import Memory

if TYPE_CHECKING:
    from keyseq.network.seq2seq import Seq2Seq


def assigned(network: "Seq2Seq", batch: Batch) -> Batch:
    """The batch with targets (B, slots, T) in the order that fits the slots best, separately in each half.

    A slot generates its first words greedily, without dropout; a target fits it by the probabilities of its first words
    then. A slot without a target fits all of them alike.
    """
    with torch.no_grad(), _inference(network):
        gains = _gains(network, batch, min(network.settings.assignment_words, batch.target_output.shape[2]))
    order = torch.from_numpy(np.stack([best_order(one) for one in gains.cpu().numpy()])).to(gains.device)
    output = batch.target_output.gather(1, order[:, :, None].expand_as(batch.target_output))
    before = output[:, :, :-1]
    before = before.masked_fill(before == EOS, PAD).where(before < network.embedding.num_embeddings, UNK)
    return replace(
        batch,
        target_input=torch.cat([batch.target_input[:, :, :1], before], dim=2),
        target_output=output,
        target_lengths=batch.target_lengths.gather(1, order),
        further={**batch.further, **{name: batch.further[name].gather(1, order) for name in ("empty", "weights")}},
    )


def best_order(gains: NDArray[np.float32]) -> NDArray[np.int64]:
    """The target of each slot (slots,) with the largest sum of gains (slots, targets); none changes its half."""
    from scipy.optimize import linear_sum_assignment

    half = len(gains) // 2
    present, absent = gains[:half, :half], gains[half:, half:]
    first, second = (linear_sum_assignment(part, maximize=True)[1] for part in (present, absent))
    return np.concatenate([first, half + second])


def _gains(network: "Seq2Seq", batch: Batch, words: int) -> Tensor:
    """Σ p of the first words of each target in each slot (B, slots, targets); 0 for targets without a phrase."""
    encoded = network.encode(batch.source, batch.source_lengths, batch.further)
    memory, before = network.remember(encoded, batch.source_extended), network.start(encoded)
    last, targets = batch.target_input[:, :, 0], batch.target_output
    state: Carried = {name: part.expand(-1, last.shape[1], *part.shape[2:]) for name, part in before.items()}
    size = max(network.embedding.num_embeddings, int(batch.source_extended.max()) + 1, int(targets.max()) + 1)
    total = torch.zeros(*last.shape, last.shape[1], device=last.device)
    for place in range(words):
        decoded, state = network.step(last, state, memory)
        chosen = []
        for row in range(len(last)):  # one document at a time: a distribution has as many numbers as the vocabulary
            [chances] = network.pointer.probabilities(decoded.of(row), batch.source_extended[row : row + 1], size)
            wanted = targets[row, :, place]
            total[row] += chances[:, wanted] * (wanted != PAD)
            chosen.append(chances.argmax(dim=-1))
        last = torch.stack(chosen)
    return total * ~batch.further["empty"][:, None]


def flattened(batch: Batch) -> Batch:
    """The targets (B, slots, T) as (B·slots, T), with the words of their sources."""
    slots = batch.target_input.shape[1]
    targets = (batch.target_input, batch.target_output, batch.target_lengths, batch.further["weights"])
    given, output, lengths, weights = (part.flatten(0, 1) for part in targets)
    return replace(
        batch,
        source_extended=batch.source_extended.repeat_interleave(slots, dim=0),
        target_input=given,
        target_output=output,
        target_lengths=lengths,
        further={**batch.further, "weights": weights},
    )


def repeated(memory: Memory, slots: int) -> Memory:
    """The memory of each document for each of its slots."""
    parts = (memory.states, memory.keys.transpose(1, 2), memory.mask, memory.words)  # words before units in memory
    states, keys, mask, words = (part.repeat_interleave(slots, dim=0) for part in parts)
    return Memory(states, keys.transpose(1, 2), mask, words, repeated_parts(memory.extra, slots))


def repeated_parts(parts: Mapping[str, Tensor], slots: int) -> dict[str, Tensor]:
    """Tensors by document for each of its slots."""
    return {name: part.repeat_interleave(slots, dim=0) for name, part in parts.items()}


@contextmanager
def _inference(network: "Seq2Seq") -> Iterator[None]:
    was = network.training
    network.eval()
    try:
        yield
    finally:
        network.train(was)
