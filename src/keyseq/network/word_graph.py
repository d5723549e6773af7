"""The encoder of DivGraphPointer: gated convolutions over the graph of a text's words (Sun et al., 2019)."""

from collections.abc import Mapping
from dataclasses import replace

import torch
from torch import Tensor, nn

from keyseq.config import ModelSettings
from keyseq.network.dropout import Dropout
from keyseq.network.memory import Encoded
from keyseq.network.piece import Piece

ENDS = 2  # the last nodes, <sep> and </s>, which have no neighbours


class WordGraph(Piece):
    """H' = H + f(H) ⊙ σ(g(H)), where f and g are Â→ H W→ + Â← H W← + H W + b, each with its own weights.

    The source is the distinct words of the text; Â is its matrix `near` with loops, scaled by the roots of its row
    sums. The final state is the mean of the words.
    """

    reads_embeddings = True
    new_weights = "refused"

    def __init__(self, settings: ModelSettings) -> None:
        super().__init__(settings)
        size = settings.memory_size
        self.first = nn.Linear(settings.embedding_size, size)
        self.layers = nn.ModuleList(nn.Linear(3 * size, 2 * size) for _ in range(settings.word_graph))
        self.dropout = Dropout(settings.dropout)

    def encode(self, encoded: Encoded, inputs: Mapping[str, Tensor], embedding: nn.Embedding) -> Encoded:
        """The states of the words, and their mean."""
        near = inputs["near"]
        after, before = scaled(near), scaled(near.transpose(1, 2))
        states = self.first(encoded.states)
        for layer in self.layers:
            seen = torch.cat([after @ states, before @ states, states], dim=-1)
            change, gate = torch.split_with_sizes(layer(seen), [self.settings.memory_size] * 2, dim=-1)
            states = states + change * gate.sigmoid()
        states = self.dropout(states)
        words = encoded.lengths[:, None] - ENDS
        inside = torch.arange(states.shape[1], device=words.device) < words
        mean = (states * inside[:, :, None]).sum(dim=1) / words.clamp(min=1)
        return replace(encoded, states=states, final=mean)


def scaled(near: Tensor) -> Tensor:
    """D^−½ (A + I) D^−½ for matrices A (D, S, S), where D are the row sums of A + I."""
    places = torch.arange(near.shape[1], device=near.device)
    looped = near + (places[:, None] == places).to(near.dtype)
    roots = looped.sum(dim=-1).rsqrt()
    return looped * roots[:, :, None] * roots[:, None]
