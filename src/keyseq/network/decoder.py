"""The decoder: a GRU over the target, which looks at the source at every step (equations 1, 7–11)."""

from dataclasses import dataclass, fields, replace
from typing import Any

import torch
from torch import Tensor, nn

from keyseq.config import ModelSettings
from keyseq.network.attention import Attention, Memory
from keyseq.network.dropout import Dropout
from keyseq.network.recurrence import recurrent


@dataclass(frozen=True, slots=True)
class State:
    """Where a decoder stands after some words."""

    hidden: Tensor  # (B, H), h_d
    target: Tensor | None = None  # (B, Ht), h_SC
    fed: Tensor | None = None  # (B, O), the last readout, with input feeding
    covered: Tensor | None = None  # (B, S), the attention so far, with coverage
    said: Tensor | None = None  # (B, S), 1 at words of the source that were said, where the attention sees them

    def select(self, rows: Tensor) -> "State":
        """The states of some rows, in their order: what a beam search keeps."""
        parts = ((field.name, getattr(self, field.name)) for field in fields(self))
        kept: dict[str, Any] = {name: part[rows] for name, part in parts if part is not None}
        return State(**kept)


@dataclass(frozen=True, slots=True)
class Decoded:
    """What T steps of the decoder give."""

    states: Tensor  # (B, T, H), h_d as the GRU leaves it
    dropped: Tensor  # (B, T, H), h_d after dropout, which the parts below have seen
    context: Tensor  # (B, T, 2He), Σ α h_e
    log_attention: Tensor  # (B, T, S), log α
    readout: Tensor  # (B, T, O), what the output layer sees


class Bridge(nn.Module):
    """The first decoder state: h_d^0 = L₀^tanh(h_e^N) (equation 8); `relu` as released, a layer a direction."""

    def __init__(self, settings: ModelSettings) -> None:
        super().__init__()
        size = settings.encoder_size
        self.joint = nn.Linear(2 * size, settings.hidden_size) if settings.bridge == "tanh" else None
        self.halves = nn.ModuleList([] if self.joint else [nn.Linear(size, size), nn.Linear(size, size)])

    def forward(self, final: Tensor) -> Tensor:
        """Turn final encoder states (B, 2He) into decoder states (B, H)."""
        if self.joint is not None:
            return torch.tanh(self.joint(final))
        halves = zip(self.halves, final.chunk(2, dim=-1), strict=True)
        return torch.cat([torch.relu(layer(half)) for layer, half in halves], dim=-1)


class Readout(nn.Module):
    """The layer before the output layer: L₄^tanh(⟨h_d, Σ α h_e⟩) (inner part of equation 11)."""

    def __init__(self, input_size: int, settings: ModelSettings) -> None:
        super().__init__()
        size = settings.output_size
        self.joint = nn.Linear(settings.hidden_size + 2 * settings.encoder_size, size)
        self.gate = ContextGate(input_size + settings.hidden_size, size) if settings.context_gate == "both" else None

    def forward(self, inputs: Tensor, states: Tensor, context: Tensor) -> Tensor:
        """(B, T, O) of inputs, states and contexts (B, T, …)."""
        joint = self.joint(torch.cat([states, context], dim=-1))
        readout: Tensor = (
            torch.tanh(joint) if self.gate is None else self.gate(torch.cat([inputs, states], dim=-1), joint)
        )
        return readout


class ContextGate(nn.Module):
    """The released code's gates: what was said is weighed against what is seen. Not in the paper."""

    def __init__(self, said_size: int, seen_size: int) -> None:
        super().__init__()
        self.gate = nn.Linear(said_size + seen_size, seen_size)
        self.said = nn.Linear(said_size, seen_size)
        self.seen = nn.Linear(seen_size, seen_size)

    def forward(self, said: Tensor, seen: Tensor) -> Tensor:
        """tanh((1 − z) · L(said) + z · L(seen))."""
        share = torch.sigmoid(self.gate(torch.cat([said, seen], dim=-1)))
        return torch.tanh(torch.lerp(self.said(said), self.seen(seen), share))


