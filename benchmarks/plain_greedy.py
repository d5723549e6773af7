"""Greedy decoding in torch as one writes it first: documents side by side, and rows that end leave the batch."""

import math

import torch

from keyseq.data.batching import Batch
from keyseq.data.vocabulary import BOS, EOS, PAD, UNK
from keyseq.network.memory import Memory
from keyseq.network.seq2seq import Seq2Seq

LONGEST = 40  # words of a sequence


@torch.inference_mode()
def plain_greedy(network: Seq2Seq, batch: Batch, words: int) -> list[list[int]]:
    """The most probable next word again and again, in extended ids, without `</s>`."""
    size = max(words, int(batch.source_extended.max()) + 1)
    encoded = network.encode(batch.source, batch.source_lengths)
    memory, state = network.remember(encoded, batch.source_extended), network.start(encoded)
    tokens = torch.full_like(batch.source_lengths, BOS)
    generated = torch.full((len(batch), LONGEST), EOS)
    rows = torch.arange(len(batch))
    for place in range(LONGEST):
        decoded, after = network.step(tokens[:, None], state, memory)
        scores = network.pointer(decoded, memory.words, size)[:, 0]
        scores[:, [PAD, UNK, BOS]] = -math.inf
        generated[rows, place] = tokens = scores.argmax(dim=1)
        going = (tokens != EOS).nonzero()[:, 0]
        if not len(going):
            break
        rows, tokens = rows[going], tokens[going]
        state = {name: part[going] for name, part in after.items()}
        memory = Memory(memory.states[going], memory.keys[going], memory.mask[going], memory.words[going])
    return [row[: row.index(EOS)] if EOS in row else row for row in generated.tolist()]
