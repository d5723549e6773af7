"""All candidates of a document, wherever they come from: its text, the profiles of known keyphrases, a network."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from keyseq.extractive.graph import word_scores
from keyseq.extractive.reading import NOUN, Reading
from keyseq.extractive.textrank import TextRankSettings
from keyseq.ranking.long_text import LongText
from keyseq.ranking.runs import Flags, Floats, Integers, Runs, Tokens, are_noun_phrases, find_runs, stand_alone
from keyseq.retrieval.corrections import Corrections, Recalled, TermVector
from keyseq.retrieval.keyphraseness import Keyphraseness
from keyseq.retrieval.profiles import Contributions, Profiles
from keyseq.retrieval.terms import StemmedWords, stop_hashes, terms
from keyseq.retrieval.token_store import LONGEST_LABEL
from keyseq.text.hashing import Hashes, distinct, find, laid_out, phrase_hashes, stem_hashes
from keyseq.text.word_shapes import word_shapes

MOST_LABELS = 60  # of the profiles' best that are candidates, unless a system has another number
PART = 64  # scores of which only the highest is looked at first
_TEXTRANK = TextRankSettings()
Numbers = Integers | Floats | NDArray[np.float32]


class GeneratedPhrase(NamedTuple):
    """A phrase that a network generated, with the evidence of its search."""

    words: tuple[str, ...]
    probability: float
    share: float


@dataclass(frozen=True)
class Known:
    """The statistics that features are computed from; profiles may be missing.

    `background` are the counts of another, larger corpus, which has more of the rare phrases;
    `most` is how many labels the profiles retrieve, and `scattered` how many more whose words the text has, though not
    in a row; `corrections` are those by users.
    """

    keyphraseness: Keyphraseness
    profiles: Profiles | None = None
    background: Keyphraseness | None = None
    most: int = MOST_LABELS
    corrections: Corrections | None = None
    scattered: int = 0


@dataclass(frozen=True)
class Retrieved:
    """The profiles' scores of all labels (L,), and the numbers of the best, from the best of all."""

    scores: NDArray[np.float32]
    best: Integers
    contributions: Contributions | None = None
    most: int = MOST_LABELS  # how many of the best there are at most

    @property
    def best_score(self) -> float:
        """The highest score of all; 0 where no profile fits."""
        return float(self.scores[self.best[0]]) if len(self.best) else 0.0

    def ranks(self, labels: Integers) -> Integers:
        """The ranks of labels among the best, from 0; of others `most`."""
        if not len(self.best):
            return np.full(len(labels), self.most)
        order = np.argsort(self.best)
        places = np.minimum(np.searchsorted(self.best, labels, sorter=order), len(order) - 1)
        return np.where(self.best[order[places]] == labels, order[places], self.most)


class Sketch(NamedTuple):
    """The words of candidates (N,), from which their overlap is computed; small enough to keep for many documents."""

    keys: Hashes
    words: Hashes  # (N, LONGEST_LABEL), with 0 after the last word of each
    in_text: Flags
    is_label: Flags
    generated: Flags
    part_of_longer: Floats
    times: Floats  # how often the text has each; 0 where a tagger tells phrases from their parts

    def of(self, numbers: Integers) -> "Sketch":
        """The same of some of them."""
        return Sketch(
            self.keys[numbers],
            self.words[numbers],
            self.in_text[numbers],
            self.is_label[numbers],
            self.generated[numbers],
            self.part_of_longer[numbers],
            self.times[numbers],
        )


