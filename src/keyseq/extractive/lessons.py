"""What rankers learn from: counts over all documents of a corpus, and a sample of the documents themselves."""

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

LEAST = 2  # documents that must have a phrase for its count to be kept

Gold = frozenset[Stems]
Measure = Callable[[Reading, Gold], tuple[Floats, list[bool]]]


@dataclass(frozen=True, kw_only=True)
class LearnerSettings(CandidateSettings):
    """What rankers that learn share: which candidates, and from how many documents."""

    rarity: Literal["phrase", "words"] = setting(
        "words", "how rare a phrase is: by documents that have all of it, or in sum over its words"
    )
    parts: Literal["kept", "removed"] = setting("removed", "phrases that are part of a better one")
    sample: int = setting(5_000, "documents whose candidates are learnt from; of more, so many are drawn", least=1)
    seed: int = setting(3435, "of the draw, and of whatever else is left to chance", least=0)


@dataclass(frozen=True)
class Lessons:
    """How many documents have each phrase, how many were given it as a keyphrase, and some of the documents."""

    frequencies: DocumentFrequencies
    keyphrases: DocumentFrequencies
    documents: list[Document]
    analyzer: Analyzer

    def examples(self, measure: Measure, track: Track) -> tuple[Floats, Flags]:
        """A row of features for each candidate of the documents, and whether it is a keyphrase."""
        measured = [
            measure(Reading(document.text, self.analyzer), gold_stems(document, self.analyzer))
            for document in track(self.documents, "candidates", len(self.documents))
        ]
        rows = np.concatenate([features for features, _ in measured])
        labels = np.array([label for _, some in measured for label in some], dtype=bool)
        if not labels.any():
            raise DataError("no candidate is a keyphrase of its document: there is nothing to learn")
        return rows, labels


def study(documents: Iterable[Document], settings: LearnerSettings) -> Lessons:
    """Go once through documents with keyphrases, of any number, in bounded memory.

    All are counted; the sample that is kept has each document with the same chance.
    """
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
    return Lessons(frequencies, given, kept, analyzer)


def gold_stems(document: Document, analyzer: Analyzer) -> Gold:
    """The stems of the keyphrases that a document was given."""
    if document.keyphrases is None:
        raise DataError(f"document '{document.id}' has no keyphrases to learn from")
    suited = analyzer.for_text(document.text)
    return frozenset(filter(None, (tuple(phrase_stems(phrase, suited)) for phrase in document.keyphrases)))


def rarity(stems: Stems, frequencies: DocumentFrequencies, without: int = 0) -> float:
    """A phrase's inverse document frequency; where phrases were counted, but none so long, that of its first words."""
    return frequencies.idf(stems if frequencies.longest == 1 else stems[: frequencies.longest], without)
