"""A small engine whose next-word probabilities are a pure function of the source and of all words so far."""

import zlib
from dataclasses import dataclass

import numpy as np

from keyseq.data.network_inputs import NetworkInput
from keyseq.data.vocabulary import BOS, EOS, PAD, UNK
from keyseq.decoding.search import search as search_inputs
from keyseq.decoding.stepper import Continuations

NEVER = [PAD, UNK, BOS]


def search(stepper, sources, *rest):
    """A search over ids alone."""
    return search_inputs(stepper, [NetworkInput(np.array(source)) for source in sources], *rest)


@dataclass
class TableState:
    sources: list[tuple[int, ...]]
    prefixes: list[list[tuple[int, ...]]]

    def select(self, documents, beams):
        prefixes = [[self.prefixes[d][b] for b in row] for d, row in zip(documents, beams, strict=True)]
        return TableState([self.sources[d] for d in documents], prefixes)


class TableStepper:
    """`step` of logits gives ties on purpose; `eos` is added to the logit of `</s>`."""

    def __init__(self, size: int, step: float = 0.5, eos: float = 0.0):
        self.size, self._step, self._eos = size, step, eos
        self.rows = 0  # hypotheses that were asked for, to see what a search costs

    def log_probabilities(self, source, prefix):
        """Over the vocabulary and the source's own words; a word of the source is likelier."""
        width = max(self.size, *(token + 1 for token in source))
        seed = zlib.crc32(repr((source, prefix)).encode())
        logits = np.round(np.random.default_rng(seed).normal(size=width) / self._step) * self._step
        logits[EOS] += self._eos
        logits[[token for token in range(self.size, width) if token not in source]] = -np.inf
        logits[NEVER] = -np.inf
        return (logits - np.log(np.exp(logits).sum())).astype(np.float32)

    def encode(self, sources):
        assert all(len(source) for source in sources)
        return TableState([tuple(source.ids.tolist()) for source in sources], [[()] for _ in sources])

    def step(self, state, ends, k, allowed=None):
        documents, beams = ends.tokens.shape
        found = [], [], []
        prefixes = [[(*state.prefixes[d][b], int(ends.tokens[d, b])) for b in range(beams)] for d in range(documents)]
        for d in range(documents):
            ways = []
            for b in range(beams):
                self.rows += 1
                row = self.log_probabilities(state.sources[d], prefixes[d][b])
                if allowed is not None:
                    row = np.where(_allowed(allowed, d, b, len(row)), row, np.float32(-np.inf))
                total = ends.scores[d, b] + row
                ways += [(-total[word], word, b) for word in np.flatnonzero(np.isfinite(total))]
            best = (sorted(ways) + [(np.inf, 0, 0)] * k)[:k]
            for part, values in zip(found, zip(*best, strict=True), strict=True):
                part.append(values)
        scores, ids, parents = (np.array(part) for part in found)
        return Continuations(-scores.astype(np.float32), parents, ids, TableState(state.sources, prefixes))


def _allowed(allowed, document, beam, width):
    mask = np.zeros(width, bool)
    if allowed.begins[document, beam]:
        mask[: len(allowed.first)] = allowed.first
    listed = allowed.ids[document, beam]
    mask[listed[listed >= 0]] = True
    return mask
