"""ParaNet: parts of speech, read beside the words and, in training, generated beside them (Zhao and Zhang, 2019)."""

from collections.abc import Mapping
from dataclasses import replace

import torch
from torch import Tensor, nn

from keyseq.config import ModelSettings
from keyseq.data.batching import Batch
from keyseq.data.vocabulary import BOS, EOS, PAD, UNK
from keyseq.data.word_tags import TAGS
from keyseq.network.attention import Attention
from keyseq.network.dropout import Dropout
from keyseq.network.encoder import Encoder
from keyseq.network.memory import Encoded
from keyseq.network.piece import Piece
from keyseq.network.recurrence import recurrent


class PosTags(Piece):
    """A second encoder over the tags of the source, whose states are merged with those of the words, place by place.

    In training, a second decoder generates the tags of the target from the merged states.
    """

    new_weights = "refused"  # no weights of a merge leave the states of the words as they are

    def __init__(self, settings: ModelSettings) -> None:
        super().__init__(settings)
        self.embedding = nn.Embedding(len(TAGS), settings.tag_size, padding_idx=PAD)
        self.encoder = Encoder(settings.tag_size, settings.encoder_size, settings.dropout)
        self.merge = (TreeMerge if settings.tags_merge == "tree" else TanhMerge)(settings.memory_size)
        self.decoder = TagDecoder(settings)

    def encode(self, encoded: Encoded, inputs: Mapping[str, Tensor], _: nn.Embedding) -> Encoded:
        """Merge states, and final states."""
        tags = self._blanked(inputs["tags"]) if self.training else inputs["tags"]
        states, final = self.encoder(self.embedding(tags), encoded.lengths)
        return replace(encoded, states=self.merge(encoded.states, states), final=self.merge(encoded.final, final))

    def _blanked(self, tags: Tensor) -> Tensor:
        """Some documents have unknown tags only, as all of a language without a tagger have."""
        chosen = torch.rand(len(tags), 1, device=tags.device) < self.settings.tags_blanked
        return torch.where(chosen & (tags != PAD), UNK, tags)

    def loss(self, encoded: Encoded, batch: Batch) -> Tensor:
        """The mean negative log-likelihood of a target tag."""
        tags = batch.further["target_tags"]
        before = torch.cat([torch.full_like(tags[:, :1], BOS), tags[:, :-1]], dim=1)
        logits = self.decoder(self.embedding(before.masked_fill(before == EOS, PAD)), encoded, batch)
        return nn.functional.cross_entropy(logits.flatten(0, 1), tags.flatten(), ignore_index=PAD)


class TanhMerge(nn.Module):
    """tanh(W[h_w; h_g] + b)."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.joint = nn.Linear(2 * size, size)

    def forward(self, words: Tensor, tags: Tensor) -> Tensor:
        """The merged states (…, 2He)."""
        joint: Tensor = self.joint(torch.cat([words, tags], dim=-1))
        return torch.tanh(joint)


class TreeMerge(nn.Module):
    """A node of a binary tree-LSTM over h_w and h_g, which as states of GRUs are their own memory cells.

    (i, f_w, f_g, o) = σ(U[h_w; h_g] + b), z = tanh(U_z[h_w; h_g]), h = o ⊙ tanh(i ⊙ z + f_w ⊙ h_w + f_g ⊙ h_g).
    """

    def __init__(self, size: int) -> None:
        super().__init__()
        self.gates = nn.Linear(2 * size, 4 * size)
        self.candidate = nn.Linear(2 * size, size, bias=False)

    def forward(self, words: Tensor, tags: Tensor) -> Tensor:
        """The merged states (…, 2He)."""
        both = torch.cat([words, tags], dim=-1)
        entering, of_words, of_tags, leaving = self.gates(both).sigmoid().chunk(4, dim=-1)
        cell = entering * torch.tanh(self.candidate(both)) + of_words * words + of_tags * tags
        merged: Tensor = leaving * torch.tanh(cell)
        return merged


class TagDecoder(nn.Module):
    """A GRU over target tags with attention over the merged states; it is needed in training only."""

    def __init__(self, settings: ModelSettings) -> None:
        super().__init__()
        size = settings.hidden_size
        self.bridge = nn.Linear(settings.memory_size, size)
        self.gru = nn.GRU(settings.tag_size, size, batch_first=True)
        self.dropout = Dropout(settings.dropout)
        self.attention = Attention(size, settings.memory_size, settings.attention_size)
        self.output = nn.Linear(size + settings.memory_size, len(TAGS))

    def forward(self, embedded: Tensor, encoded: Encoded, batch: Batch) -> Tensor:
        """The logits (B, T, tags) of the next tags."""
        states, _ = recurrent(self.gru, embedded, torch.tanh(self.bridge(encoded.final)))
        states = self.dropout(states)
        memory = self.attention.memory(encoded, batch.source_extended)
        lengths = (batch.target_lengths, encoded.lengths)
        context = self.attention(states, memory, lengths=lengths).exp() @ encoded.states
        logits: Tensor = self.output(torch.cat([states, context], dim=-1))
        return logits
