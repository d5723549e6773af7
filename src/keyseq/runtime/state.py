"""The decoder state of a search: arrays by document and by hypothesis, of NumPy or PyTorch."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from keyseq.data.network_inputs import NetworkInput
from keyseq.data.vocabulary import BOS, PAD, UNK
from keyseq.decoding.stepper import Allowed, Ids

CHUNK = 32  # words of a chunk, which is represented by its maximum in the first round of selection
BLOCK = 12_800  # words of a block: the probabilities of about fifty hypotheses fit into the processor's cache
SPECIAL = BOS + 1  # padding, <unk> and <s>, the first three ids, are never generated

Arrays = Mapping[str, Any]

# Finished documents stay in the arrays until this fraction remains: compacting them copies the encoder memory.
TIDY = 0.75


@dataclass(frozen=True, slots=True)
class GraphState:
    """The state of D documents, which are `rows` of arrays for M documents."""

    memory: Arrays  # (M, …) by document
    carried: Arrays  # (M, B, …) by hypothesis
    rows: Ids  # (D,) ascending

    @property
    def held(self) -> int:
        """M."""
        return len(self.memory["extended"])

    def select(self, documents: Ids, beams: Ids) -> "GraphState":
        """Keep some documents (D',), any number of times, with hypotheses that continue the given ones (D', B')."""
        rows = self.rows[documents]
        if not TIDY * self.held < len(rows) <= self.held:
            carried = {name: part[rows[:, None], beams] for name, part in self.carried.items()}
            return GraphState({name: part[rows] for name, part in self.memory.items()}, carried, np.arange(len(rows)))
        places = np.arange(self.held)[:, None], _spread(beams, rows, self.held)
        return GraphState(self.memory, {name: part[places] for name, part in self.carried.items()}, rows)

    def spread(self, values: Any, fill: int = 0) -> Any:  # an array of any type
        """Scatter values of the D documents to their rows (M, …), with `fill` elsewhere."""
        return _spread(values, self.rows, self.held, fill)


def _spread(values: Any, rows: Ids, held: int, fill: int = 0) -> Any:
    if len(rows) == held:  # all documents, in order
        return values
    full = np.full((held, *values.shape[1:]), fill, dtype=values.dtype)
    full[rows] = values
    return full


class Layout:
    """The array layout of the output layer: `count` blocks of `width` words in whole chunks, plus a padding chunk."""

    def __init__(self, generable: int, count: int | None = None) -> None:
        self.generable = generable
        self.count = count or -(-generable // BLOCK)
        self.width = -(-generable // (self.count * CHUNK)) * CHUNK
        self.columns = self.width + CHUNK

    def column(self, ids: Ids) -> Ids:
        """The columns of words."""
        return ids // self.width * self.columns + ids % self.width

    def places(self, ids: Ids) -> Ids:
        """The columns of words within each block (D, count, …); the padding column for words of other blocks."""
        blocks = np.arange(self.count).reshape(1, -1, *[1] * (ids.ndim - 1))
        one = ids[:, None]
        is_inside = (one // self.width == blocks) & (one < self.generable) & (one >= 0)
        return np.where(is_inside, one % self.width, self.width)


def padded(inputs: Sequence[NetworkInput], words: int, layout: Layout) -> dict[str, Any]:
    """The padded arrays of sources that encoder and step read.

    The slot of a word is its first position in the source, at which its copy probability is summed. `foreign` is the
    mask of columns whose words are not in the source; the others are scored at their slots only.
    """
    sources = [one.ids for one in inputs]
    lengths = np.array([len(source) for source in sources])
    extended = np.full((len(sources), lengths.max()), PAD, dtype=np.int64)
    slots = np.broadcast_to(np.arange(lengths.max()), extended.shape).copy()
    foreign = np.zeros((len(sources), layout.count * layout.columns), dtype=bool)
    foreign[:, layout.column(np.arange(SPECIAL, layout.generable))] = True
    for row, source in enumerate(sources):
        ids, firsts, inverse = np.unique(source, return_index=True, return_inverse=True)
        extended[row, : len(source)] = source
        slots[row, : len(source)] = firsts[inverse]
        foreign[row, layout.column(ids[ids < layout.generable])] = False
    return {
        "source": np.where(extended < words, extended, UNK),
        "lengths": lengths,
        "extended": extended,
        "slots": slots,
        "foreign": foreign,
        "places": layout.places(extended),
    }


def narrowed(allowed: Allowed, state: GraphState, layout: Layout) -> dict[str, Any]:
    """The inputs of a constrained step; `open` is the mask (M, B, S) of source words that may follow a hypothesis."""
    first = np.zeros(layout.count * layout.columns, dtype=np.float32)
    [ids] = np.nonzero(allowed.first[: layout.generable])
    first[layout.column(ids)] = 1
    extended = np.asarray(state.memory["extended"])[state.rows]
    is_open = np.zeros((*allowed.begins.shape, extended.shape[1]), dtype=bool)
    known = np.minimum(extended, len(allowed.first) - 1)
    is_open |= ((extended < len(allowed.first)) & allowed.first[known])[:, None] & allowed.begins[:, :, None]
    for row, source in enumerate(extended):
        ids, places = np.unique(source, return_index=True)
        found = np.minimum(np.searchsorted(ids, allowed.ids[row]), len(ids) - 1)  # (B, A)
        beams, columns = np.nonzero(ids[found] == allowed.ids[row])
        is_open[row, beams, places[found[beams, columns]]] = True
    return {
        "first": first,
        "begins": state.spread(allowed.begins.astype(np.float32)),
        "allowed": state.spread(allowed.ids, -1),
        "allowed_places": layout.places(state.spread(allowed.ids, -1)),
        "open": state.spread(is_open),
    }