class Decoder(nn.Module):
    """h_d^t = GRU_d(x_d^t, h_d^{t−1}) with attention (equations 7, 9–11), dropout on h_d.

    In the paper the GRU does not depend on what was attended to, so a whole target runs through it at once. The
    released code's input feeding and coverage make a step depend on the one before: then the target goes step by step.
    """

    def __init__(self, settings: ModelSettings) -> None:
        super().__init__()
        self.stepwise = settings.stepwise
        self.feeds = settings.output_size if settings.input_feeding else 0
        self.coverage = settings.coverage
        size = settings.embedding_size + self.feeds
        size += settings.target_encoder_size if settings.target_encoder else 0
        self.bridge = Bridge(settings)
        self.gru = nn.GRU(size, settings.hidden_size, batch_first=True)
        self.dropout = Dropout(settings.dropout)
        memory_size = 2 * settings.encoder_size
        self.attention = Attention(
            settings.hidden_size, memory_size, settings.attention_size, settings.coverage, settings.said
        )
        self.readout = Readout(size, settings)

    def start(self, memory: Memory) -> State:
        """The state before the first word (equation 8)."""
        hidden = self.bridge(memory.final)
        fed = hidden.new_zeros(hidden.shape[0], self.feeds) if self.feeds else None
        covered = hidden.new_zeros(memory.mask.shape) if self.coverage else None
        said = hidden.new_zeros(memory.mask.shape) if self.attention.said is not None else None
        return State(hidden, fed=fed, covered=covered, said=said)

    def forward(
        self, inputs: Tensor, words: Tensor, state: State, memory: Memory, lengths: Tensor | None = None
    ) -> tuple[Decoded, State]:
        """Run over inputs (B, T, X): the embedded `words` (B, T), with the target encoder's states beside them.

        Words are extended ids. Whole targets have `lengths` (B,): what is beyond is padding.
        """
        if not self.stepwise:
            return self._advance(inputs, words, state, memory, lengths)
        steps = []
        for one in zip(torch.split(inputs, 1, dim=1), torch.split(words, 1, dim=1), strict=True):
            step, state = self._advance(*one, state, memory)
            steps.append(step)
        return _joined(steps), state

    def _advance(
        self, inputs: Tensor, words: Tensor, state: State, memory: Memory, lengths: Tensor | None = None
    ) -> tuple[Decoded, State]:
        """Run over inputs none of which depends on the output of another."""
        if state.fed is not None:
            inputs = torch.cat([inputs, state.fed[:, None]], dim=-1)
        states, hidden = recurrent(self.gru, inputs, state.hidden)
        dropped = self.dropout(states)
        said = _said_by(words, state, memory)
        log_attention = self.attention(dropped, memory, state.covered, said, lengths)
        attention = log_attention.exp()
        context = attention @ memory.states
        readout = self.readout(inputs, dropped, context)
        after = replace(
            state,
            hidden=hidden,
            fed=None if state.fed is None else readout[:, -1],
            covered=None if state.covered is None else state.covered + attention[:, -1],
            said=None if said is None else said[:, -1],
        )
        return Decoded(states, dropped, context, log_attention, readout), after


def _said_by(words: Tensor, state: State, memory: Memory) -> Tensor | None:
    """1 at the source's words (B, T, S) that were said before a state or are among the `words` (B, T) up to a step."""
    if state.said is None:
        return None
    read = (words[:, :, None] == memory.words[:, None]).to(state.said.dtype)
    return torch.maximum(state.said[:, None], read.cummax(dim=1).values)


def _joined(steps: list[Decoded]) -> Decoded:
    parts = ([getattr(step, field.name) for step in steps] for field in fields(Decoded))
    return Decoded(*(torch.cat(part, dim=1) for part in parts))
