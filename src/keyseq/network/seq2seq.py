"""The whole network: encoder, decoder and pointer, with or without a target encoder (appendix A)."""

from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn

from keyseq.config import ModelSettings
from keyseq.data.batching import Batch
from keyseq.data.vocabulary import PAD, UNK
from keyseq.network.attention import Memory
from keyseq.network.decoder import Decoder, State
from keyseq.network.dropout import Dropout
from keyseq.network.encoder import Encoder
from keyseq.network.pointer import Choice, Pointer
from keyseq.network.target_encoder import TargetEncoder


@dataclass(frozen=True, slots=True)
class Output:
    """What the losses need of a batch."""

    log_likelihood: Tensor  # (B, T), log p of the gold words, 0 at padding
    repeats: Tensor | None  # (N,), log p of beginning a phrase as an earlier one began; None where not asked for
    states: Tensor  # (B, T, H), decoder states h_d
    scores: Tensor | None  # (B, B), log g of every target with every source; None without a target encoder


class Seq2Seq(nn.Module):
    """A bidirectional GRU encoder, a GRU decoder with attention, and a pointer softmax.

    `words` is the size of the vocabulary, which may be smaller than the settings allow. Source and target share one
    table of embeddings.
    """

    def __init__(self, settings: ModelSettings, words: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(words, settings.embedding_size, padding_idx=PAD)
        nn.init.uniform_(self.embedding.weight, -0.1, 0.1)
        self.encoder = Encoder(settings.embedding_size, settings.encoder_size, settings.dropout)
        self.decoder = Decoder(settings)
        self.pointer = Pointer(settings, words)
        self.target_encoder = TargetEncoder(settings) if settings.target_encoder else None
        self.dropout = Dropout(settings.dropout)

    def forward(self, batch: Batch, repeats: bool = False) -> Output:
        """Score the gold targets of a batch, each word given those before it (teacher forcing), and `repeats`."""
        memory = self.encode(batch.source, batch.source_lengths, batch.source_extended)
        state = self.start(memory)
        inputs, said, _ = self._read(batch.target_input, state)
        words = torch.cat([batch.target_input[:, :1], batch.target_output[:, :-1]], dim=1)
        decoded, _ = self.decoder(inputs, words, state, memory, batch.target_lengths)
        scores = None
        if self.target_encoder is not None and said is not None:
            scores = self.target_encoder.scores(said, batch.target_lengths, memory.final, state.hidden)
        likelihood = self.pointer.likelihood(decoded, batch, repeats)
        return Output(likelihood.words, likelihood.repeats, decoded.states, scores)

    def encode(self, source: Tensor, lengths: Tensor, extended: Tensor | None = None) -> Memory:
        """Read source words (B, S) of texts of `lengths` (B,); `extended` tells apart those outside the vocabulary."""
        states, final = self.encoder(self.embedding(source.t()).transpose(0, 1), lengths)
        mask = torch.arange(source.shape[1], device=source.device) < lengths[:, None]
        keys = self.decoder.attention.key(states)
        return Memory(states, keys, lengths, mask, final, source if extended is None else extended)

    def start(self, memory: Memory) -> State:
        """The state before the first word."""
        state: State = self.decoder.start(memory)
        if self.target_encoder is None:
            return state
        return replace(state, target=self.target_encoder.start(memory.final, state.hidden))

    def step(self, tokens: Tensor, state: State, memory: Memory) -> tuple[Choice, State]:
        """Read one more word of each row (B,), an extended id, and offer the next.

        A word outside the vocabulary is read as UNK.
        """
        known = torch.where(tokens < self.embedding.num_embeddings, tokens, UNK)
        inputs, _, target = self._read(known[:, None], state)
        decoded, after = self.decoder(inputs, tokens[:, None], state, memory)
        return self.pointer(decoded), replace(after, target=target)

    def _read(self, tokens: Tensor, state: State) -> tuple[Tensor, Tensor | None, Tensor | None]:
        """The decoder's inputs ⟨x_d, h_SC⟩ (B, T, X) (equation 1), h_SC (B, T, Ht), and its last (B, Ht)."""
        embedded = self.dropout(self.embedding(tokens))
        if self.target_encoder is None or state.target is None:
            return embedded, None, None
        said, last = self.target_encoder(embedded, state.target)
        return torch.cat([embedded, said.detach()], dim=-1), said, last
