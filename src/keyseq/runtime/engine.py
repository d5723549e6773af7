"""The stepper of both engines: encode and step by running graphs."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from keyseq.data.network_inputs import InputField, NetworkInput, laid_out
from keyseq.data.vocabulary import UNK
from keyseq.decoding.stepper import Allowed, Continuations, Ends
from keyseq.runtime.state import GraphState, Layout, narrowed, padded

NEXT = "next_"
# what a step can read besides the outputs and the further inputs of the encoder
_MEMORY = "source lengths extended slots foreign places"
_NARROWING = "first begins allowed allowed_places open"
STEP_INPUTS = frozenset(f"words tokens scores k {_MEMORY} {_NARROWING}".split())


class Graph(Protocol):
    """A graph over named arrays."""

    inputs: list[str]
    outputs: list[str]

    def __call__(self, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """Run on those of the given arrays that are its inputs."""
        ...


class Graphs(Protocol):
    """The graphs of a network, exported or not."""

    words: int  # of the vocabulary
    layout: Layout  # of the output layer
    fields: list[InputField]  # inputs of the encoder besides the source

    @property
    def encoder(self) -> Graph:
        """From source words to encoder memory and initial state."""
        ...

    @property
    def step(self) -> Graph:
        """One decoder step, to the best next words."""
        ...

    @property
    def narrowed(self) -> Graph:
        """The same in constrained decoding."""
        ...


class GraphStepper:
    """Runs a search on the graphs of a network."""

    def __init__(self, graphs: Graphs) -> None:
        self._graphs = graphs
        self.words, self.generable, self.fields = graphs.words, graphs.layout.generable, graphs.fields
        self._carried = [name.removeprefix(NEXT) for name in graphs.step.outputs if name.startswith(NEXT)]

    def has_memory(self, name: str) -> bool:
        """Whether the encoder keeps this for the steps."""
        return name in self._graphs.encoder.outputs

    def encode(self, sources: Sequence[NetworkInput]) -> GraphState:
        """Encode sources; the state has one empty hypothesis for each."""
        memory = padded(sources, self.words, self._graphs.layout) | laid_out(sources, self.fields)
        encoded = {**memory, **self._graphs.encoder(memory)}
        carried = {name: encoded[name][:, None] for name in self._carried}
        kept = [name for name in self._graphs.step.inputs if name in encoded and name not in carried]
        return GraphState({name: encoded[name] for name in kept}, carried, np.arange(len(sources)))

    def step(self, state: GraphState, ends: Ends, k: int, allowed: Allowed | None = None) -> Continuations[GraphState]:
        """Read the last word of every hypothesis, and return the best continuations."""
        words = state.spread(ends.tokens)
        given = {
            "words": words,
            "tokens": np.where(words < self.words, words, UNK),  # an input of graphs that earlier versions exported
            "scores": state.spread(ends.scores),
            "k": np.array(k),
            **state.memory,
            **state.carried,
        }
        if allowed is None:
            found = self._graphs.step(given)
        else:
            found = self._graphs.narrowed(given | narrowed(allowed, state, self._graphs.layout))
        scores, beams, ids = (np.asarray(found[name])[state.rows] for name in ("best", "beams", "ids"))
        carried = {name: found[NEXT + name] for name in self._carried}
        return Continuations(scores, beams, ids, GraphState(state.memory, carried, state.rows))
