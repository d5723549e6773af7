"""The decoder: a GRU over the target with attention over the source (equations 1, 7–11)."""

from collections.abc import Mapping, Sequence
from dataclasses import fields

import torch
from torch import Tensor, nn

from keyseq.config import ModelSettings
from keyseq.network.attention import Attention
from keyseq.network.dropout import Dropout
from keyseq.network.piece import Decoded, Piece, StepInput, piece_classes
from keyseq.network.products import Projection

HIDDEN = "hidden"  # the part of the state that every decoder has: h_d
Carried = Mapping[str, Tensor]  # (D, N, …) by name


class Bridge(nn.Module):
    """The initial decoder state: h_d^0 = L₀^tanh(h_e^N) (equation 8); `relu` as released, one layer per direction."""

    def __init__(self, settings: ModelSettings) -> None:
        super().__init__()
        size = settings.encoder_size
        self.joint = nn.Linear(settings.memory_size, settings.hidden_size) if settings.bridge == "tanh" else None
        self.halves = nn.ModuleList([] if self.joint else [nn.Linear(size, size), nn.Linear(size, size)])

    def forward(self, final: Tensor) -> Tensor:
        """Map final encoder states (D, 2He) to decoder states (D, H)."""
        if self.joint is not None:
            return torch.tanh(self.joint(final))
        halves = zip(self.halves, final.chunk(2, dim=-1), strict=True)
        return torch.cat([torch.relu(layer(half)) for layer, half in halves], dim=-1)


class Readout(nn.Module):
    """The layer before the output layer: L₄^tanh(⟨h_d, Σ α h_e⟩) (inner part of equation 11)."""

    def __init__(self, input_size: int, feature_size: int, settings: ModelSettings) -> None:
        super().__init__()
        size = settings.output_size
        self.joint = Projection(settings.hidden_size + settings.memory_size + feature_size, size)
        self.gate = ContextGate(input_size + settings.hidden_size, size) if settings.context_gate == "both" else None

    def forward(self, inputs: Tensor, states: Tensor, seen: Sequence[Tensor]) -> Tensor:
        """The readout (D, N, O) of inputs, states, and the further features `seen`: context and pieces, (D, N, …)."""
        joint = self.joint(torch.cat([states, *seen], dim=-1))
        readout: Tensor = (
            torch.tanh(joint) if self.gate is None else self.gate(torch.cat([inputs, states], dim=-1), joint)
        )
        return readout


class ContextGate(nn.Module):
    """The context gate of the released code, between the target side (word and state) and the source side."""

    def __init__(self, target_size: int, seen_size: int) -> None:
        super().__init__()
        self.gate = nn.Linear(target_size + seen_size, seen_size)
        self.target = nn.Linear(target_size, seen_size)
        self.seen = nn.Linear(seen_size, seen_size)

    def forward(self, target: Tensor, seen: Tensor) -> Tensor:
        """tanh((1 − z) · L(target) + z · L(seen))."""
        share = torch.sigmoid(self.gate(torch.cat([target, seen], dim=-1)))
        return torch.tanh(torch.lerp(self.target(target), self.seen(seen), share))


