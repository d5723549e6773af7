"""Beam search as one writes it first: a document at a time, the memory copied for every hypothesis, all in torch."""

import math

import torch
from torch import Tensor

from keyseq.data.batching import Batch
from keyseq.data.vocabulary import BOS, EOS, PAD, UNK
from keyseq.network.memory import Memory
from keyseq.network.seq2seq import Seq2Seq

Sequences = list[tuple[float, list[int]]]


@torch.inference_mode()
def plain_beam(network: Seq2Seq, document: Batch, width: int, max_length: int) -> Sequences:
    """The sequences of a batch of one document with their log-probabilities, every finished one kept."""
    words = network.embedding.num_embeddings
    size = max(words, int(document.source_extended.max()) + 1)
    encoded = network.encode(document.source, document.source_lengths)
    memory = _repeated(network.remember(encoded, document.source_extended), width)
    state = {name: _rows(part, width) for name, part in network.start(encoded).items()}
    sequences = torch.full((width, 1), BOS)
    scores = torch.full((width,), -math.inf)
    scores[0] = 0
    finished: Sequences = []
    for _ in range(max_length):
        last = sequences[:, -1]
        decoded, after = network.step(last[:, None], state, memory)
        chances = network.pointer(decoded, memory.words, size)[:, 0]
        chances[:, [PAD, UNK, BOS]] = -math.inf
        scores, flat = (scores[:, None] + chances).flatten().topk(width)
        rows, tokens = flat // size, flat % size
        sequences = torch.cat([sequences[rows], tokens[:, None]], dim=1)
        state = {name: part[rows] for name, part in after.items()}
        ended = tokens == EOS
        for row in ended.nonzero()[:, 0].tolist():
            finished.append((float(scores[row]), sequences[row, 1:-1].tolist()))
        scores = scores.masked_fill(ended, -math.inf)
    live = scores.isfinite().nonzero()[:, 0].tolist()
    finished += [(float(scores[row]), sequences[row, 1:].tolist()) for row in live]
    return sorted(finished, key=lambda pair: -pair[0])


def _repeated(memory: Memory, times: int) -> Memory:
    states, keys, mask, words = (_rows(part, times) for part in (memory.states, memory.keys, memory.mask, memory.words))
    return Memory(states, keys, mask, words)


def _rows(part: Tensor, times: int) -> Tensor:
    return part.repeat(times, *[1] * (part.dim() - 1))
