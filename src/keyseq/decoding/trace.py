"""Searches that an engine runs many steps at a time: where they stand, what each step chose, and their sequences."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Generic, NamedTuple, Protocol, runtime_checkable

import numpy as np

from keyseq.data.vocabulary import BOS, EOS
from keyseq.decoding.hypotheses import Hypothesis
from keyseq.decoding.policies import Policy
from keyseq.decoding.stepper import Floats, Ids, S


class Chosen(NamedTuple):
    """The best continuations at each of T steps, of which there are as many as the beam is wide.

    A score of -inf marks an empty place. `parents` are the places of the hypotheses at the step before.
    """

    scores: Floats  # (T, D, K)
    parents: Ids  # (T, D, K)
    ids: Ids  # (T, D, K)


@dataclass(frozen=True, slots=True)
class Front(Generic[S]):
    """Where the searches of D documents stand: B hypotheses of each, and what was generated and found so far."""

    documents: Ids  # (D,) numbers of the sources
    state: S  # of the hypotheses
    words: Ids  # (D, B) their last words
    scores: Floats  # (D, B) -inf marks an empty place
    seats: Ids  # (D, B) their places among the best of the last step
    phrases: Ids  # (D, B) phrases begun
    firsts: Ids  # (D, B, F) the words that phrases began with, -1 for others
    found: Ids  # (D,) sequences that ended
    bar: Floats  # (D,) the score that a hypothesis must exceed

    @classmethod
    def start(cls, state: S, words: Ids, policy: Policy) -> "Front[S]":
        """One hypothesis for each document: its start word (D,)."""
        size = len(words)
        zeros, begun = np.zeros((size, 1), np.int64), np.isin(words, policy.separators)
        return cls(
            documents=np.arange(size),
            state=state,
            words=words[:, None].astype(np.int64),
            scores=np.zeros((size, 1), np.float32),
            seats=zeros,
            phrases=1 + begun[:, None].astype(np.int64),
            firsts=np.full((size, 1, 1), -1, dtype=np.int64),
            found=zeros[:, 0],
            bar=np.full(size, -np.inf, dtype=np.float32),
        )

    def growing(self) -> "Front[S]":
        """Only the documents that have a hypothesis left."""
        rows = np.flatnonzero((self.scores > -np.inf).any(axis=1))
        beams = np.broadcast_to(np.arange(self.words.shape[1]), (len(rows), self.words.shape[1]))
        names = ("documents", "words", "scores", "seats", "phrases", "firsts", "found", "bar")
        parts = {name: getattr(self, name)[rows] for name in names}
        return replace(self, state=self.state.select(rows, beams), **parts)


@runtime_checkable
class Runner(Protocol[S]):
    """An engine that can take many steps of a search at once."""

    def runs(self, policy: Policy) -> bool:
        """Whether it can for this policy."""
        ...

    def run(self, front: Front[S], policy: Policy, steps: int) -> tuple[Chosen, Front[S]]:
        """Take at most this many steps; fewer when so many documents are finished that dropping them pays."""
        ...


def traced(runner: Runner[S], state: S, words: Ids, policy: Policy) -> list[list[Hypothesis]]:
    """The sequences of searches that begin with these words (D,), in the order in which they were found."""
    shape = policy.max_length, len(words), policy.beam
    trace = Chosen(np.full(shape, -np.inf, np.float32), np.zeros(shape, np.int64), np.zeros(shape, np.int64))
    front, length = Front.start(state, words, policy), 0
    while length < policy.max_length and len(front.documents):
        chosen, front = runner.run(front, policy, policy.max_length - length)
        steps = slice(length, length + len(chosen.scores))
        trace.scores[steps, front.documents] = chosen.scores
        trace.parents[steps, front.documents] = chosen.parents
        trace.ids[steps, front.documents] = chosen.ids
        length = steps.stop
        if length < policy.max_length:
            front = front.growing()
    results: list[list[Hypothesis]] = [[] for _ in words]
    for number, hypothesis in _sequences(trace, policy):
        results[number].append(hypothesis)
    return results


def _sequences(trace: Chosen, policy: Policy) -> Iterator[tuple[int, Hypothesis]]:
    """The sequences that ended or were cut off, each with the number of its source."""
    possible, ends = trace.scores > -np.inf, trace.ids == EOS
    ends[-1] = True
    steps, documents, places = np.nonzero(possible & ends)
    tokens = np.zeros((len(steps), len(trace.ids)), np.int64)
    sums = np.zeros((len(steps), len(trace.ids) + 1), np.float32)
    for step in range(len(trace.ids) - 1, -1, -1):
        first = np.searchsorted(steps, step)  # those that ended later, or now
        at = step, documents[first:], places[first:]
        tokens[first:, step], sums[first:, step + 1] = trace.ids[at], trace.scores[at]
        places[first:] = trace.parents[at]
    chances = np.minimum(np.diff(sums, axis=1), 0)  # rounding may exceed 0
    lengths = steps + 1
    ranks = sums[np.arange(len(steps)), lengths].astype(float) / lengths**policy.length_penalty
    finished = tokens[np.arange(len(steps)), steps] == EOS
    parts = (lengths.tolist(), documents.tolist(), ranks.tolist(), finished.tolist(), tokens, chances)
    for length, number, rank, ended, words, chance in zip(*parts, strict=True):
        yield number, Hypothesis(words[: length - ended], chance[:length], rank, ended)


def beginnings(policy: Policy) -> Ids:
    """The words after which a phrase begins."""
    return np.array([BOS, *policy.separators])
