"""A whole search in one run: a graph that repeats the graph of a step, and chooses hypotheses between the steps.

It is made in memory around a step that was checked, and repeats it a given number of times at most. The files of a
network have no loops, and none is run that comes from them.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from keyseq.data.vocabulary import EOS, UNK
from keyseq.runtime.graph_writing import (
    BOOL,
    DOUBLE,
    FLOAT,
    INT64,
    GraphWriter,
    element_of,
    graph,
    name_of,
    parts_of,
    value,
    with_graph,
)

# before names: of what a run begins with, of what it leaves, of its settings, and of what its body carries
FROM, TO, SET, INSIDE = "from.", "to.", "set.", "at."
NEXT = "next_"
CHOSEN = ("chosen.scores", "chosen.parents", "chosen.ids")  # of each step, for each document (steps, D, beam)

Shapes = Mapping[str, Sequence[int | str]]

# What a run begins with besides the state: types of elements, and dimensions
_FRONT = {
    "words": (INT64, "DB"),
    "scores": (FLOAT, "DB"),
    "seats": (INT64, "DB"),
    "found": (INT64, "D"),
    "bar": (FLOAT, "D"),
}
_PHRASES = {"phrases": (INT64, "DB"), "firsts": (INT64, "DBF")}
_OWN = {*_FRONT, *_PHRASES} - {"words", "scores"}
_SETTINGS = {"steps": (INT64, ""), "keep": (INT64, ""), "fewest": (INT64, ""), "pruning": (BOOL, "")}
_CHOICE = {
    "beam": (INT64, "1"),
    "distinct": (BOOL, ""),
    "bonus": (DOUBLE, ""),
    "growth": (DOUBLE, ""),
    "begins": (INT64, "X"),
    "separators": (INT64, "Y"),
}


def step_loop(step: bytes, shapes: Shapes, words: int, chooses: bool) -> bytes:
    """The model around that of a step, whose inputs have these shapes, of a network with this vocabulary size.

    With `chooses`, it filters and weighs the continuations of a step before it takes the best of them.
    """
    parts = parts_of(step)
    made = set(map(name_of, parts["output"]))
    carried = {name_of(one): element_of(one) for one in parts["input"] if NEXT + name_of(one) in made}
    front = _FRONT | (_PHRASES if chooses else {})
    kinds = {name: kind for name, (kind, _) in front.items()} | carried
    dimensions = {name: letters for name, (_, letters) in front.items()} | {name: shapes[name] for name in carried}
    loop = _Body([*carried], words, chooses)
    before, after = (INSIDE + name for name in ("number", "before")), loop.outputs(kinds)
    body = {
        "node": loop.around(parts["node"]),
        "input": [
            *map(value, before, (INT64, BOOL), ((), ())),
            *_values({_inside(name): kinds[name] for name in kinds}),
        ],
        "output": _values(after),
    }
    settings = (_SETTINGS | (_CHOICE if chooses else {})).items()
    given = [one for one in parts["input"] if name_of(one) not in {"words", "tokens", "scores", *carried}]
    given += [value(SET + name, kind, letters) for name, (kind, letters) in settings]
    given += [value(FROM + name, kind, dimensions[name]) for name, kind in kinds.items()]
    left = {TO + name: kind for name, kind in kinds.items()} | dict(zip(CHOSEN, (FLOAT, INT64, INT64), strict=True))
    outer = GraphWriter("loop.")
    begun = outer.constant(np.bool_(True))
    outer.node("Loop", [SET + "steps", begun, *(FROM + name for name in kinds)], [*left], body=graph("body", body))
    whole = {
        "node": outer.nodes,
        "initializer": [*parts["initializer"], *outer.constants, *loop.constants],
        "input": given,
        "output": _values(left),
    }
    return with_graph(step, graph("search", whole))


def _values(kinds: Mapping[str, int]) -> list[bytes]:
    return [value(name, kind) for name, kind in kinds.items()]


def _inside(name: str) -> str:
    """What the body calls what it carries: inputs of the step by their names, its own by others."""
    return INSIDE + name if name in _OWN else name


class _Body(GraphWriter):
    """The body of the loop: the step, and the choice of the hypotheses that the next one continues."""

    def __init__(self, carried: Sequence[str], words: int, chooses: bool) -> None:
        super().__init__("loop.body.")
        self._carried, self._words, self._chooses = carried, words, chooses
        self._zero, self._one = self.constant(np.int64(0)), self.constant(np.int64(1))
        self._axes = [self.constant(np.array([axis])) for axis in range(3)]
        self._impossible, self._end = self.constant(np.float32(-np.inf)), self.constant(np.int64(EOS))

    def around(self, step: Sequence[bytes]) -> list[bytes]:
        """The nodes of the body, those of the step among them."""
        known = self.node("Less", ["words", self.constant(np.int64(self._words))])
        self.node("Where", [known, "words", self.constant(np.int64(UNK))], ["tokens"])  # of earlier versions' steps
        self.nodes += step
        chosen = self._choice() if self._chooses else ("best", "beams", "ids")
        self._growth(*chosen)
        return self.nodes

    def outputs(self, kinds: Mapping[str, int]) -> dict[str, int]:
        """The outputs of the body, with the types of their elements."""
        after = {f"loop.{name}": kind for name, kind in kinds.items()}
        return {"loop.more": BOOL, **after, "loop.chosen": FLOAT, "loop.parents": INT64, "loop.ids": INT64}

    def _choice(self) -> tuple[str, str, str]:
        """The best continuations: scores, hypotheses and words (D, beam)."""
        begins = self._among("words", "set.begins")
        begun = self.node("GatherElements", [self.node("Cast", [begins], to=INT64), "beams"], axis=1)
        candidates = self._unsqueezed("beams", 2)
        firsts = self.node("GatherND", ["at.firsts", candidates], batch_dims=1)  # (D, k, F)
        again = self._any(self.node("Equal", [firsts, self._unsqueezed("ids", 2)]))
        begun_again = self.node("And", [self.node("Cast", [begun], to=BOOL), again])
        repeats = self.node("And", [begun_again, "set.distinct"])
        scores = self.node("Where", [repeats, self._impossible, "best"])
        phrases = self.node("Cast", [self.node("GatherElements", ["at.phrases", "beams"], axis=1)], to=DOUBLE)
        added = self.node("Add", [self.node("Mul", [phrases, "set.growth"]), "set.bonus"])
        added = self.node("Cast", [added], to=FLOAT)
        ends = self.node("Cast", [self.node("Equal", ["ids", self._end])], to=FLOAT)
        weighed = self.node("Add", [scores, self.node("Mul", [added, ends])])
        self.node("TopK", [weighed, "set.beam"], ["loop.weighed", "loop.places"], axis=1)
        best, beams, ids = (
            self.node("GatherElements", [name, "loop.places"], axis=1) for name in (scores, "beams", "ids")
        )
        separates = self.node("Cast", [self._among(ids, "set.separators")], to=INT64)
        before = self.node("GatherElements", ["at.phrases", beams], axis=1)
        self.node("Add", [before, separates], ["loop.all.phrases"])
        begun = self.node("Cast", [self.node("GatherElements", [begun, "loop.places"], axis=1)], to=BOOL)
        none = self.constant(np.int64(-1))
        first = self._unsqueezed(self.node("Where", [begun, ids, none]), 2)
        earlier = self.node("GatherND", ["at.firsts", self._unsqueezed(beams, 2)], batch_dims=1)
        self.node("Concat", [earlier, first], ["loop.all.firsts"], axis=2)
        return best, beams, ids

    def _growth(self, best: str, beams: str, ids: str) -> None:
        """What the next step reads: the hypotheses that may still enter the results, those of a document first."""
        possible = self.node("Greater", [best, self._impossible])
        is_end = self.node("Equal", [ids, self._end])
        ended = self.node("And", [possible, is_end])
        counted = self.node("ReduceSum", [self.node("Cast", [ended], to=INT64), self._axes[1]], keepdims=0)
        found = self.node("Add", ["at.found", counted], ["loop.found"])
        # with `pruning`, sequences that ended are a bar to all that cannot become better
        prunes = self.node("And", [ended, "set.pruning"])
        highest = self.node(
            "ReduceMax", [self.node("Where", [prunes, best, self._impossible]), self._axes[1]], keepdims=0
        )
        bar = self.node("Max", ["at.bar", highest])
        enough = self.node("Less", [found, "set.keep"])
        bar = self.node("Where", [enough, bar, self.constant(np.float32(np.inf))], ["loop.bar"])
        above = self.node("Greater", [best, self._unsqueezed(bar, 1)])
        live = self.node("And", [above, self.node("Not", [is_end])])
        numbers = self.node("Cast", [live], to=INT64)
        counts = self.node("ReduceSum", [numbers, self._axes[1]], keepdims=0)
        width = self.node("Max", [self.node("ReduceMax", [counts], keepdims=0), self._one])
        size = self.node("Gather", [self.node("Shape", [ids]), self._one])
        falling = self.node("Range", [size, self._zero, self.constant(np.int64(-1))])
        order = "loop.seats"
        keys = [self.node("Mul", [numbers, falling]), self.node("Unsqueeze", [width, self._axes[0]])]
        self.node("TopK", keys, ["loop.keys", order], axis=1)
        scores = self.node("Where", [live, best, self._impossible])
        self.node("GatherElements", [ids, order], ["loop.words"], axis=1)
        self.node("GatherElements", [scores, order], ["loop.scores"], axis=1)
        parents = self._unsqueezed(self.node("GatherElements", [beams, order], axis=1), 2)
        for name in self._carried:
            self.node("GatherND", [NEXT + name, parents], [f"loop.{name}"], batch_dims=1)
        for name in _PHRASES if self._chooses else ():
            self.node("GatherND", [f"loop.all.{name}", self._unsqueezed(order, 2)], [f"loop.{name}"], batch_dims=1)
        self.node("Identity", [best], ["loop.chosen"])
        self.node("GatherElements", ["at.seats", beams], ["loop.parents"], axis=1)
        self.node("Identity", [ids], ["loop.ids"])
        growing = self.node("Cast", [self.node("Greater", [counts, self._zero])], to=INT64)
        self.node("Greater", [self.node("ReduceSum", [growing], keepdims=0), "set.fewest"], ["loop.more"])

    def _among(self, ids: str, listed: str) -> str:
        """Whether each of the ids (D, X) is among those listed."""
        return self._any(self.node("Equal", [self._unsqueezed(ids, 2), listed]))

    def _any(self, flags: str) -> str:
        """Whether any is true along the last of three dimensions."""
        highest = self.node("ReduceMax", [self.node("Cast", [flags], to=INT64), self._axes[2]], keepdims=0)
        return self.node("Cast", [highest], to=BOOL)

    def _unsqueezed(self, name: str, axis: int) -> str:
        return self.node("Unsqueeze", [name, self._axes[axis]])
