"""KG-KE: which source words belong to keyphrases, as a task and as weights of copying (Chen et al., 2019)."""

from collections.abc import Mapping
from dataclasses import replace

import torch
from torch import Tensor, nn
from torch.nn.functional import logsigmoid

from keyseq.config import ModelSettings
from keyseq.data.batching import Batch
from keyseq.data.vocabulary import UNK
from keyseq.network.memory import Encoded, Memory
from keyseq.network.piece import Piece

POSITIVE = 9.0  # weight of words of keyphrases, which are rare


class Extractor(Piece):
    """p_i = σ(w · tanh(W h_i + b) + c) that source word i belongs to a keyphrase; copying has α'_i = α_i p_i / Σ α p.

    The plain variant, without the recurrence over the words that were extracted before.
    """

    remembers = {"log_extraction": "S"}  # noqa: RUF012  # as in the base class

    def __init__(self, settings: ModelSettings) -> None:
        super().__init__(settings)
        self.hidden = nn.Linear(settings.memory_size, settings.attention_size)
        self.output = nn.Linear(settings.attention_size, 1)
        for weight in self.output.parameters():
            nn.init.zeros_(weight)  # all words are equally probable at first, which leaves copying as it is

    def encode(self, encoded: Encoded, inputs: Mapping[str, Tensor], embedding: nn.Embedding) -> Encoded:
        """Keep log p (D, S) for the decoder."""
        extra = {**encoded.extra, "log_extraction": logsigmoid(self.logits(encoded.states))}
        return replace(encoded, extra=extra)

    def copying(self, memory: Memory) -> Tensor:
        """log p."""
        return memory.extra["log_extraction"]

    def logits(self, states: Tensor) -> Tensor:
        """The logits (D, S) of p."""
        found: Tensor = self.output(torch.tanh(self.hidden(states)))
        return found[:, :, 0]

    def loss(self, encoded: Encoded, batch: Batch) -> Tensor:
        """The cross-entropy of each document's words outside of <unk>, averaged over documents."""
        places = torch.arange(batch.source.shape[1], device=batch.source.device)
        counted = (places < batch.source_lengths[:, None]) & (batch.source != UNK)
        return extraction_loss(self.logits(encoded.states), batch.further["keywords"], counted)


def extraction_loss(logits: Tensor, gold: Tensor, counted: Tensor) -> Tensor:
    """The weighted binary cross-entropy of words (D, S), its mean over the `counted` words of a document, of which the
    mean is taken."""
    each = -POSITIVE * gold * logsigmoid(logits) - (1 - gold) * logsigmoid(-logits)
    return ((each * counted).sum(dim=1) / counted.sum(dim=1).clamp(min=1)).mean()
