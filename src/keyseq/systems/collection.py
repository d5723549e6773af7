"""Keyphrases of a collection of documents: those that distinguish it from a background."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from keyseq.errors import KeyseqError
from keyseq.ranking.distinctiveness import weighted_log_odds
from keyseq.ranking.runs import Floats
from keyseq.retrieval.keyphraseness import Keyphraseness
from keyseq.systems.auto import AutoSystem
from keyseq.systems.combined import CombinedSystem
from keyseq.systems.language_systems import MULTILINGUAL, system_for
from keyseq.systems.recipe import Recipe
from keyseq.systems.registry import load, reconfigured
from keyseq.text.analyzer import ENGLISH, Analyzer
from keyseq.text.hashing import phrase_hash
from keyseq.text.presence import phrase_stems
from keyseq.types import Document, Phrase, System, each_document

MOST_KEPT = 200_000  # different phrases that are counted at a time; of more, those of one document are dropped
MOST_FORMS = 8  # spellings of a phrase that are counted
FEWEST_DOCUMENTS = 2  # minimum documents with a phrase
USUAL_TOP = 30

Stems = tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class CollectionPhrase:
    """A phrase of a collection, and how distinctive it is.

    `score` is the z-score of its weighted log-odds; `documents` is how many of the collection's documents have it as a
    keyphrase, `share` their share, `absent` how many of these do not contain it, and `background` how many documents
    of the background have it as a keyphrase. `years` counts the documents by year, where documents have one, and
    `trend` is the change of the share from year to year.
    """

    text: str
    score: float
    documents: int
    share: float
    absent: int
    background: int
    years: dict[int, int] = field(default_factory=dict)
    trend: float | None = None


@dataclass
class _Tally:
    """The counts of a phrase."""

    documents: int = 0
    absent: int = 0
    forms: Counter[str] = field(default_factory=Counter)
    years: Counter[int] = field(default_factory=Counter)

    def add(self, phrase: Phrase, year: int | None) -> None:
        self.documents += 1
        self.absent += not phrase.present
        if phrase.text in self.forms or len(self.forms) < MOST_FORMS:
            self.forms[phrase.text] += 1
        if year is not None:
            self.years[year] += 1

    @property
    def form(self) -> str:
        """The most frequent form; of several, that with the fewest capitals."""
        return min(self.forms, key=lambda form: (-self.forms[form], sum(map(str.isupper, form)), form))


class CollectionCounts:
    """The keyphrases of documents, counted by their stems; the memory is bounded, whatever the number of documents."""

    def __init__(self, analyzer: Analyzer = ENGLISH, most: int = MOST_KEPT) -> None:
        self.documents = 0
        self.dropped = 0  # phrases of a single document that were forgotten
        self.years: Counter[int] = Counter()
        self.routes: Counter[tuple[str, str]] = Counter()  # systems and languages of the phrases, where they say so
        self._analyzer, self._most = analyzer, most
        self._tallies: dict[Stems, _Tally] = {}

    def add(self, document: Document, phrases: Sequence[Phrase]) -> None:
        """Count the phrases of a document, each once."""
        self.documents += 1
        if document.year is not None:
            self.years[document.year] += 1
        for stems, phrase in {self._stems(phrase): phrase for phrase in reversed(phrases)}.items():
            self._tallies.setdefault(stems, _Tally()).add(phrase, document.year)
            if phrase.evidence is not None:
                self.routes[phrase.evidence.system, phrase.evidence.language] += 1
        if len(self._tallies) > self._most:
            self._drop_rare()

    def _stems(self, phrase: Phrase) -> Stems:
        """The stems of a phrase in the language of its text, as the system that gave it knows phrases."""
        language = phrase.evidence.language if phrase.evidence else ""
        analyzer = Analyzer.for_detected(language) if language else self._analyzer
        return tuple(phrase_stems(phrase.text, analyzer)) or (phrase.text.casefold(),)

    def _drop_rare(self) -> None:
        kept = {stems: tally for stems, tally in self._tallies.items() if tally.documents > 1}
        self.dropped += len(self._tallies) - len(kept)
        self._tallies = kept

    @property
    def total(self) -> int:
        """How many keyphrases the documents have together."""
        return sum(tally.documents for tally in self._tallies.values())

    def of(self, phrases: Iterable[Stems]) -> Floats:
        """How many documents have each phrase."""
        return np.array([self._tallies[one].documents if one in self._tallies else 0 for one in phrases], dtype=float)

    def distinctive(
        self, background: "CollectionCounts | Keyphraseness", top: int = USUAL_TOP, least: int = FEWEST_DOCUMENTS
    ) -> list[CollectionPhrase]:
        """The phrases that distinguish the documents from a background, the most distinctive first."""
        stems = list(self._tallies)
        if isinstance(background, Keyphraseness):
            keys = np.array([phrase_hash(one) for one in stems], dtype=np.uint32)
            others, total = background.of_phrases(keys)[0], float(background.as_keyphrase.sum(dtype=np.int64))
        else:
            others, total = background.of(stems), float(background.total)
        scores = weighted_log_odds(self.of(stems), others, total)
        order = sorted(range(len(stems)), key=lambda at: (-scores[at], stems[at]))
        kept = (at for at in order if self._tallies[stems[at]].documents >= min(least, self.documents))
        return [self._phrase(stems[at], scores[at], others[at]) for at, _ in zip(kept, range(top), strict=False)]

    def _phrase(self, stems: Stems, score: float, background: float) -> CollectionPhrase:
        tally = self._tallies[stems]
        return CollectionPhrase(
            text=tally.form,
            score=float(score),
            documents=tally.documents,
            share=tally.documents / self.documents,
            absent=tally.absent,
            background=int(background),
            years=dict(sorted(tally.years.items())),
            trend=trend(tally.years, self.years),
        )


def trend(years: Counter[int], every: Counter[int]) -> float | None:
    """By how much the share of documents that have a phrase changes from year to year; None with one year or none.

    The slope of a line through the shares of the years, fitted by least squares that weigh a year by its documents.
    """
    if len(every) < 2:
        return None
    known = np.array(sorted(every), dtype=float)
    weights = np.array([every[int(year)] for year in known], dtype=float)
    shares = np.array([years[int(year)] for year in known]) / weights
    distance = known - np.average(known, weights=weights)
    return float((weights * distance * shares).sum() / (weights * distance**2).sum())


def together(
    documents: Iterable[str | Document],
    system: System | str | Path | None = None,
    *,
    background: Iterable[str | Document] | None = None,
    top: int = USUAL_TOP,
    least: int = FEWEST_DOCUMENTS,
    **settings: Any,
) -> list[CollectionPhrase]:
    """The phrases that distinguish a collection of documents from a background.

    The background is other documents, or by default those from which the system learnt. `least` is how many documents
    must have a phrase; settings are those of the system.
    """
    if isinstance(system, str | Path) or system is None:
        loaded = load(None if system is None else str(system), **settings)
    else:
        loaded = reconfigured(system, **settings) if settings else system
    counts = counted(loaded, documents)
    others = known_to(loaded, counts) if background is None else counted(loaded, background)
    return counts.distinctive(others, top, least)


def counted(system: System, documents: Iterable[str | Document]) -> CollectionCounts:
    """The keyphrases that a system gives to documents, counted."""
    counts = CollectionCounts(getattr(system, "analyzer", ENGLISH))
    for document, phrases in Recipe().predictions(system, each_document(documents)):
        counts.add(document, phrases)
    return counts


def known_to(system: System, counts: CollectionCounts) -> Keyphraseness:
    """The keyphrases of the documents that a system was trained on; of `auto`, that with the most phrases here.

    In place of `multilingual`, which has none, that of the system for the language.
    """
    if isinstance(system, AutoSystem):
        name, language = max(counts.routes, key=counts.routes.__getitem__, default=("scholar", ENGLISH.language))
        system = load(system_for(language) if name == MULTILINGUAL else name)
    learnt = system.parts.tables.known.keyphraseness if isinstance(system, CombinedSystem) else None
    if learnt is None or not len(learnt.phrases):
        raise KeyseqError(
            f"{system.name} knows no documents to compare with; give others as a background (--background)"
        )
    return learnt
