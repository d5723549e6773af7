"""Search in NumPy over any engine: documents and hypotheses side by side, and whatever is finished leaves."""

import zlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np

from keyseq.decoding.hypotheses import Beam, Choice, Flags, Hypothesis
from keyseq.decoding.policies import Policy
from keyseq.decoding.stepper import Allowed, Continuations, Ids, S, Stepper


class Constraint(Protocol):
    """What narrows the choice of words: a walk through numbered nodes, a step for each word. Node 0 is the start."""

    def allowed(self, documents: Ids, nodes: Ids) -> Allowed:
        """The words that may follow at nodes (D, B) of documents (D,)."""
        ...

    def advance(self, documents: Ids, nodes: Ids, tokens: Ids) -> Ids:
        """The nodes (D, B) that words (D, B) lead to."""
        ...


def search(
    stepper: Stepper[S], sources: Sequence[Ids], policy: Policy, constraint: Constraint | None = None
) -> list[list[Hypothesis]]:
    """Give the sequences of each source, best first. Sources are extended ids, at least one each.

    A source's result does not depend on what is searched beside it, as far as the engine's arithmetic does not.
    """
    results: list[list[Hypothesis]] = [[] for _ in sources]
    if not sources:
        return results
    choose = _Draws(sources, policy) if policy.temperature else _best
    beam = Beam.start(stepper.encode(sources), len(sources))
    for length in range(1, policy.max_length + 1):
        allowed = constraint.allowed(beam.documents, beam.nodes) if constraint else None
        continuations = stepper.step(beam.state, beam.words, policy.candidates, allowed)
        beam = beam.grown(continuations, choose(beam, continuations, policy))
        _collect(beam, beam.ended if length < policy.max_length else beam.ended | beam.alive, policy, results)
        live = beam.alive & ~_hopeless(beam, policy, results)
        if not live.any():
            break
        beam = beam.only(live)
        if constraint:
            beam = replace(beam, nodes=constraint.advance(beam.documents, beam.nodes, beam.words))
    return [sorted(found, key=_rank)[: policy.keep] for found in results]


def _rank(hypothesis: Hypothesis) -> float:
    return -hypothesis.rank


def _collect(beam: Beam[S], chosen: Flags, policy: Policy, results: list[list[Hypothesis]]) -> None:
    for row, place in np.argwhere(chosen).tolist():
        results[beam.documents[row]].append(beam.hypothesis(row, place, policy.length_penalty))


def _hopeless(beam: Beam[S], policy: Policy, results: list[list[Hypothesis]]) -> Flags:
    """Which hypotheses (D, B) need not be followed, since a document's sequences are settled or they come too late.

    A sum of log-probabilities only falls with every word, so what it is now over the penalty of the greatest length
    is the most that a hypothesis can come to.
    """
    bounds = np.array([_bound(results[number], policy) for number in beam.documents])
    highest = beam.scores / policy.max_length**policy.length_penalty
    return np.asarray(highest <= bounds[:, None])


def _bound(found: Sequence[Hypothesis], policy: Policy) -> float:
    """The rank that a hypothesis has to surpass."""
    if len(found) < policy.keep:
        return -np.inf
    if policy.stop == "count":
        return np.inf
    return sorted((hypothesis.rank for hypothesis in found), reverse=True)[policy.keep - 1]


def _best(beam: Beam[S], continuations: Continuations[S], policy: Policy) -> Choice:
    """The best continuations of each document; the lower id, then the higher placed parent, where two are equal."""
    documents, beams, k = continuations.ids.shape
    scores = (beam.scores[:, :, None] + continuations.log_probabilities).reshape(documents, beams * k)
    width = min(policy.beam, beams * k)
    threshold = np.partition(scores, beams * k - width, axis=1)[:, beams * k - width]
    rows, places = np.nonzero(scores >= threshold[:, None])
    ids = continuations.ids.reshape(documents, beams * k)
    order = np.lexsort((places // k, ids[rows, places], -scores[rows, places], rows))
    firsts = np.searchsorted(rows, np.arange(documents))  # sorting leaves `rows` as it was: ascending
    chosen = places[order[firsts[:, None] + np.arange(width)]]
    return Choice(chosen // k, chosen % k, np.take_along_axis(scores, chosen, axis=1))


class _Draws:
    """Independent draws, from a generator for each source that knows nothing of the others."""

    def __init__(self, sources: Sequence[Ids], policy: Policy) -> None:
        self._generators = [np.random.default_rng((policy.seed, _digest(source))) for source in sources]

    def __call__(self, beam: Beam[S], continuations: Continuations[S], policy: Policy) -> Choice:
        """Let every hypothesis draw its next word; at the beginning the only one draws for all."""
        documents, beams, k = continuations.ids.shape
        width = policy.beam if beam.length == 0 else beams
        parents = np.broadcast_to(np.arange(width) % beams, (documents, width))
        chances = np.take_along_axis(continuations.log_probabilities, parents[:, :, None], axis=1)
        scores = np.take_along_axis(beam.scores, parents, axis=1)
        noise = np.zeros((documents, width, k))
        for row, number in enumerate(beam.documents):
            drawing = np.isfinite(scores[row])
            noise[row, drawing] = self._generators[number].gumbel(size=(np.count_nonzero(drawing), k))
        places = np.argmax(chances / policy.temperature + noise, axis=2)
        return Choice(parents, places, scores + np.take_along_axis(chances, places[:, :, None], axis=2)[:, :, 0])


def _digest(source: Ids) -> int:
    return zlib.crc32(np.ascontiguousarray(source, dtype=np.int64).tobytes())
