"""Maui (Medelyan, Frank and Witten, 2009): bagged decision trees over nine features of a phrase or term.

Without a vocabulary it ranks phrases of the text; with one, the vocabulary terms of which the text contains a label.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from keyseq.config.fields import setting
from keyseq.data.parallel import Track, untracked
from keyseq.errors import KeyseqError
from keyseq.extractive.candidates import Candidate, Stems, find_candidates
from keyseq.extractive.discretization import Floats
from keyseq.extractive.frequencies import DocumentFrequencies
from keyseq.extractive.ranking import best_phrases, without_parts
from keyseq.extractive.reading import Reading
from keyseq.extractive.trained import FREQUENCIES, KEYPHRASES, TrainedRanker, damaged, load_arrays, load_settings
from keyseq.extractive.training_sample import Gold, LearnerSettings, collect, rarity
from keyseq.extractive.trees import Forest, Growth
from keyseq.imports import require
from keyseq.text.presence import phrase_stems
from keyseq.types import Document, Phrase
from keyseq.vocabularies.controlled_vocabulary import ControlledVocabulary
from keyseq.vocabularies.label_matching import LabelMatch, by_concept, find_labels, unambiguous
from keyseq.vocabularies.vocabulary_file import read_vocabulary, write_compiled

FEATURES = ("tf", "idf", "tfidf", "first", "last", "spread", "length", "keyphraseness", "degree")
VOCABULARIES = ("terms.vocabulary", "vocabulary.tsv")  # the second as earlier versions wrote it
Matches = dict[int, list[LabelMatch]]


@dataclass(frozen=True, kw_only=True)
class MauiSettings(LearnerSettings):
    """Candidates, training sample and trees. The defaults were chosen on validation documents."""

    system: ClassVar[str] = "maui"
    max_words: int = setting(5, "maximum words of a candidate; a hyphenated compound is one word", least=1)
    known: int = setting(
        3,
        "keyphrases of at least this many training documents are candidates if the text contains them; 0: none",
        least=0,
    )
    trees: int = setting(30, "number of trees", least=1)
    share: float = setting(0.3, "fraction of the examples that each tree is trained on", least=0.001)
    leaf: int = setting(20, "minimum examples in a leaf", least=1)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.share > 1:
            raise KeyseqError(f"maui.share must be at most 1, not {self.share}")


class Counted(NamedTuple):
    """A candidate phrase or term: the stems of each of its labels, and the positions of its occurrences."""

    labels: list[Stems]
    occurrences: int
    positions: list[int]
    degree: int = 0


@dataclass(frozen=True)
class Knowledge:
    """The statistics that features are computed from."""

    frequencies: DocumentFrequencies
    keyphrases: DocumentFrequencies
    vocabulary: ControlledVocabulary | None = None


class Maui(TrainedRanker[MauiSettings]):
    """Ranks candidates by the mean probability of its trees, ties by TF×IDF."""

    defaults = MauiSettings

    def __init__(self, settings: MauiSettings, knowledge: Knowledge, forest: Forest) -> None:
        super().__init__(settings, knowledge.frequencies)
        self.knowledge, self.forest = knowledge, forest

    def rank(self, reading: Reading) -> list[Phrase]:
        """The ranked phrases of a text."""
        if self.knowledge.vocabulary is not None:
            return self._terms(reading, self.knowledge.vocabulary)
        candidates = _candidates(reading, self.settings, self.knowledge)
        ranked = [(score, candidates[place]) for score, place in self._ranked(reading, list(map(_counted, candidates)))]
        kept = without_parts(ranked) if self.settings.parts == "removed" else ranked
        return best_phrases(reading, kept, self.top, relative=False)

    def _terms(self, reading: Reading, vocabulary: ControlledVocabulary) -> list[Phrase]:
        found = _found(reading, vocabulary)
        concepts = list(found)
        ranked = self._ranked(reading, _counted_terms(reading, vocabulary, found))[: self.top]
        return [_term(reading, vocabulary, score, found[concepts[place]]) for score, place in ranked]

    def _ranked(self, reading: Reading, counted: list[Counted]) -> list[tuple[float, int]]:
        """Score and index of each candidate, best first."""
        measured = features(reading, counted, self.knowledge)
        probable = self.forest.probability(measured)
        order = np.lexsort((-measured[:, FEATURES.index("tfidf")], -probable))
        return [(float(probable[place]), int(place)) for place in order]

    def arrays(self) -> dict[str, Any]:
        """The trained parameters, by name."""
        return self.forest.arrays()

    def save_tables(self, folder: Path) -> None:
        """Write the document frequencies, the training keyphrases, and the vocabulary."""
        self.knowledge.frequencies.save(folder / FREQUENCIES)
        self.knowledge.keyphrases.save(folder / KEYPHRASES)
        if self.knowledge.vocabulary is not None:
            write_compiled(self.knowledge.vocabulary, folder / VOCABULARIES[0])

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote."""
        settings, arrays = load_settings(folder, MauiSettings), load_arrays(folder)
        try:
            forest = Forest.from_arrays(arrays, len(FEATURES))
        except (KeyError, TypeError, ValueError) as error:
            raise damaged(folder, error) from None
        kept = next((folder / name for name in VOCABULARIES if (folder / name).is_file()), None)
        vocabulary = None if kept is None else read_vocabulary(kept)
        frequencies, keyphrases = (DocumentFrequencies.load(folder / name) for name in (FREQUENCIES, KEYPHRASES))
        return cls(settings, Knowledge(frequencies, keyphrases, vocabulary), forest)


