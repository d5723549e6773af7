"""KEA (Witten, Paynter, Frank, Gutwin and Nevill-Manning, 1999): what is frequent here, rare elsewhere and early.

How much each of these says is learnt from documents with keyphrases, by naive Bayes over discretized features.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Self

import numpy as np

from keyseq.data.parallel import Track, untracked
from keyseq.extractive.candidates import Candidate, find_candidates
from keyseq.extractive.discretization import Floats
from keyseq.extractive.frequencies import DocumentFrequencies
from keyseq.extractive.lessons import Gold, LearnerSettings, rarity, study
from keyseq.extractive.naive_bayes import NaiveBayes
from keyseq.extractive.ranking import best_phrases, without_parts
from keyseq.extractive.reading import Reading
from keyseq.extractive.trained import FREQUENCIES, TrainedRanker, damaged, load_arrays, load_settings
from keyseq.types import Document, Phrase

FEATURES = 2  # TF×IDF, and the place of the first occurrence


@dataclass(frozen=True, kw_only=True)
class KeaSettings(LearnerSettings):
    """Which candidates, and from how many documents; `ORIGINAL` is the definition of 1999."""

    system: ClassVar[str] = "kea"


ORIGINAL = KeaSettings(candidates="ngrams", max_words=3, rarity="phrase", parts="removed")


class Kea(TrainedRanker[KeaSettings]):
    """Ranks candidates by the probability of being a keyphrase, equal ones by TF×IDF."""

    defaults = KeaSettings

    def __init__(self, settings: KeaSettings, frequencies: DocumentFrequencies, bayes: NaiveBayes) -> None:
        super().__init__(settings, frequencies)
        self.bayes = bayes

    def rank(self, reading: Reading) -> list[Phrase]:
        """The ranked phrases of a text."""
        candidates = find_candidates(reading, self.settings)
        measured = features(reading, candidates, self.frequencies)
        probable = self.bayes.probability(measured).tolist()
        by_tfidf = sorted(zip(measured[:, 0].tolist(), probable, candidates, strict=True), key=lambda one: -one[0])
        ranked = sorted(((probability, one) for _, probability, one in by_tfidf), key=lambda one: -one[0])
        kept = without_parts(ranked) if self.settings.parts == "removed" else ranked
        return best_phrases(reading, kept, self.top, relative=False)

    def arrays(self) -> dict[str, Floats]:
        """The numbers that were learnt, by name."""
        return self.bayes.arrays()

    def save_tables(self, folder: Path) -> None:
        """Write the document frequencies."""
        self.frequencies.save(folder / FREQUENCIES)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote."""
        settings, arrays = load_settings(folder, KeaSettings), load_arrays(folder)
        try:
            bayes = NaiveBayes.from_arrays(arrays, FEATURES)
        except (KeyError, TypeError, ValueError) as error:
            raise damaged(folder, error) from None
        return cls(settings, DocumentFrequencies.load(folder / FREQUENCIES), bayes)


def features(
    reading: Reading, candidates: list[Candidate], frequencies: DocumentFrequencies, without: int = 0
) -> Floats:
    """For each candidate (N, 2): its share of the words times its inverse document frequency, and how much of the text
    stands before it. `without` 1 leaves the text's own document out of the frequencies."""
    size = len(reading.source.stems)
    rows = [
        (one.occurrences / size * rarity(one.stems, frequencies, without), one.positions[0] / size)
        for one in candidates
    ]
    return np.array(rows).reshape(-1, FEATURES)


def train(documents: Iterable[Document], settings: KeaSettings | None = None, track: Track = untracked) -> Kea:
    """Learn from documents with keyphrases, of any number."""
    settings = settings or KeaSettings()
    lessons = study(documents, settings)

    def measure(reading: Reading, gold: Gold) -> tuple[Floats, list[bool]]:
        candidates = find_candidates(reading, settings)
        return features(reading, candidates, lessons.frequencies, without=1), [one.stems in gold for one in candidates]

    return Kea(settings, lessons.frequencies, NaiveBayes.fit(*lessons.examples(measure, track)))