class Pool:
    """The candidates of one document as arrays (N,), each once, by the number of its stems."""

    def __init__(
        self,
        reading: Reading,
        title: str,
        known: Known,
        generated: Sequence[GeneratedPhrase] = (),
        whole: LongText | None = None,  # of which the reading is a digest
    ) -> None:
        self.reading, self.known, self.generated, self.whole = reading, known, generated, whole
        self.tokens = Tokens.of(reading, title)
        self.runs: Runs = find_runs(self.tokens)
        self.retrieved = _retrieved(self._stemmed, known)
        by_network = phrase_hashes(*self._generated_words)
        by_profile = known.profiles.keys[self._labels(known.profiles)] if known.profiles else self.runs.keys[:0]
        self.recalled: Recalled | None = known.corrections.recall(self.vector) if known.corrections else None
        by_users = self.recalled.candidates if self.recalled else self.runs.keys[:0]
        self.keys: Hashes = distinct(np.concatenate([self.runs.keys, by_network, by_profile, by_users]))
        self.run: Integers = find(self.runs.keys, self.keys)
        self.label: Integers = known.profiles.find(self.keys) if known.profiles else np.full(len(self.keys), -1)
        order = np.argsort(by_network, kind="stable")
        places = find(by_network[order], self.keys)
        self.generated_as: Integers = np.where(places >= 0, order[places] if len(order) else 0, -1)

    def _labels(self, profiles: Profiles) -> Integers:
        """The labels that profiles retrieve, and the best of those whose words the text has."""
        if not self.known.scattered:
            return self.retrieved.best
        spelled = profiles.spelled_by(self._distinct_words[0])
        spelled = spelled[self.retrieved.scores[spelled] > 0]
        others = spelled[find(self.runs.keys, profiles.keys[spelled]) < 0]
        order = np.argsort(-self.retrieved.scores[others], kind="stable")[: self.known.scattered]
        return np.concatenate([self.retrieved.best, others[order]])

    def of_runs(self, values: Numbers, missing: float = -1.0) -> Floats:
        """What is known of each run, for each candidate."""
        return _taken(values, self.run, missing)

    def of_generated(self, values: Floats, missing: float) -> Floats:
        """What is known of each generated phrase, for each candidate."""
        return _taken(values, self.generated_as, missing)

    @cached_property
    def in_text(self) -> Flags:
        """Which candidates the text has, of a long text anywhere (N,)."""
        return self.run >= 0 if self.whole is None else (self.run >= 0) | (self.whole.counts(self.keys) > 0)

    def spans(self, stems: Sequence[str]) -> tuple[tuple[int, int], ...]:
        """The character offsets of every occurrence of a stemmed phrase in the document's text."""
        return self.reading.source.spans(stems) if self.whole is None else self.whole.spans(stems)

    @property
    def _stemmed(self) -> StemmedWords:
        if self.whole is not None:
            return self.whole.stemmed(self.tokens.title)
        return StemmedWords(self.tokens.hashes, self.tokens.title, stop_hashes(self.reading.source.analyzer))

    @property
    def vector(self) -> TermVector:
        """The document as one of a corpus, for comparison."""
        return TermVector.of(terms(self._stemmed), self.known.keyphraseness, self.known.profiles)

    @cached_property
    def accepted(self) -> Flags:
        """Which candidates users accepted for similar texts."""
        if self.recalled is None:
            return np.zeros(len(self.keys), dtype=bool)
        return find(self.recalled.candidates, self.keys) >= 0

    @cached_property
    def rejected(self) -> Flags:
        """Which candidates users rejected for similar texts often enough to be suppressed."""
        if self.recalled is None:
            return np.zeros(len(self.keys), dtype=bool)
        return find(self.recalled.rejected, self.keys) >= 0

    @cached_property
    def profile_scores(self) -> NDArray[np.float32]:
        """The score of each candidate's profile; 0 where it has none (N,)."""
        if not len(self.retrieved.scores):
            return np.zeros(len(self.keys), dtype=np.float32)
        return np.where(self.label >= 0, self.retrieved.scores[self.label], np.float32(0))

    @cached_property
    def profile_ranks(self) -> Integers:
        """The rank of each candidate among the retrieved labels, from 0; of others the number of these (N,)."""
        return self.retrieved.ranks(self.label)

    @cached_property
    def alone(self) -> Flags:
        """Which occurrences have a mark or a stop word on both sides."""
        return stand_alone(self.runs, self.tokens)

    @cached_property
    def noun_phrases(self) -> Flags:
        """Which occurrences are noun phrases."""
        return are_noun_phrases(self.runs, self.reading)

    @cached_property
    def noun_share(self) -> Floats:
        """Of each run's occurrences, the share that are noun phrases (R,)."""
        return self.runs.share(self.noun_phrases)

    @cached_property
    def noun_ended(self) -> Floats:
        """Of each run's occurrences, the share whose last word is a noun (R,)."""
        last = self.runs.places + self.runs.lengths[self.runs.owners] - 1
        return self.runs.share(self.tokens.classes[last] == ord(NOUN))

    @cached_property
    def counted(self) -> tuple[Floats, Floats]:
        """How many documents of the corpus have each candidate as a keyphrase, and how many contain it."""
        return self.known.keyphraseness.of_phrases(self.keys)

    @cached_property
    def background_counted(self) -> tuple[Floats, Floats]:
        """The same of the background; zeros without one."""
        if self.known.background is None:
            return np.zeros(len(self.keys)), np.zeros(len(self.keys))
        return self.known.background.of_phrases(self.keys)

    @cached_property
    def word_idf(self) -> Floats:
        """How rare each word of the text is in the corpus (T,)."""
        words, places, _ = self._distinct_words
        return self.known.keyphraseness.idf(words)[places]

    @cached_property
    def word_roles(self) -> tuple[Floats, Floats]:
        """How many keyphrases of the corpus begin and end with each word of the text (T,)."""
        words, places, _ = self._distinct_words
        beginning, ending = self.known.keyphraseness.of_words(words)
        return beginning[places], ending[places]

    @cached_property
    def word_counts(self) -> Floats:
        """How often the text has each of its words (T,)."""
        _, places, counts = self._distinct_words
        return counts[places].astype(float)

    @property
    def word_numbers(self) -> Integers:
        """The number of each word of the text among its different words (T,)."""
        return self._distinct_words[1]

    @cached_property
    def _distinct_words(self) -> tuple[Hashes, Integers, Integers]:
        """The different words of the text, sorted; the place of each word (T,) among them; how often it has each."""
        return np.unique(self.tokens.hashes, return_inverse=True, return_counts=True)

    @cached_property
    def word_shapes(self) -> Floats:
        """Of each word of the text (T, 4): its characters, whether it has a capital, a digit, capitals alone."""
        return word_shapes([text for text, _, _ in self.reading.source.tokens])

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
        here, generated = self.run >= 0, self.generated_as >= 0
        runs = self.run[here]
        laid[here] = laid_out(self.tokens.hashes, self.runs.first[runs], self.runs.lengths[runs], LONGEST_LABEL)
        by_network, by_profile = ~here & generated, ~here & ~generated & (self.label >= 0)
        words, _ = self._generated_words
        laid[by_network, : words.shape[1]] = words[self.generated_as[by_network], :LONGEST_LABEL]
        if self.known.profiles is not None:
            laid[by_profile] = self.known.profiles.words_of(self.label[by_profile], LONGEST_LABEL)
        if self.known.corrections is not None:  # what neither text nor network nor profiles have
            by_users = ~here & ~generated & (self.label < 0)
            laid[by_users] = self.known.corrections.words_of(self.keys[by_users], LONGEST_LABEL)
        return laid

    @cached_property
    def words_in_text(self) -> Floats:
        """Of each candidate's words, the share that the text has somewhere (N,)."""
        share = np.ones(len(self.keys))
        absent = np.flatnonzero(self.run < 0)
        words = self.words[absent]
        filled = words != 0
        found = (find(self._distinct_words[0], words) >= 0) & filled
        share[absent] = found.sum(axis=1) / np.maximum(1, filled.sum(axis=1))
        return share

    @cached_property
    def profile_support(self) -> Floats:
        """Of each candidate's words (N, LONGEST), the best score of a retrieved label with it; then NaN."""
        if self.known.profiles is None or not len(self.retrieved.best):
            return self._support(np.zeros((0, 1), dtype=np.uint32), np.zeros(0))
        labels = self.known.profiles.words_of(self.retrieved.best, LONGEST_LABEL)
        return self._support(labels, self.retrieved.scores[self.retrieved.best].astype(float))

    @cached_property
    def generated_support(self) -> Floats:
        """Of each candidate's words (N, LONGEST), the largest share of a generated phrase with it; then NaN."""
        return self._support(self._generated_words[0], np.array([one.share for one in self.generated]))

    def _support(self, words: Hashes, values: Floats) -> Floats:
        """Of each candidate's words, the largest of the values (M,) of phrases with such a word (M, L)."""
        order = np.argsort(values, kind="stable")
        flat, repeated = words[order].ravel(), np.repeat(values[order], words.shape[1])
        different, last = np.unique(flat[::-1], return_index=True)  # the last is the largest
        best = np.append(repeated[::-1][last], 0.0)
        found = best[find(different, self.words)] if len(different) else np.zeros(self.words.shape)
        return np.where(self.words != 0, found, np.nan)

    def speaking(self, label: int) -> Hashes:
        """The terms of the text with the highest weights in the profile of a label, the highest first."""
        assert self.retrieved.contributions is not None  # noqa: S101  # a label is of profiles
        return self.retrieved.contributions.speaking(label)

    @property
    def sketch(self) -> Sketch:
        """The words of the candidates, from which their overlap is computed."""
        within = self.of_runs(self.runs.extended / self.runs.counts)
        is_tagged = self.reading.source.analyzer.tagger is not None
        times = np.zeros(len(self.keys)) if is_tagged else self.of_runs(self.runs.counts, 0.0)
        return Sketch(self.keys, self.words, self.run >= 0, self.label >= 0, self.generated_as >= 0, within, times)

    @cached_property
    def _generated_words(self) -> tuple[Hashes, Integers]:
        """The stems of each generated phrase as numbers (G, words of the longest), with 0 after the last; how many."""
        lengths = np.array([len(one.words) for one in self.generated], dtype=np.int64)
        words = self.reading.source.analyzer.stems(word for one in self.generated for word in one.words)
        starts = np.cumsum(lengths) - lengths
        return laid_out(stem_hashes(words), starts, lengths, int(lengths.max(initial=0))), lengths

    def unlabelled(self, number: int) -> str:
        """The spelling of a candidate that is neither a run of the text nor a label: as generated or as in feedback."""
        if self.generated_as[number] >= 0 or self.known.corrections is None:
            return " ".join(self.generated[self.generated_as[number]].words)
        return self.known.corrections.texts[int(find(self.known.corrections.keys, self.keys[number : number + 1])[0])]

    def summed(self, values: Floats) -> Floats:
        """The sum over the words of each run of a value of every word of the text (T,)."""
        sums = np.concatenate([[0.0], np.cumsum(values)])
        first = self.runs.first
        total: Floats = sums[first + self.runs.lengths] - sums[first]
        return total

    def extreme(self, values: Floats, which: np.ufunc) -> Floats:
        """The least or largest value over the words of each run."""
        found: Floats = which.reduce(values[self._word_places], axis=0)
        return found

    @cached_property
    def _word_places(self) -> Integers:
        """The places of each run's words in the text (words of the longest run, R), the last word's more than once."""
        offsets = np.arange(self.runs.lengths.max(initial=1))[:, None]
        return self.runs.first + np.minimum(offsets, self.runs.lengths - 1)


