"""Batched beam search in NumPy over any engine; finished documents leave the batch."""

import zlib
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Protocol

import numpy as np

from keyseq.data.network_inputs import NetworkInput
from keyseq.data.vocabulary import BOS, EOS
from keyseq.decoding.hypotheses import Beam, Flags, Hypothesis
from keyseq.decoding.policies import Policy
from keyseq.decoding.stepper import Allowed, Continuations, Ends, Ids, S, Stepper
from keyseq.decoding.trace import Runner, traced


class Constraint(Protocol):
    """A decoding constraint: a state machine with numbered nodes, advanced by each word. Node 0 is the start."""

    def allowed(self, documents: Ids, nodes: Ids) -> Allowed:
        """The words that may follow at nodes (D, B) of documents (D,)."""
        ...

    def advance(self, documents: Ids, nodes: Ids, tokens: Ids) -> Ids:
        """The nodes (D, B) that words (D, B) lead to."""
        ...


def search(
    stepper: Stepper[S], sources: Sequence[NetworkInput], policy: Policy, constraint: Constraint | None = None
) -> list[list[Hypothesis]]:
    """The sequences of each source, best first. Sources have at least one word each.

    Results do not depend on the other sources of the batch, up to the numerics of the engine.
    """
    copies = policy.copies
    if not sources:
        return []
    size = copies * len(sources)
    state, words = stepper.encode(sources), np.resize(policy.starts, size)
    if copies > 1:  # encoded once
        state = state.select(np.repeat(np.arange(len(sources)), copies), np.zeros((size, 1), np.int64))
    if constraint is None and isinstance(stepper, Runner) and stepper.runs(policy):
        results = traced(stepper, state, words, policy)
    else:
        results = _stepwise(stepper, Beam.start(state, words), sources, policy, constraint)
    by_source = [chain.from_iterable(results[start : start + copies]) for start in range(0, size, copies)]
    return [sorted(found, key=_rank)[: max(policy.keep, copies)] for found in by_source]


def _stepwise(
    stepper: Stepper[S],
    beam: Beam[S],
    sources: Sequence[NetworkInput],
    policy: Policy,
    constraint: Constraint | None,
) -> list[list[Hypothesis]]:
    """The sequences of each document of a beam, found step by step."""
    copies = policy.copies
    results: list[list[Hypothesis]] = [[] for _ in beam.documents]
    choose = _Draws(sources, copies, policy) if policy.temperature else _best
    for length in range(1, policy.max_length + 1):
        allowed = constraint.allowed(beam.documents // copies, beam.nodes) if constraint else None
        continuations = stepper.step(beam.state, Ends(beam.words, beam.scores), policy.candidates, allowed)
        if policy.distinct:
            continuations = _without_repeats(beam, continuations, policy)
        with np.errstate(invalid="ignore"):  # empty slots: -inf minus -inf
            beam = beam.grown(continuations, choose(beam, _ending(beam, continuations, policy))[:, : policy.beam])
        _collect(beam, beam.ended if length < policy.max_length else beam.ended | beam.alive, policy, results)
        live = beam.alive & ~_hopeless(beam, policy, results)
        if not live.any():
            break
        beam = beam.only(live)
        if constraint:
            beam = replace(beam, nodes=constraint.advance(beam.documents // copies, beam.nodes, beam.words))
    return results


def _without_repeats(beam: Beam[S], continuations: Continuations[S], policy: Policy) -> Continuations[S]:
    """The continuations without those that start a phrase with the first word of an earlier phrase."""
    generated = beam.tokens[np.arange(len(beam.documents))[:, None], continuations.beams]  # (D, k, T)
    begins = np.isin(generated, (BOS, *policy.separators))
    again = begins[:, :, :-1] & (generated[:, :, 1:] == continuations.ids[:, :, None])
    repeats = begins[:, :, -1] & again.any(axis=2)
    return replace(continuations, scores=np.where(repeats, np.float32(-np.inf), continuations.scores))


def _ending(beam: Beam[S], continuations: Continuations[S], policy: Policy) -> Continuations[S]:
    """The continuations with the policy's bonus for ending a sequence."""
    if not (policy.end_bonus or policy.end_growth):
        return continuations
    phrases = 1 + np.take_along_axis(
        np.isin(beam.tokens, policy.separators).sum(axis=2), continuations.beams, axis=1
    )  # (D, k)
    added = np.where(continuations.ids == EOS, policy.end_bonus + policy.end_growth * phrases, 0)
    return replace(continuations, scores=continuations.scores + added.astype(np.float32))


def _rank(hypothesis: Hypothesis) -> float:
    return -hypothesis.rank


def _collect(beam: Beam[S], chosen: Flags, policy: Policy, results: list[list[Hypothesis]]) -> None:
    for number, hypothesis in beam.hypotheses(chosen, policy.length_penalty):
        results[number].append(hypothesis)


def _hopeless(beam: Beam[S], policy: Policy, results: list[list[Hypothesis]]) -> Flags:
    """The mask (D, B) of hypotheses to prune: they cannot enter the results of their document any more.

    Sums of log-probabilities decrease with every word, so the current sum divided by the penalty of the maximum length
    is an upper bound of the final rank.
    """
    bounds = np.array([_bound(results[number], policy) for number in beam.documents])
    highest = beam.scores / policy.max_length**policy.length_penalty
    return np.asarray(highest <= bounds[:, None])


def _bound(found: Sequence[Hypothesis], policy: Policy) -> float:
    """The rank that a hypothesis must exceed."""
    if len(found) < policy.keep:
        return -np.inf
    if policy.stop == "count":
        return np.inf
    return sorted((hypothesis.rank for hypothesis in found), reverse=True)[policy.keep - 1]


def _best(_: Beam[S], continuations: Continuations[S]) -> Ids:
    """All continuations in order; ties by lower id, then by better ranked hypothesis."""
    return np.asarray(np.lexsort((continuations.beams, continuations.ids, -continuations.scores), axis=1))


class _Draws:
    """One sampled continuation per document, each from an independent random generator."""

    def __init__(self, sources: Sequence[NetworkInput], copies: int, policy: Policy) -> None:
        seeds = [(policy.seed, _digest(source.ids), number) for source in sources for number in range(copies)]
        self._generators = [np.random.default_rng(seed) for seed in seeds]
        self._temperature = policy.temperature

    def __call__(self, beam: Beam[S], continuations: Continuations[S]) -> Ids:
        chances = continuations.scores - beam.scores
        noise = [self._generators[number].gumbel(size=chances.shape[1]) for number in beam.documents]
        return np.asarray(np.argmax(chances / self._temperature + np.stack(noise), axis=1)[:, None])


def _digest(source: Ids) -> int:
    return zlib.crc32(np.ascontiguousarray(source, dtype=np.int64).tobytes())
