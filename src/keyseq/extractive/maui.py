"""Maui (Medelyan, Frank and Witten, 2009): bagged decision trees over nine features of a phrase or term.

Without a vocabulary it ranks phrases of the text; with one, the terms of the vocabulary that the text has a label of.
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
from keyseq.extractive.lessons import Gold, LearnerSettings, rarity, study
from keyseq.extractive.ranking import best_phrases, named_phrase, without_parts
from keyseq.extractive.reading import Reading
from keyseq.extractive.thesaurus import Thesaurus
from keyseq.extractive.trained import FREQUENCIES, KEYPHRASES, TrainedRanker, damaged, load_arrays, load_settings
from keyseq.extractive.trees import Forest, Growth
from keyseq.imports import require
from keyseq.types import Document, Phrase

FEATURES = ("tf", "idf", "tfidf", "first", "last", "spread", "length", "keyphraseness", "degree")
VOCABULARY = "vocabulary.tsv"


@dataclass(frozen=True, kw_only=True)
class MauiSettings(LearnerSettings):
    """Which candidates, and how trees are grown. The defaults were chosen on validation documents."""

    system: ClassVar[str] = "maui"
    max_words: int = setting(5, "words of the longest candidate; a hyphenated compound is one word", least=1)
    known: int = setting(
        3,
        "what so many documents of training were given is a candidate too, wherever the text has it; 0: nothing",
        least=0,
    )
    trees: int = setting(30, "trees whose mean is taken", least=1)
    share: float = setting(0.3, "share of the examples from which each tree is grown", least=0.001)
    leaf: int = setting(20, "examples in a leaf at least", least=1)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.share > 1:
            raise KeyseqError(f"maui.share must be at most 1, not {self.share}")


class Counted(NamedTuple):
    """A phrase or term of a text: its stems under each of its labels, and the places of its first words."""

    labels: list[Stems]
    occurrences: int
    positions: list[int]
    degree: int = 0


@dataclass(frozen=True)
class Knowledge:
    """What a text's phrases are measured against."""

    frequencies: DocumentFrequencies
    keyphrases: DocumentFrequencies
    thesaurus: Thesaurus | None = None


class Maui(TrainedRanker[MauiSettings]):
    """Ranks candidates by the mean of what its trees say, equal ones by TF×IDF."""

    defaults = MauiSettings

    def __init__(self, settings: MauiSettings, knowledge: Knowledge, forest: Forest) -> None:
        super().__init__(settings, knowledge.frequencies)
        self.knowledge, self.forest = knowledge, forest

    def rank(self, reading: Reading) -> list[Phrase]:
        """The ranked phrases of a text."""
        if self.knowledge.thesaurus is not None:
            return self._terms(reading, self.knowledge.thesaurus)
        candidates = _candidates(reading, self.settings, self.knowledge)
        ranked = [(score, candidates[place]) for score, place in self._ranked(reading, list(map(_counted, candidates)))]
        kept = without_parts(ranked) if self.settings.parts == "removed" else ranked
        return best_phrases(reading, kept, self.top, relative=False)

    def _terms(self, reading: Reading, thesaurus: Thesaurus) -> list[Phrase]:
        found = thesaurus.find(reading.source)
        names = [thesaurus.terms[number].name for number in found]
        ranked = self._ranked(reading, _counted_terms(reading, thesaurus, found))
        return [named_phrase(reading.source, names[place], score) for score, place in ranked[: self.top]]

    def _ranked(self, reading: Reading, counted: list[Counted]) -> list[tuple[float, int]]:
        """The score and number of each, the best first."""
        measured = features(reading, counted, self.knowledge)
        probable = self.forest.probability(measured)
        order = np.lexsort((-measured[:, FEATURES.index("tfidf")], -probable))
        return [(float(probable[place]), int(place)) for place in order]

    def arrays(self) -> dict[str, Any]:
        """The numbers that were learnt, by name."""
        return self.forest.arrays()

    def save_tables(self, folder: Path) -> None:
        """Write the document frequencies, the keyphrases of training, and the vocabulary."""
        self.knowledge.frequencies.save(folder / FREQUENCIES)
        self.knowledge.keyphrases.save(folder / KEYPHRASES)
        if self.knowledge.thesaurus is not None:
            self.knowledge.thesaurus.save(folder / VOCABULARY)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote."""
        settings, arrays = load_settings(folder, MauiSettings), load_arrays(folder)
        try:
            forest = Forest.from_arrays(arrays, len(FEATURES))
        except (KeyError, TypeError, ValueError) as error:
            raise damaged(folder, error) from None
        thesaurus = Thesaurus.load(folder / VOCABULARY) if (folder / VOCABULARY).is_file() else None
        frequencies, keyphrases = (DocumentFrequencies.load(folder / name) for name in (FREQUENCIES, KEYPHRASES))
        return cls(settings, Knowledge(frequencies, keyphrases, thesaurus), forest)


def _candidates(
    reading: Reading, settings: MauiSettings, knowledge: Knowledge, gold: Gold = frozenset()
) -> list[Candidate]:
    """The candidates of a text; what is known only from its own document's keyphrases is not known."""

    def known(stems: Stems) -> bool:
        return knowledge.keyphrases.df(stems) - (stems in gold) >= settings.known

    return find_candidates(reading, settings, known if settings.known else None)


def _counted(candidate: Candidate) -> Counted:
    return Counted([candidate.stems], candidate.occurrences, candidate.positions)


def _counted_terms(reading: Reading, thesaurus: Thesaurus, found: dict[int, list[int]]) -> list[Counted]:
    analyzer = reading.source.analyzer
    return [
        Counted(thesaurus.stems(number, analyzer), len(places), places, thesaurus.degree(number, found))
        for number, places in found.items()
    ]


def features(reading: Reading, counted: list[Counted], knowledge: Knowledge, gold: Gold | None = None) -> Floats:
    """The numbers of `FEATURES` for each candidate (N, 9); places are shares of the text.

    `keyphraseness` is how many documents of training were given it as a keyphrase. Of a document of training `gold`
    are its keyphrases: then the document itself does not count.
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
    thesaurus: Thesaurus | None = None,
    track: Track = untracked,
) -> Maui:
    """Learn from documents with keyphrases, of any number; with a vocabulary, from those that are terms of it."""
    settings = settings or MauiSettings()
    require("sklearn", "baselines")  # before the work, not after it
    lessons = study(documents, settings)
    knowledge = Knowledge(lessons.frequencies, lessons.keyphrases, thesaurus)

    def measure(reading: Reading, gold: Gold) -> tuple[Floats, list[bool]]:
        if thesaurus is None:
            counted = list(map(_counted, _candidates(reading, settings, knowledge, gold)))
        else:
            counted = _counted_terms(reading, thesaurus, thesaurus.find(reading.source))
        return features(reading, counted, knowledge, gold), [not gold.isdisjoint(one.labels) for one in counted]

    growth = Growth(trees=settings.trees, share=settings.share, leaf=settings.leaf, seed=settings.seed)
    return Maui(settings, knowledge, Forest.fit(*lessons.examples(measure, track), growth))