def _candidates(
    reading: Reading, settings: MauiSettings, knowledge: Knowledge, gold: Gold = frozenset()
) -> list[Candidate]:
    """The candidates of a text; a training keyphrase that occurs only in its own document does not count as known."""

    def known(stems: Stems) -> bool:
        return knowledge.keyphrases.df(stems) - (stems in gold) >= settings.known

    return find_candidates(reading, settings, known if settings.known else None)


def _counted(candidate: Candidate) -> Counted:
    return Counted([candidate.stems], candidate.occurrences, candidate.positions)


def _found(reading: Reading, vocabulary: ControlledVocabulary) -> Matches:
    return by_concept(vocabulary, unambiguous(vocabulary, find_labels(vocabulary, reading.source)))


def _counted_terms(reading: Reading, vocabulary: ControlledVocabulary, found: Matches) -> list[Counted]:
    analyzer = reading.source.analyzer
    counted = []
    for concept, matches in found.items():
        labels = (vocabulary.labels[label] for label in vocabulary.labels_of(concept, analyzer.language))
        stems = list(dict.fromkeys(tuple(phrase_stems(label, analyzer)) for label in labels))
        degree = len(found.keys() & set(vocabulary.related(concept)[1].tolist()))
        counted.append(Counted(stems, len(matches), [match.first for match in matches], degree))
    return counted


def _term(reading: Reading, vocabulary: ControlledVocabulary, score: float, matches: list[LabelMatch]) -> Phrase:
    """A concept as a phrase, by its preferred label."""
    tokens, first = reading.source.tokens, matches[0].label
    concept = int(vocabulary.label_concepts[first])
    return Phrase(
        text=vocabulary.preferred(concept, reading.source.analyzer.language),
        score=score,
        present=True,
        spans=tuple((tokens[match.first].start, tokens[match.last - 1].end) for match in matches),
        uri=vocabulary.uris[concept] or None,
        matched=vocabulary.labels[first],
    )


def features(reading: Reading, counted: list[Counted], knowledge: Knowledge, gold: Gold | None = None) -> Floats:
    """The `FEATURES` of each candidate (N, 9); positions are relative to the length of the text.

    `keyphraseness` is the number of training documents with this keyphrase. For a training document, `gold` are its
    keyphrases, and the document itself is excluded from all counts.
    """
    size, without = len(reading.source.stems), int(gold is not None)
    rows = []
    for one in counted:
        tf, idf = one.occurrences / size, rarity(one.labels[0], knowledge.frequencies, without)
        first, last = one.positions[0] / size, one.positions[-1] / size
        given = sum(map(knowledge.keyphrases.df, one.labels)) - len(gold.intersection(one.labels) if gold else ())
        rows.append((tf, idf, tf * idf, first, last, last - first, len(one.labels[0]), given, one.degree))
    return np.array(rows, dtype=float).reshape(-1, len(FEATURES))


def train(
    documents: Iterable[Document],
    settings: MauiSettings | None = None,
    vocabulary: ControlledVocabulary | None = None,
    track: Track = untracked,
) -> Maui:
    """Train on documents with keyphrases, of any number; with a vocabulary, on keyphrases that are terms of it."""
    settings = settings or MauiSettings()
    require("sklearn", "baselines")  # before the work, not after it
    sample = collect(documents, settings)
    knowledge = Knowledge(sample.frequencies, sample.keyphrases, vocabulary)

    def measure(reading: Reading, gold: Gold) -> tuple[Floats, list[bool]]:
        if vocabulary is None:
            counted = list(map(_counted, _candidates(reading, settings, knowledge, gold)))
        else:
            counted = _counted_terms(reading, vocabulary, _found(reading, vocabulary))
        return features(reading, counted, knowledge, gold), [not gold.isdisjoint(one.labels) for one in counted]

    growth = Growth(trees=settings.trees, share=settings.share, leaf=settings.leaf, seed=settings.seed)
    return Maui(settings, knowledge, Forest.fit(*sample.examples(measure, track), growth))