def _taken(values: Numbers, places: Integers, missing: float) -> Floats:
    """The values at places, and what is `missing` at place -1: the last, where it is appended."""
    extended = np.empty(len(values) + 1)
    extended[:-1], extended[-1] = values, missing
    return extended[places]


def _retrieved(words: StemmedWords, known: Known) -> Retrieved:
    profiles = known.profiles
    if profiles is None:
        return Retrieved(np.zeros(0, dtype=np.float32), np.zeros(0, dtype=np.int64), most=known.most)
    contributions = profiles.contributions(terms(words))
    scores = profiles.summed(contributions)
    return Retrieved(scores, best_places(scores, known.most), contributions, known.most)


def best_places(scores: NDArray[np.float32], most: int) -> Integers:
    """The places of the highest scores that are above 0, from the highest.

    As many parts of the scores as are wanted have one that is not below the bound, so that no other needs sorting.
    """
    parts = max(1, len(scores) // PART)
    highest = scores[: parts * PART].reshape(-1, parts).max(axis=0, initial=0.0) if parts > most else scores[:0]
    bound = np.partition(highest, parts - most)[parts - most] if parts > most else 0.0
    places = np.flatnonzero((scores >= bound) & (scores > 0))
    return places[np.argsort(-scores[places], kind="stable")][:most]
