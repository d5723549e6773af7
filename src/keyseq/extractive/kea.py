"""KEA (Witten, Paynter, Frank, Gutwin and Nevill-Manning, 1999): naive Bayes over TF×IDF and first position.

It is trained on documents with keyphrases; features are discretized.
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
from keyseq.extractive.naive_bayes import NaiveBayes
from keyseq.extractive.ranking import best_phrases, without_parts
from keyseq.extractive.reading import Reading
from keyseq.extractive.trained import FREQUENCIES, TrainedRanker, damaged, load_arrays, load_settings
from keyseq.extractive.training_sample import Gold, LearnerSettings, collect, rarity
from keyseq.types import Document, Phrase

FEATURES = 2  # TF×IDF and first position


@dataclass(frozen=True, kw_only=True)
class KeaSettings(LearnerSettings):
    """Candidates and training sample; `ORIGINAL` is the definition of 1999."""

    system: ClassVar[str] = "kea"


ORIGINAL = KeaSettings(candidates="ngrams", max_words=3, rarity="phrase", parts="removed")


class Kea(TrainedRanker[KeaSettings]):
    """Ranks candidates by the probability of being a keyphrase, ties by TF×IDF."""

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
        """The trained parameters, by name."""
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
    """The features (N, 2) of candidates: TF×IDF, where TF is relative to the number of words, and the relative position
    of the first occurrence. `without=1` excludes the text itself from the document frequencies."""
    size = len(reading.source.stems)
    rows = [
        (one.occurrences / size * rarity(one.stems, frequencies, without), one.positions[0] / size)
        for one in candidates
    ]
    return np.array(rows).reshape(-1, FEATURES)


def train(documents: Iterable[Document], settings: KeaSettings | None = None, track: Track = untracked) -> Kea:
    """Train on documents with keyphrases, of any number."""
    settings = settings or KeaSettings()
    sample = collect(documents, settings)

    def measure(reading: Reading, gold: Gold) -> tuple[Floats, list[bool]]:
        candidates = find_candidates(reading, settings)
        return features(reading, candidates, sample.frequencies, without=1), [one.stems in gold for one in candidates]

    return Kea(settings, sample.frequencies, NaiveBayes.fit(*sample.examples(measure, track)))