class Decoder(nn.Module):
    """h_d^t = GRU_d(x_d^t, h_d^{t−1}) with attention (equations 7, 9–11), dropout on h_d.

    `step` is the only implementation: training runs it over whole targets, the search and the exported graph run it
    word by word. Pieces define what they carry and add.
    """

    def __init__(self, settings: ModelSettings) -> None:
        super().__init__()
        kinds = piece_classes(settings)
        self._input_sizes = {name: kind.input_size(settings) for name, kind in kinds.items()}
        self._readout_sizes = {name: kind.readout_size(settings) for name, kind in kinds.items()}
        self._settings = settings
        size = settings.embedding_size + sum(self._input_sizes.values())
        self.bridge = Bridge(settings)
        self.gru = nn.GRU(size, settings.hidden_size, batch_first=True)
        self.dropout = Dropout(settings.dropout)
        self.attention = Attention(settings.hidden_size, settings.memory_size, settings.attention_size)
        self.readout = Readout(size, sum(self._readout_sizes.values()), settings)

    def forward(
        self, reading: StepInput, state: Carried, pieces: Mapping[str, Piece], lengths: tuple[Tensor, Tensor]
    ) -> tuple[Decoded, Carried]:
        """Run over whole targets of `lengths` (D,); also return the carried values after each word."""
        if not any(piece.feeds_back for piece in pieces.values()):
            return self.step(reading, state, pieces, lengths)
        steps, states = [], []
        for word in reading.split():
            decoded, state = self.step(word, state, pieces)
            steps.append(decoded)
            states.append(state)
        kept = [name for name in state if name == HIDDEN or "T" not in (pieces[name].axes or "")]  # T grows
        carried = {name: torch.cat([one[name] for one in states], dim=1) for name in kept}
        return _joined(steps), carried

    def step(
        self,
        reading: StepInput,
        state: Carried,
        pieces: Mapping[str, Piece],
        lengths: tuple[Tensor, Tensor] | None = None,
    ) -> tuple[Decoded, Carried]:
        """Read one word per hypothesis; return the outputs of the decoder and its next state.

        All words of a sequence can be read in one call if no piece feeds back.
        """
        memory = reading.memory
        values = {name: pieces[name].read(state[name], reading) for name in state if name != HIDDEN}
        carrying = [(pieces[name], value) for name, value in values.items()]
        inputs = _concatenated(reading.embedded, [piece.inputs(value) for piece, value in carrying])
        before = state[HIDDEN]
        for piece, value in carrying:
            before = piece.resume(value, before, reading)
        states = reading.advance(self.gru, inputs, before)
        dropped = self.dropout(states)
        log_attention = self.attention(
            dropped,
            memory,
            _given([piece.keys(value) for piece, value in carrying]),
            _given([piece.energies(value, dropped) for piece, value in carrying]),
            lengths,
        )
        context = log_attention.exp() @ memory.states
        features = [piece.features(values.get(name), dropped, reading) for name, piece in pieces.items()]
        readout = self.readout(inputs, dropped, [context, *_given(features)])
        log_copying = _rescaled(log_attention, _given([piece.copying(memory) for piece in pieces.values()]))
        decoded = Decoded(states, dropped, context, log_attention, readout, log_copying)
        after = {name: pieces[name].after(value, decoded) for name, value in values.items()}
        return decoded, {HIDDEN: states, **after}

    def columns(self) -> dict[str, list[tuple[str, int]]]:
        """For each weight with input columns of pieces: (piece, number of columns), "" for the decoder itself."""
        settings = self._settings
        inputs = [("", settings.embedding_size), *self._input_sizes.items()]
        seen = [("", settings.hidden_size + settings.memory_size), *self._readout_sizes.items()]
        found = {"gru.weight_ih_l0": inputs, "readout.joint.weight": seen}
        if self.readout.gate is not None:
            target = [*inputs, ("", settings.hidden_size)]
            found["readout.gate.target.weight"] = target
            found["readout.gate.gate.weight"] = [*target, ("", settings.output_size)]
        return found


def _given(parts: Sequence[Tensor | None]) -> list[Tensor]:
    return [part for part in parts if part is not None]


def _rescaled(log_attention: Tensor, factors: Sequence[Tensor]) -> Tensor:
    """The attention times factors (D, S), all as logarithms, normalised again."""
    if not factors:
        return log_attention
    return sum((factor[:, None] for factor in factors), start=log_attention).log_softmax(dim=-1)


def _concatenated(embedded: Tensor, parts: Sequence[Tensor | None]) -> Tensor:
    found = _given(parts)
    return torch.cat([embedded, *found], dim=-1) if found else embedded


def _joined(steps: Sequence[Decoded]) -> Decoded:
    parts = ([getattr(step, field.name) for step in steps] for field in fields(Decoded))
    return Decoded(*(torch.cat(part, dim=1) for part in parts))
