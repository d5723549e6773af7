"""Decoding policies: how a search expands, when it stops, and how many sequences it keeps."""

from dataclasses import dataclass, replace
from typing import Any, Literal

from keyseq.data.vocabulary import BOS, SEP
from keyseq.errors import KeyseqError

Paradigm = Literal["one2seq", "one2one", "one2set"]


@dataclass(frozen=True, kw_only=True)
class Policy:
    """Settings of a search. The defaults are greedy decoding; `POLICIES` has the others.

    Sequences are ordered by the sum of their words' log-probabilities over length ** `length_penalty`; the published
    choice is 0, no penalty. A document's search ends when no hypothesis is left, at `max_length` words (`</s>`
    counted), or by `stop`: "bound" when the `keep` best sequences are settled, since no hypothesis that is left can
    come before them; "count" as soon as `keep` are finished, as in the released code. With a `temperature` above 0,
    `samples` sequences are drawn independently, each next word among its `sample_from` most probable ones. With
    `distinct`, no phrase of a sequence begins with the word that an earlier one began with, so that none is repeated.
    In the choice of the next word, `end_bonus` and, for each phrase generated so far, `end_growth` are added to the
    log-probability of `</s>`, but not to the score of the sequence: so the number of phrases is calibrated. `starts`
    are the words that sequences begin with, each searched on its own: `<s>`, or the control codes of slots.
    """

    beam: int = 1
    max_length: int = 40
    keep: int = 1
    stop: Literal["bound", "count"] = "bound"
    length_penalty: float = 0.0
    temperature: float = 0.0
    samples: int = 10
    sample_from: int = 50
    seed: int = 0
    distinct: bool = False
    end_bonus: float = 0.0
    end_growth: float = 0.0
    starts: tuple[int, ...] = (BOS,)
    separators: tuple[int, ...] = (SEP,)  # words that separate phrases

    def __post_init__(self) -> None:
        for name in ("beam", "max_length", "keep", "samples", "sample_from"):
            if getattr(self, name) < 1:
                raise KeyseqError(f"decoding: '{name}' must be 1 or more, not {getattr(self, name)}")
        for name in ("length_penalty", "temperature", "seed"):
            if getattr(self, name) < 0:
                raise KeyseqError(f"decoding: '{name}' must be 0 or more, not {getattr(self, name)}")
        if self.stop not in ("bound", "count"):
            raise KeyseqError(f"decoding: 'stop' must be bound or count, not '{self.stop}'")

    @property
    def candidates(self) -> int:
        """Continuations considered: more than are kept where some are filtered or the end is preferred."""
        ways = self.sample_from if self.temperature else self.beam
        return ways + self.max_length // 2 if self.distinct or self.end_bonus or self.end_growth else ways

    @property
    def copies(self) -> int:
        """The number of independent searches per document."""
        return len(self.starts) * (self.samples if self.temperature else 1)

    @property
    def rows(self) -> int:
        """The number of hypotheses per document."""
        return self.copies * (1 if self.temperature else self.beam)


# As published: greedy and top-beam take one sequence's phrases; exhaustive takes those of every sequence that ends.
# Distinct is greedy, but switches to another phrase where greedy decoding would repeat one. A slot has one phrase.
POLICIES: dict[str, dict[Paradigm, Policy]] = {
    "distinct": {"one2seq": Policy(distinct=True), "one2one": Policy(max_length=6), "one2set": Policy(max_length=6)},
    "greedy": {"one2seq": Policy(), "one2one": Policy(max_length=6), "one2set": Policy(max_length=6)},
    "beam": {
        "one2seq": Policy(beam=10),
        "one2one": Policy(beam=10, max_length=6),
        "one2set": Policy(beam=10, max_length=6),
    },
    "exhaustive": {
        "one2seq": Policy(beam=50, keep=500, stop="count"),
        "one2one": Policy(beam=200, max_length=6, keep=500, stop="count"),
        "one2set": Policy(beam=10, max_length=6, keep=500, stop="count"),
    },
    "sampling": {
        "one2seq": Policy(temperature=1.0),
        "one2one": Policy(temperature=1.0, samples=50, max_length=6),
        "one2set": Policy(temperature=1.0, samples=10, max_length=6),
    },
}


def policy(name: str, paradigm: Paradigm = "one2seq", **changes: Any) -> Policy:  # the types of the fields
    """Look up a policy, with some of its settings changed."""
    if name not in POLICIES:
        raise KeyseqError(f"unknown decoding '{name}'; choose one of {', '.join(POLICIES)}")
    return replace(POLICIES[name][paradigm], **changes)
