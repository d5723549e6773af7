"""Where hypotheses stand: arrays by document and by hypothesis, of NumPy or of torch alike."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from keyseq.data.network_inputs import NetworkInput
from keyseq.data.vocabulary import BOS, PAD, UNK
from keyseq.decoding.stepper import Allowed, Ids

CHUNK = 32  # words whose largest probability stands for them in the first round of choosing the best
BLOCK = 12_800  # words whose probabilities for some fifty hypotheses stay in a processor's cache
SPECIAL = BOS + 1  # padding, <unk> and <s>, the first three ids, are never generated

Arrays = Mapping[str, Any]

# Documents that have left are computed along until so many are gone: moving the others together copies their memory.
TIDY = 0.75


@dataclass(frozen=True, slots=True)
class GraphState:
    """The D documents of a search lie at `rows` of the M that are in memory."""

    memory: Arrays  # (M, …) by document
    carried: Arrays  # (M, B, …) by hypothesis
    rows: Ids  # (D,)

    @property
    def held(self) -> int:
        """M."""
        return len(self.memory["extended"])

    def select(self, documents: Ids, beams: Ids) -> "GraphState":
        """Keep some documents (D',) and let their hypotheses go on from the given ones (D', B')."""
        rows = self.rows[documents]
        if len(rows) <= TIDY * self.held:
            carried = {name: part[rows[:, None], beams] for name, part in self.carried.items()}
            return GraphState({name: part[rows] for name, part in self.memory.items()}, carried, np.arange(len(rows)))
        places = np.arange(self.held)[:, None], _spread(beams, rows, self.held)
        return GraphState(self.memory, {name: part[places] for name, part in self.carried.items()}, rows)

    def spread(self, values: Any, fill: int = 0) -> Any:  # an array of any type
        """Values of the D documents at their rows, `fill` elsewhere (M, …)."""
        return _spread(values, self.rows, self.held, fill)


def _spread(values: Any, rows: Ids, held: int, fill: int = 0) -> Any:
    full = np.full((held, *values.shape[1:]), fill, dtype=values.dtype)
    full[rows] = values
    return full


class Layout:
    """How an output layer is cut: `count` blocks of `width` words, each of whole chunks and one more of no words."""

    def __init__(self, generable: int, count: int | None = None) -> None:
        self.generable = generable
        self.count = count or -(-generable // BLOCK)
        self.width = -(-generable // (self.count * CHUNK)) * CHUNK
        self.columns = self.width + CHUNK

    def column(self, ids: Ids) -> Ids:
        """Where words stand among all columns."""
        return ids // self.width * self.columns + ids % self.width

    def places(self, ids: Ids) -> Ids:
        """Where words stand in each block (D, count, …), the column of no word for those of other blocks."""
        blocks = np.arange(self.count).reshape(1, -1, *[1] * (ids.ndim - 1))
        one = ids[:, None]
        is_inside = (one // self.width == blocks) & (one < self.generable) & (one >= 0)
        return np.where(is_inside, one % self.width, self.width)


def padded(inputs: Sequence[NetworkInput], words: int, layout: Layout) -> dict[str, Any]:
    """Lay the ids of sources side by side, as what encoder and step take of them.

    Every word has a slot, the place where it stands first; copying adds up there. `foreign` tells which columns are of
    words that the source does not have; the others are counted at their slots alone.
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
    """What a narrowed step takes; `open` tells with which words of the source (M, B, S) a hypothesis may go on."""
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
