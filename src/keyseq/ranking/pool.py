"""All candidates of a document, wherever they come from: its text, the profiles of known keyphrases, a network."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from keyseq.extractive.graph import word_scores
from keyseq.extractive.reading import Reading
from keyseq.extractive.textrank import TextRankSettings
from keyseq.ranking.runs import Flags, Floats, Integers, Runs, Tokens, are_noun_phrases, find_runs, stand_alone
from keyseq.retrieval.keyphraseness import Keyphraseness
from keyseq.retrieval.profiles import Profiles
from keyseq.retrieval.terms import StemmedWords, terms
from keyseq.retrieval.token_store import LONGEST_LABEL
from keyseq.text.hashing import LONGEST, Hashes, distinct, find, phrase_hash, stem_hashes

MOST_LABELS = 60  # of the profiles' best that are candidates
_TEXTRANK = TextRankSettings()
Numbers = Integers | Floats | NDArray[np.float32]


class GeneratedPhrase(NamedTuple):
    """A phrase that a network generated, with the evidence of its search."""

    words: tuple[str, ...]
    probability: float
    share: float


@dataclass(frozen=True)
class Known:
    """What candidates are measured against; profiles may be missing."""

    keyphraseness: Keyphraseness
    profiles: Profiles | None = None


@dataclass(frozen=True)
class Retrieved:
    """The profiles' scores of all labels (L,), and the numbers of the best."""

    scores: Floats | NDArray[np.float32]
    best: Integers
    ranks: Integers  # (L,) from 0; of those that are not among the best, `MOST_LABELS`


class Sketch(NamedTuple):
    """What tells how candidates (N,) overlap: small enough to be kept of many documents."""

    keys: Hashes
    words: Hashes  # (N, LONGEST_LABEL), with 0 after the last word of each
    in_text: Flags
    is_label: Flags
    generated: Flags
    part_of_longer: Floats

    def of(self, numbers: Integers) -> "Sketch":
        """The same of some of them."""
        return Sketch(
            self.keys[numbers],
            self.words[numbers],
            self.in_text[numbers],
            self.is_label[numbers],
            self.generated[numbers],
            self.part_of_longer[numbers],
        )


