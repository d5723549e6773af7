"""Beam search as one writes it first: a document at a time, the memory copied for every hypothesis, all in torch."""

import math
from dataclasses import fields
from typing import Any

import torch
from torch import Tensor

from keyseq.data.batching import Batch
from keyseq.data.vocabulary import BOS, EOS, PAD, UNK
from keyseq.network.attention import Memory
from keyseq.network.pointer import log_probabilities
from keyseq.network.seq2seq import Seq2Seq

Sequences = list[tuple[float, list[int]]]


@torch.inference_mode()
def plain_beam(network: Seq2Seq, document: Batch, width: int, max_length: int) -> Sequences:
    """The sequences of a batch of one document with their log-probabilities, every finished one kept."""
    words = network.embedding.num_embeddings
    size = max(words, int(document.source_extended.max()) + 1)
    memory = network.encode(document.source, document.source_lengths)
    state = network.start(memory).select(torch.zeros(width, dtype=torch.long))
    memory = _repeated(memory, width)
    extended = document.source_extended.repeat(width, 1)
    sequences = torch.full((width, 1), BOS)
    scores = torch.full((width,), -math.inf)
    scores[0] = 0
    finished: Sequences = []
    for _ in range(max_length):
        last = sequences[:, -1]
        choice, state = network.step(torch.where(last < words, last, UNK), state, memory)
        chances = log_probabilities(choice, extended, size)
        chances[:, [PAD, UNK, BOS]] = -math.inf
        scores, flat = (scores[:, None] + chances).flatten().topk(width)
        rows, tokens = flat // size, flat % size
        sequences = torch.cat([sequences[rows], tokens[:, None]], dim=1)
        state = state.select(rows)
        ended = tokens == EOS
        for row in ended.nonzero()[:, 0].tolist():
            finished.append((float(scores[row]), sequences[row, 1:-1].tolist()))
        scores = scores.masked_fill(ended, -math.inf)
    live = scores.isfinite().nonzero()[:, 0].tolist()
    finished += [(float(scores[row]), sequences[row, 1:].tolist()) for row in live]
    return sorted(finished, key=lambda pair: -pair[0])


def _repeated(memory: Memory, times: int) -> Memory:
    parts: dict[str, Any] = {field.name: getattr(memory, field.name) for field in fields(memory)}
    return Memory(**{name: _rows(part, times) for name, part in parts.items()})


def _rows(part: Tensor, times: int) -> Tensor:
    return part.repeat(times, *[1] * (part.dim() - 1))
