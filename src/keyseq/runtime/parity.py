"""Parity of two engines: the sequences they generate, and their log-probabilities word by word."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from keyseq.config import Settings
from keyseq.data.network_inputs import NetworkInput, SourceWindow, input_fields, network_input
from keyseq.data.vocabulary import EOS, SPECIALS, Vocabulary
from keyseq.decoding.hypotheses import Hypothesis
from keyseq.decoding.policies import Policy
from keyseq.decoding.search import search
from keyseq.decoding.stepper import Allowed, Ids
from keyseq.runtime.engine import GraphStepper
from keyseq.types import Document

SEED = 17
TITLE = 5  # words of a random title
ROUNDING = 1e-4  # of a sum of log-probabilities


@dataclass(frozen=True, slots=True)
class Parity:
    """The parity of two engines: the fraction of sources with the same sequences, and the maximum difference of the
    log-probabilities of words in the best sequences of the first engine."""

    same: float
    difference: float


class _Forced:
    """A constraint that forces a given sequence for each document."""

    def __init__(self, sequences: Sequence[Ids], words: int) -> None:
        self._sequences = [[*sequence.tolist(), EOS] for sequence in sequences]
        self._nothing = np.zeros(words, dtype=bool)

    def allowed(self, documents: Ids, nodes: Ids) -> Allowed:
        """The next word of each."""
        words = [
            [self._sequences[number][place] for place in row] for number, row in zip(documents, nodes, strict=True)
        ]
        return Allowed(self._nothing, np.zeros(nodes.shape, dtype=bool), np.array(words)[:, :, None])

    def advance(self, documents: Ids, nodes: Ids, tokens: Ids) -> Ids:  # noqa: ARG002  # forced
        """The next position."""
        return nodes + 1


def compare(one: GraphStepper, other: GraphStepper, sources: Sequence[NetworkInput], policy: Policy) -> Parity:
    """Search with both, then score the best sequences of one with the other.

    Where sequences may begin with several words, that of a sequence is the one with which the scores are nearest.
    """
    ours, theirs = search(one, sources, policy), search(other, sources, policy)
    same = [_alike(mine, yours) for mine, yours in zip(ours, theirs, strict=True)]
    best = [found[0] for found in ours]
    constraint = _Forced([hypothesis.tokens for hypothesis in best], other.words)
    forced = search(other, sources, Policy(max_length=policy.max_length, starts=policy.starts), constraint)
    differences = [
        min(np.abs(mine.log_probabilities - one.log_probabilities).max() for one in yours)
        for mine, yours in zip(best, forced, strict=True)
    ]
    return Parity(float(np.mean(same)), float(max(differences)))


def _alike(ours: Sequence[Hypothesis], theirs: Sequence[Hypothesis]) -> bool:
    """Whether the sequences are the same at each rank, or equally probable within rounding."""
    return len(ours) == len(theirs) and all(
        mine.tokens.tolist() == yours.tokens.tolist() or abs(mine.rank - yours.rank) < ROUNDING
        for mine, yours in zip(ours, theirs, strict=True)
    )


def made_up_inputs(vocabulary: Vocabulary, settings: Settings, longest: int, count: int) -> list[NetworkInput]:
    """Random texts of one word up to `longest`, with titles and retrieved phrases; the vocabulary lacks some words."""
    draw, fields = np.random.default_rng(SEED), input_fields(settings.model)
    inputs = []
    for length in np.unique(np.geomspace(1, longest, count).astype(int)).tolist():
        ids = draw.integers(len(SPECIALS), len(vocabulary) + 1 + length // 10, length)
        words = [vocabulary.words[word] if word < len(vocabulary) else f"unseen{word}" for word in ids.tolist()]
        document = Document(id=str(length), title=" ".join(words[:TITLE]), body=" ".join(words))
        window = SourceWindow(document, words, vocabulary, settings.target, words[TITLE : 2 * TITLE])
        inputs.append(network_input(window, fields)[0])
    return inputs
