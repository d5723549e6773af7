"""Hypotheses of a search: finished sequences, and the beam of growing ones."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Generic, NamedTuple

import numpy as np
from numpy.typing import NDArray

from keyseq.data.vocabulary import EOS
from keyseq.decoding.stepper import Continuations, Floats, Ids, S

Flags = NDArray[np.bool_]


class Hypothesis(NamedTuple):
    """A generated sequence: its words as extended ids, and the log-probability of each, that of `</s>` included.

    One truncated at the maximum length is not `finished` and has no `</s>`. `rank` is what sequences are
    ordered by: the sum of the log-probabilities, over the length penalty if there is one.
    """

    tokens: Ids  # (T,)
    log_probabilities: Floats  # (T + 1,), or (T,) if truncated
    rank: float
    finished: bool


@dataclass(frozen=True, slots=True)
class Beam(Generic[S]):
    """Growing hypotheses, B for each of the D documents that are still searched."""

    documents: Ids  # (D,) numbers of the sources
    state: S
    parents: Ids  # (D, B) indices in `state` that the hypotheses continue
    tokens: Ids  # (D, B, T), the start word first
    log_probabilities: Floats  # (D, B, T), 0 for the start word
    scores: Floats  # (D, B) sums of log-probabilities; -inf marks an empty slot
    nodes: Ids  # (D, B) of the constraint

    @classmethod
    def start(cls, state: S, words: Ids) -> "Beam[S]":
        """One hypothesis for each document: its start word (D,)."""
        zeros = np.zeros((len(words), 1), np.int64)
        chances = np.zeros((len(words), 1), np.float32)
        return cls(
            np.arange(len(words)),
            state,
            zeros,
            zeros[:, :, None] + words[:, None, None],
            chances[:, :, None],
            chances,
            zeros,
        )

    @property
    def length(self) -> int:
        """Words generated so far, `</s>` counted."""
        return int(self.tokens.shape[2]) - 1

    @property
    def words(self) -> Ids:
        """The last words (D, B)."""
        return np.asarray(self.tokens[:, :, -1])

    @property
    def alive(self) -> Flags:
        """The mask (D, B) of slots with an unfinished hypothesis."""
        return np.asarray(np.isfinite(self.scores) & (self.words != EOS))

    @property
    def ended(self) -> Flags:
        """The mask (D, B) of slots with a hypothesis that has just generated `</s>`."""
        return np.asarray(np.isfinite(self.scores) & (self.words == EOS))

    def grown(self, continuations: Continuations[S], chosen: Ids) -> "Beam[S]":
        """The hypotheses extended by the chosen continuations (D, B')."""
        rows = np.arange(len(self.documents))[:, None]
        parents, words = continuations.beams[rows, chosen], continuations.ids[rows, chosen]
        scores = continuations.scores[rows, chosen]
        chances = np.minimum(scores - self.scores[rows, parents], 0)  # rounding may exceed 0
        return Beam(
            documents=self.documents,
            state=continuations.state,
            parents=parents,
            tokens=np.concatenate((self.tokens[rows, parents], words[:, :, None]), axis=2),
            log_probabilities=np.concatenate((self.log_probabilities[rows, parents], chances[:, :, None]), axis=2),
            scores=scores,
            nodes=self.nodes[rows, parents],
        )

    def only(self, kept: Flags) -> "Beam[S]":
        """Only the kept hypotheses, compacted; documents without any are dropped."""
        [rows] = np.nonzero(kept.any(axis=1))
        width = int(kept.sum(axis=1).max(initial=0))
        beams = np.argsort(~kept[rows], axis=1, kind="stable")[:, :width]
        places = (rows[:, None], beams)
        return Beam(
            documents=self.documents[rows],
            state=self.state.select(rows, self.parents[places]),
            parents=np.broadcast_to(np.arange(width), beams.shape),
            tokens=self.tokens[places],
            log_probabilities=self.log_probabilities[places],
            scores=np.where(kept[places], self.scores[places], np.float32(-np.inf)),
            nodes=self.nodes[places],
        )

    def hypotheses(self, chosen: Flags, length_penalty: float) -> Iterator[tuple[int, Hypothesis]]:
        """The chosen hypotheses (D, B), each with the number of its source."""
        rows, beams = np.nonzero(chosen)
        tokens, chances = self.tokens[rows, beams, 1:], self.log_probabilities[rows, beams, 1:]
        finished = tokens[:, -1] == EOS
        ranks = self.scores[rows, beams].astype(float) / self.length**length_penalty
        lengths = self.length - finished
        parts = zip(tokens, lengths.tolist(), chances, ranks.tolist(), finished.tolist(), strict=True)
        for number, (words, length, chance, rank, ends) in zip(self.documents[rows].tolist(), parts, strict=True):
            yield number, Hypothesis(words[:length], chance, rank, ends)