class Pool:
    """The candidates of one document as arrays (N,), each once, by the number of its stems."""

    def __init__(self, reading: Reading, title: str, known: Known, generated: Sequence[GeneratedPhrase] = ()) -> None:
        self.reading, self.known, self.generated = reading, known, generated
        self.tokens = Tokens.of(reading, title)
        self.runs: Runs = find_runs(self.tokens)
        self.retrieved = _retrieved(self.tokens, known.profiles)
        by_network = np.array(
            [phrase_hash(reading.source.analyzer.stems(one.words)) for one in generated], dtype=np.uint32
        )
        by_profile = known.profiles.keys[self.retrieved.best] if known.profiles else self.runs.keys[:0]
        self.keys: Hashes = distinct(np.concatenate([self.runs.keys, by_network, by_profile]))
        self.run: Integers = find(self.runs.keys, self.keys)
        self.label: Integers = known.profiles.find(self.keys) if known.profiles else np.full(len(self.keys), -1)
        order = np.argsort(by_network, kind="stable")
        places = find(by_network[order], self.keys)
        self.generated_as: Integers = np.where(places >= 0, order[places] if len(order) else 0, -1)

    def of_runs(self, values: Numbers, missing: float = -1.0) -> Floats:
        """What is known of each run, for each candidate."""
        return _taken(values, self.run, missing)

    def of_labels(self, values: Numbers, missing: float = 0.0) -> Floats:
        """What is known of each label, for each candidate."""
        return _taken(values, self.label, missing)

    def of_generated(self, values: Floats, missing: float) -> Floats:
        """What is known of each generated phrase, for each candidate."""
        return _taken(values, self.generated_as, missing)

    @cached_property
    def alone(self) -> Flags:
        """Which occurrences have a mark or a stop word on both sides."""
        return stand_alone(self.runs, self.tokens)

    @cached_property
    def noun_phrases(self) -> Flags:
        """Which occurrences are noun phrases."""
        return are_noun_phrases(self.runs, self.reading)

    @cached_property
    def counted(self) -> tuple[Floats, Floats]:
        """How many documents of the corpus have each candidate as a keyphrase, and how many contain it."""
        return self.known.keyphraseness.of_phrases(self.keys)

    @cached_property
    def word_idf(self) -> Floats:
        """How rare each word of the text is in the corpus (T,)."""
        return self.known.keyphraseness.idf(self.tokens.hashes)

    @cached_property
    def word_roles(self) -> tuple[Floats, Floats]:
        """How many keyphrases of the corpus begin and end with each word of the text (T,)."""
        return self.known.keyphraseness.of_words(self.tokens.hashes)

    @cached_property
    def word_counts(self) -> Floats:
        """How often the text has each of its words (T,)."""
        _, owners, counts = np.unique(self.tokens.hashes, return_inverse=True, return_counts=True)
        return counts[owners].astype(float)

    @cached_property
    def word_shapes(self) -> Floats:
        """Of each word of the text (T, 3): its characters, whether it has a capital, whether it has a digit."""
        texts = [token.text for token in self.reading.source.tokens]
        shapes = [(len(text), text != text.lower(), any(map(str.isdigit, text))) for text in texts]
        return np.array(shapes, dtype=float).reshape(-1, 3)

    @cached_property
    def textrank(self) -> Floats:
        """The score of each run by TextRank (R,)."""
        scores = word_scores(self.reading, _TEXTRANK, "position")
        ranks = np.array([scores.get(stem, 0.0) for stem in self.reading.source.stems])
        return self.summed(ranks) * np.log2(1 + self.runs.counts)

    @cached_property
    def tfidf(self) -> Floats:
        """The score of each run by TF-IDF (R,)."""
        return self.summed(self.word_idf) * self.runs.counts

    @cached_property
    def words(self) -> Hashes:
        """The stems of each candidate as numbers (N, LONGEST), with 0 after the last."""
        laid = np.zeros((len(self.keys), LONGEST_LABEL), dtype=np.uint32)
        here = self.run >= 0
        first, length = (self.of_runs(values).astype(int) for values in (self.runs.first, self.runs.lengths))
        for place in range(LONGEST):
            has = here & (length > place)
            laid[has, place] = self.tokens.hashes[first[has] + place]
        for number in np.flatnonzero(~here):
            own = self._absent_words(int(number))[:LONGEST_LABEL]
            laid[number, : len(own)] = own
        return laid

    @cached_property
    def words_in_text(self) -> Floats:
        """Of each candidate's words, the share that the text has somewhere (N,)."""
        filled = self.words != 0
        share: Floats = ((find(distinct(self.tokens.hashes), self.words) >= 0) & filled).sum(axis=1) / np.maximum(
            1, filled.sum(axis=1)
        )
        return share

    def speaking(self, label: int) -> Hashes:
        """The terms of the text that speak for a label, the strongest first."""
        assert self.known.profiles is not None  # noqa: S101  # a label is of profiles
        return self.known.profiles.speaking(terms(StemmedWords(self.tokens.hashes, self.tokens.title)), label)

    @property
    def sketch(self) -> Sketch:
        """What tells how the candidates overlap."""
        within = self.of_runs(self.runs.extended / self.runs.counts)
        return Sketch(self.keys, self.words, self.run >= 0, self.label >= 0, self.generated_as >= 0, within)

    def _absent_words(self, number: int) -> Hashes:
        """The words of a candidate that the text does not contain."""
        if self.generated_as[number] >= 0:
            return stem_hashes(self.reading.source.analyzer.stems(self.generated[self.generated_as[number]].words))
        assert self.known.profiles is not None  # noqa: S101  # what neither text nor network has is a label
        return self.known.profiles.words_of(int(self.label[number]))

    def summed(self, values: Floats) -> Floats:
        """The sum over the words of each run of a value of every word of the text (T,)."""
        sums = np.concatenate([[0.0], np.cumsum(values)])
        first = self.runs.first
        total: Floats = sums[first + self.runs.lengths] - sums[first]
        return total

    def extreme(self, values: Floats, which: np.ufunc) -> Floats:
        """The least or largest value over the words of each run."""
        first, last = self.runs.first, self.runs.first + self.runs.lengths - 1
        found: Floats = values[first]
        for offset in range(1, int(self.runs.lengths.max(initial=1))):
            found = which(found, values[np.minimum(first + offset, last)])
        return found


def _taken(values: Numbers, places: Integers, missing: float) -> Floats:
    if not len(values):
        return np.full(len(places), missing)
    return np.where(places >= 0, values[places], missing)


def _retrieved(tokens: Tokens, profiles: Profiles | None) -> Retrieved:
    if profiles is None:
        none = np.zeros(0, dtype=int)
        return Retrieved(np.zeros(0), none, none)
    scores = profiles.scores(terms(StemmedWords(tokens.hashes, tokens.title)))
    count = min(MOST_LABELS, len(scores))
    best = np.argpartition(-scores, count - 1)[:count]
    best = best[np.argsort(-scores[best], kind="stable")]
    best = best[scores[best] > 0]
    ranks = np.full(len(scores), MOST_LABELS)
    ranks[best] = np.arange(len(best))
    return Retrieved(scores, best, ranks)
