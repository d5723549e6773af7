"""Feedback of users on the phrases they were given, applied to similar texts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from keyseq.retrieval.keyphraseness import Keyphraseness
from keyseq.retrieval.profiles import Profiles, ranges
from keyseq.retrieval.terms import DocumentTerms
from keyseq.text.hashing import Hashes, find, laid_out

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

ALIEN = 0.03  # the default of the cosine that one in twenty pairs of unrelated texts exceeds
RELATED = 0.1  # minimum cosine of related texts, unless most pairs of a corpus exceed half of it
QUANTILE, ALIKE = 0.95, 3.0  # which pairs are as good as unrelated, and how much more similar those of one topic are
NEW_TERM = 0.3  # the weight of a term that profiles do not have, as a share of the largest: it is rare, or too common
ANYWHERE = 0.1  # the weight of a rejection in texts of another topic
SUPPORT = 1.5  # minimum number of similar texts with a phrase accepted for it to become a candidate
OPPOSITION = 3.0  # minimum number of similar texts with a phrase rejected for it to be suppressed
PRIOR = 0.3  # inverse variance of the Gaussian prior of a correction, with mean 0
FEWEST_PAIRS = 100  # of texts, to estimate the similarity of unrelated ones
STEPS_OF_NEWTON, LONGEST_STEP = 12, 3.0
SURE = 5.0  # logits of a ranker are clipped to this


class TermVector(NamedTuple):
    """A text as the TF-IDF of its terms, of length 1."""

    terms: Hashes  # (M,)
    values: NDArray[np.float32]  # (M,)

    @classmethod
    def of(cls, terms: DocumentTerms, keyphraseness: Keyphraseness, profiles: Profiles | None) -> "TermVector":
        """The vector of a document; terms are weighed as in profiles, where there are any."""
        if profiles is None or not len(profiles.terms):
            idf = keyphraseness.idf(terms.hashes)
        else:
            places = find(profiles.terms, terms.hashes)
            idf = np.where(places >= 0, profiles.idf[places].astype(float), NEW_TERM * float(profiles.idf.max()))
        values = (1 + np.log(terms.counts)) * idf
        return cls(terms.hashes, (values / max(float(np.sqrt(values @ values)), 1e-9)).astype(np.float32))


@dataclass(frozen=True, kw_only=True)
class Corrections:
    """Verdicts (V,) on phrases (P,) of documents (D,), and the documents' TF-IDF vectors, stored by term.

    The documents of term i and their values are those from `offsets[i]` to `offsets[i + 1]`. `logits` are those that
    the ranker gave the judged phrases. Texts whose cosine is at most `alien` have nothing in common.
    """

    terms: Hashes  # (F,) sorted
    offsets: NDArray[np.uint32]  # (F + 1,)
    documents: NDArray[np.uint32]  # (W,)
    values: NDArray[np.float32]  # (W,)
    digests: NDArray[np.int64]  # (D,) of the texts
    keys: Hashes  # (P,) sorted
    words: Hashes  # of all phrases in a row
    word_offsets: NDArray[np.uint32]  # (P + 1,)
    owners: NDArray[np.uint32]  # (V,) document of each verdict
    phrases: NDArray[np.uint32]  # (V,) place of its phrase
    accepted: NDArray[np.uint8]  # (V,)
    logits: NDArray[np.float32]  # (V,)
    alien: NDArray[np.float32]  # (1,)
    texts: Sequence[str] = ()  # (P,) how the phrases are written

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, Any], texts: Sequence[str]) -> "Corrections":
        """Restore from `arrays`; TypeError or ValueError if they are invalid."""
        made = cls(**arrays, texts=texts)
        made.check()
        return made

    def arrays(self) -> dict[str, Any]:
        """All arrays, by name."""
        return {field.name: getattr(self, field.name) for field in fields(self) if field.name != "texts"}

    def check(self) -> None:
        """ValueError unless all places are within bounds."""
        sound = (
            len(self.offsets) == len(self.terms) + 1
            and len(self.documents) == len(self.values) == self.offsets[-1]
            and self.documents.max(initial=0) < max(1, len(self.digests))
            and len(self.word_offsets) - 1 == len(self.keys) == len(self.texts)
            and len(self.words) == self.word_offsets[-1]
            and len(self.owners) == len(self.phrases) == len(self.accepted) == len(self.logits)
            and self.owners.max(initial=0) < max(1, len(self.digests))
            and self.phrases.max(initial=0) < max(1, len(self.keys))
            and bool(np.isfinite(self.logits).all() and np.isfinite(self.values).all())
            and self.alien.shape == (1,)
            and self.alien[0] > 0
        )
        if not sound:
            raise ValueError("corrections whose parts do not fit together")

    def recall(self, vector: TermVector) -> "Recalled":
        """The feedback on phrases of texts similar to this one."""
        places = find(self.terms, vector.terms)
        places, values = places[places >= 0], vector.values[places >= 0]
        starts, ends = self.offsets[places].astype(np.int64), self.offsets[places + 1].astype(np.int64)
        rows = ranges(starts, ends)
        cosines = np.bincount(
            self.documents[rows], np.repeat(values, ends - starts) * self.values[rows], minlength=len(self.digests)
        )
        alien = float(self.alien[0])
        return Recalled(self, np.clip((cosines / alien - 1) / (ALIKE - 1), 0.0, 1.0)[self.owners])

    def words_of(self, keys: Hashes, most: int) -> Hashes:
        """The stems of judged phrases, at most `most` each, padded with 0 (N, most)."""
        places = find(self.keys, keys)
        starts = self.word_offsets[places].astype(np.int64)
        return laid_out(self.words, starts, self.word_offsets[places + 1] - starts, most)


@dataclass(frozen=True)
class Recalled:
    """Corrections, and how similar the document of each verdict is to a new one (V,), from 0 to 1."""

    corrections: Corrections
    alike: Floats

    @cached_property
    def _votes(self) -> Floats:
        """By how many similar texts more each phrase was accepted than rejected (P,)."""
        own = self.corrections
        signs = self.alike * (2.0 * own.accepted - 1)
        return np.bincount(own.phrases, signs, minlength=len(own.keys)).astype(float)

    @property
    def candidates(self) -> Hashes:
        """The phrases that were accepted for enough similar texts."""
        return self.corrections.keys[self._votes >= SUPPORT]

    @property
    def rejected(self) -> Hashes:
        """The phrases that were rejected for enough similar texts to be suppressed."""
        return self.corrections.keys[self._votes <= -OPPOSITION]

    def shifts(self, keys: Hashes) -> Floats:
        """The shift of the logit of each phrase (N,), 0 for phrases without feedback.

        The logistic regression of the verdicts on a phrase by the ranker's logit with weight 1 and an intercept, which
        is the shift; a verdict weighs the more, the more similar its text is.
        """
        own = self.corrections
        weights = np.where(own.accepted == 1, self.alike, ANYWHERE + (1 - ANYWHERE) * self.alike)
        logits = np.clip(own.logits.astype(float), -SURE, SURE)
        shifts = np.zeros(len(own.keys))
        for _ in range(STEPS_OF_NEWTON):
            chances = 1 / (1 + np.exp(-(logits + shifts[own.phrases])))
            slope = np.bincount(own.phrases, weights * (own.accepted - chances), minlength=len(shifts)) - PRIOR * shifts
            curvature = np.bincount(own.phrases, weights * chances * (1 - chances), minlength=len(shifts)) + PRIOR
            shifts += np.clip(slope / curvature, -LONGEST_STEP, LONGEST_STEP)
        places = find(own.keys, keys)
        return np.where(places >= 0, shifts[places], 0.0) if len(shifts) else np.zeros(len(keys))

    def corrected(self, keys: Hashes, chances: Floats) -> Floats:
        """The probabilities of phrases (N,), adjusted by the feedback on them."""
        shifts = self.shifts(keys)
        bounded = np.clip(chances, 1 / (1 + np.exp(SURE)), 1 / (1 + np.exp(-SURE)))
        shifted = 1 / (1 + np.exp(-(np.log(bounded / (1 - bounded)) + shifts)))
        changed = np.where(shifts == 0, chances, shifted)
        return np.where(find(self.rejected, keys) >= 0, 0.0, changed)


def unrelated(vectors: Sequence[TermVector]) -> float:
    """The cosine that only one in twenty pairs of these texts exceeds, as unrelated texts do by chance.

    In a corpus of few topics, more pairs than that are related; then it is twice the cosine that half of them exceed.
    """
    if len(vectors) * (len(vectors) - 1) < 2 * FEWEST_PAIRS:
        return ALIEN
    terms: Hashes = np.unique(np.concatenate([one.terms for one in vectors]))
    rows = np.zeros((len(vectors), len(terms)), dtype=np.float32)
    for row, one in zip(rows, vectors, strict=True):
        row[find(terms, one.terms)] = one.values
    pairs = (rows @ rows.T)[np.triu_indices(len(rows), 1)]
    middle, high = (float(np.quantile(pairs, share)) for share in (0.5, QUANTILE))
    return max(min(high, max(RELATED, 2 * middle)), ALIEN / 10)
