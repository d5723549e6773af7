"""The whole network: encoder, decoder, pointer, and optional pieces (appendix A)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import cast

import torch
from torch import Tensor, nn

from keyseq.config import ModelSettings
from keyseq.data.batching import Batch
from keyseq.data.vocabulary import BOS, PAD, SEP, UNK
from keyseq.network.assignment import assigned, flattened, repeated, repeated_parts
from keyseq.network.decoder import HIDDEN, Carried, Decoder
from keyseq.network.dropout import Dropout
from keyseq.network.encoder import Encoder, WordEmbeddings
from keyseq.network.memory import Encoded, Memory
from keyseq.network.piece import Decoded, Piece, StepInput, piece_classes, teacher_forcing
from keyseq.network.pointer import Pointer
from keyseq.network.target_encoder import TargetEncoder
from keyseq.network.titles import Titles


@dataclass(frozen=True, slots=True)
class Output:
    """The outputs of the network that the losses need."""

    log_likelihood: Tensor  # (B, T), log p of the gold words, 0 at padding; times their weights in slots (B·slots, T)
    repeats: Tensor | None  # (N,), log p of repeating the first word of an earlier phrase; None if not requested
    states: Tensor  # (B, T, H), decoder states h_d
    scores: Tensor | None  # (B, B), log g of every target with every source; None without a target encoder
    further: Mapping[str, Tensor] = field(default_factory=dict)  # requested losses of pieces, by name, scalars


class Seq2Seq(nn.Module):
    """A bidirectional GRU encoder, a GRU decoder with attention, a pointer softmax, and optional pieces.

    `words` is the size of the vocabulary, which may be smaller than in the settings. Source and target share their
    embeddings.
    """

    def __init__(self, settings: ModelSettings, words: int) -> None:
        super().__init__()
        self.settings = settings
        self.embedding = nn.Embedding(words, settings.embedding_size, padding_idx=PAD)
        nn.init.uniform_(self.embedding.weight, -0.1, 0.1)
        kinds = piece_classes(settings)
        self.encoder: Encoder | WordEmbeddings = (
            WordEmbeddings(settings.dropout)
            if any(kind.reads_embeddings for kind in kinds.values())
            else Encoder(settings.embedding_size, settings.encoder_size, settings.dropout)
        )
        self.decoder = Decoder(settings)
        self.pointer = Pointer(settings, words)
        self.pieces = nn.ModuleDict({name: kind(settings) for name, kind in kinds.items()})
        self.dropout = Dropout(settings.dropout)

    @property
    def added(self) -> Mapping[str, Piece]:
        """The pieces by setting name."""
        return {name: cast(Piece, piece) for name, piece in self.pieces.items()}

    @property
    def carried(self) -> dict[str, str]:
        """The state carried from word to word: names, and variable dimensions (see `Piece.axes`)."""
        axes = {name: piece.axes for name, piece in self.added.items()}
        return {HIDDEN: "", **{name: letters for name, letters in axes.items() if letters is not None}}

    @property
    def remembered(self) -> dict[str, str]:
        """What pieces add to the encoder memory: names, and variable dimensions."""
        return {name: axes for piece in self.added.values() for name, axes in piece.remembers.items()}

    def forward(self, batch: Batch, repeats: bool = False, losses: Iterable[str] = (), titles: bool = False) -> Output:
        """Score the gold targets of a batch by teacher forcing.

        With `repeats`, also repeated first words; `losses` are pieces whose own losses are requested. With `titles`,
        the targets are titles.
        """
        encoded = self.encode(batch.source, batch.source_lengths, batch.further)
        if titles:
            return self._titles(encoded, batch)
        memory, state = self.remember(encoded, batch.source_extended), self.start(encoded)
        source_lengths = encoded.lengths
        if batch.target_input.dim() == 3:  # in slots
            slots, batch = batch.target_input.shape[1], flattened(assigned(self, batch))
            memory, source_lengths = repeated(memory, slots), source_lengths.repeat_interleave(slots)
            state = repeated_parts(state, slots)
        reading = teacher_forcing(batch, self.dropout(self._embedded(batch.target_input)), memory)
        decoded, carried = self.decoder(reading, state, self.added, (batch.target_lengths, source_lengths))
        scores = None
        if isinstance(target_encoder := self.added.get("target_encoder"), TargetEncoder):
            states = carried["target_encoder"]
            scores = target_encoder.scores(states, batch.target_lengths, encoded, state[HIDDEN][:, 0])
        likelihood = self.pointer.likelihood(decoded, batch, repeats)
        further = {name: self.added[name].loss(encoded, batch) for name in losses}
        words = likelihood.words * batch.further["weights"][:, None] if "weights" in batch.further else likelihood.words
        return Output(words, likelihood.repeats, decoded.states, scores, further)

    def _titles(self, encoded: Encoded, batch: Batch) -> Output:
        embedded = self.dropout(self.embedding(batch.target_input))
        decoder = cast(Titles, self.added["titles"])
        words, states = decoder.likelihood(encoded, batch, embedded, self.pointer)
        return Output(words, None, states, None)

    def encode(self, source: Tensor, lengths: Tensor, inputs: Mapping[str, Tensor] | None = None) -> Encoded:
        """Read source words (D, S) of texts of `lengths` (D,), and the further inputs that the settings name."""
        states, final = self.encoder(self.embedding(source.t()).transpose(0, 1), lengths)
        encoded = Encoded(states, final, lengths)
        for piece in self.added.values():
            encoded = piece.encode(encoded, inputs or {}, self.embedding)
        return encoded

    def remember(self, encoded: Encoded, words: Tensor) -> Memory:
        """The encoder memory; `words` are extended ids (D, S), which identify words outside the vocabulary."""
        return self.decoder.attention.memory(encoded, words)

    def start(self, encoded: Encoded) -> dict[str, Tensor]:
        """The initial state of one hypothesis per document: (D, 1, …)."""
        hidden = self.decoder.bridge(encoded.final)
        values = {HIDDEN: hidden}
        for name in self.carried.keys() - {HIDDEN}:
            values[name] = self.added[name].start(encoded, hidden)
        return {name: values[name][:, None] for name in self.carried}

    def step(self, words: Tensor, state: Carried, memory: Memory) -> tuple[Decoded, Carried]:
        """Read one word per hypothesis (D, N), an extended id; words outside the vocabulary are read as UNK."""
        known = torch.where(words < self.embedding.num_embeddings, words, UNK)
        return self.decoder.step(StepInput(words, self._embedded(known), memory), state, self.added)

    def _embedded(self, words: Tensor) -> Tensor:
        """The embeddings (D, N, E) of words that the decoder reads."""
        if any(piece.reads_separator_as_start for piece in self.added.values()):
            words = torch.where(words == SEP, BOS, words)
        embedded: Tensor = self.embedding(words)
        return embedded
