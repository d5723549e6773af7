"""The training sample of a supervised ranker: counts over all documents of a corpus, and some of the documents."""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from keyseq.config.fields import setting
from keyseq.data.parallel import Track
from keyseq.errors import DataError
from keyseq.extractive.candidates import CandidateSettings, Stems
from keyseq.extractive.discretization import Flags, Floats
from keyseq.extractive.frequencies import DocumentFrequencies, count_documents
from keyseq.extractive.reading import Reading
from keyseq.text.analyzer import Analyzer
from keyseq.text.presence import phrase_stems
from keyseq.types import Document

LEAST = 2  # minimum document frequency to keep a count

Gold = frozenset[Stems]
Measure = Callable[[Reading, Gold], tuple[Floats, list[bool]]]


@dataclass(frozen=True, kw_only=True)
class LearnerSettings(CandidateSettings):
    """The settings that supervised rankers share: candidates and training sample."""

    rarity: Literal["phrase", "words"] = setting("words", "IDF of the whole phrase, or the sum of its words' IDF")
    parts: Literal["kept", "removed"] = setting("removed", "phrases that are part of a better ranked one")
    sample: int = setting(5_000, "maximum number of training documents; more are sampled", least=1)
    seed: int = setting(3435, "random seed", least=0)


@dataclass(frozen=True)
class TrainingSample:
    """Document frequencies of phrases and of keyphrases over all documents, and the sampled documents."""

    frequencies: DocumentFrequencies
    keyphrases: DocumentFrequencies
    documents: list[Document]
    analyzer: Analyzer

    def examples(self, measure: Measure, track: Track) -> tuple[Floats, Flags]:
        """Features (N, F) and labels (N,) of all candidates of the sampled documents."""
        measured = [
            measure(Reading(document.text, self.analyzer), gold_stems(document, self.analyzer))
            for document in track(self.documents, "candidates", len(self.documents))
        ]
        rows = np.concatenate([features for features, _ in measured])
        labels = np.array([label for _, some in measured for label in some], dtype=bool)
        if not labels.any():
            raise DataError("no candidate is a keyphrase of its document, so there is nothing to learn")
        return rows, labels


def collect(documents: Iterable[Document], settings: LearnerSettings) -> TrainingSample:
    """Read documents with keyphrases once, in bounded memory: all are counted, some are kept (reservoir sampling)."""
    analyzer = Analyzer.of(settings)
    kept: list[Document] = []
    keyphrases: Counter[str] = Counter()
    chance = random.Random(settings.seed)  # noqa: S311  # a sample, not a secret

    def passing() -> Iterator[Document]:
        for number, document in enumerate(documents):
            keyphrases.update(" ".join(stems) for stems in gold_stems(document, analyzer))
            if len(kept) < settings.sample:
                kept.append(document)
            elif (place := chance.randrange(number + 1)) < settings.sample:
                kept[place] = document
            yield document

    longest = settings.max_words if settings.rarity == "phrase" else 1
    frequencies = count_documents(passing(), longest=longest, least=LEAST, analyzer=analyzer)
    most_words = max((phrase.count(" ") + 1 for phrase in keyphrases), default=1)
    given = DocumentFrequencies(
        documents=frequencies.documents, counts=dict(keyphrases), longest=most_words, language=analyzer.language
    )
    return TrainingSample(frequencies, given, kept, analyzer)


def gold_stems(document: Document, analyzer: Analyzer) -> Gold:
    """The stems of the gold keyphrases of a document."""
    if document.keyphrases is None:
        raise DataError(f"document '{document.id}' has no keyphrases to learn from")
    suited = analyzer.for_text(document.text)
    return frozenset(filter(None, (tuple(phrase_stems(phrase, suited)) for phrase in document.keyphrases)))


def rarity(stems: Stems, frequencies: DocumentFrequencies, without: int = 0) -> float:
    """The IDF of a phrase; if it is longer than the phrases that were counted, that of its first words."""
    return frequencies.idf(stems if frequencies.longest == 1 else stems[: frequencies.longest], without)
