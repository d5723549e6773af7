"""Systems that merge what a network generates, extracts and retrieves, as published (KG-KE-KR-M)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from keyseq.arrays import map_arrays
from keyseq.config.fields import check, setting
from keyseq.config.single import read_toml
from keyseq.decoding.phrases import ScoredPhrase, phrases
from keyseq.errors import KeyseqError
from keyseq.ranking.phrase_scorer import Floats, PhraseScorer, measured
from keyseq.ranking.published_merge import EXTRACTED, GENERATED, RETRIEVED, FoundPhrase, Words, extracted, merged
from keyseq.systems.hub import locate
from keyseq.systems.neural import NeuralSystem
from keyseq.systems.reloading import Reloadable
from keyseq.text.presence import SourceText, phrase_words
from keyseq.text.selection import Selection
from keyseq.types import Document, Phrase, as_documents

MARK, SCORER, NETWORK = "merged.toml", "scorer.safetensors", "network"
USUAL = 10  # phrases of a text, without `top`

ScorerName = Literal["logistic", "none"]


@dataclass(frozen=True, kw_only=True)
class StoredMerge:
    """The settings stored in the folder of a merged system."""

    scorer: ScorerName = setting("logistic", "scorer of phrases, by which their scores are multiplied, or none")
    documents: int = setting(0, "number of training documents of the scorer", least=0)

    def __post_init__(self) -> None:
        check("merged", self)


@dataclass(frozen=True, kw_only=True)
class MergedSettings(Selection):
    """The settings of a loaded merged system; without `top`, ten phrases are given."""

    beam: int | None = setting(None, "beam size of the network; by default, that of exhaustive decoding", least=1)
    threads: int | None = setting(None, "batches decoded in parallel; by default, one per core", least=1)


class MergeCandidates(NamedTuple):
    """What was found for a document, by source."""

    document: Document
    source: SourceText
    found: Mapping[str, Sequence[FoundPhrase]]


class MergedSystem(Reloadable):
    """A network, its extractor and its retriever, merged by their scaled scores; threads may share it."""

    def __init__(self, name: str, network: NeuralSystem, scorer: PhraseScorer | None, settings: MergedSettings) -> None:
        self.name, self.settings, self._scorer = name, settings, scorer
        self._network = network.with_settings(decoding="exhaustive", beam=settings.beam, threads=settings.threads)

    def with_settings(self, **settings: Any) -> "MergedSystem":
        """The same system under other settings, sharing its parameters."""
        return MergedSystem(self.name, self._network, self._scorer, MergedSettings(**settings))

    def predict(self, documents: Sequence[str | Document]) -> list[list[Phrase]]:
        """Return the ranked phrases of each document."""
        return [self._phrases(candidates) for candidates in self.candidates(as_documents(documents))]

    def candidates(self, documents: Sequence[Document]) -> Iterator[MergeCandidates]:
        """What is generated, extracted and retrieved for each document."""
        network = self._network
        sources = [SourceText(document.text, network.model.analyzer) for document in documents]
        generated: list[list[FoundPhrase]] = [[] for _ in documents]
        taken: list[list[FoundPhrase]] = [[] for _ in documents]
        pairs = network.searched(documents, sources)
        for (window, found), chances in zip(pairs, network.extraction([one for one, _ in pairs]), strict=True):
            generated[window.place] += [FoundPhrase(one.words, one.probability) for one in found]
            taken[window.place] += extracted(window.words, chances)
        for number, (document, source) in enumerate(zip(documents, sources, strict=True)):
            by_source = {GENERATED: generated[number], EXTRACTED: taken[number], RETRIEVED: self._retrieved(document)}
            yield MergeCandidates(document, source, by_source)

    def measure(self, candidates: MergeCandidates, words: Sequence[Words]) -> Floats:
        """The features of phrases for the scorer."""
        retriever = self._network.model.retriever
        return measured(words, candidates.source, candidates.document.title, retriever.index if retriever else None)

    def _retrieved(self, document: Document) -> list[FoundPhrase]:
        """The keyphrases of similar documents, each with the similarity of the nearest."""
        retriever, analyzer = self._network.model.retriever, self._network.model.analyzer
        found = retriever.phrases(document) if retriever else []
        pairs = ((tuple(phrase_words(one.text, analyzer)), one.similarity) for one in found)
        return [FoundPhrase(words, similarity) for words, similarity in pairs if words]

    def _phrases(self, candidates: MergeCandidates) -> list[Phrase]:
        def weights(words: Sequence[Words]) -> Floats:
            return np.ones(len(words)) if self._scorer is None else self._scorer(self.measure(candidates, words))

        found = merged(candidates.found, lambda words: tuple(candidates.source.analyzer.stems(words)), weights)
        largest = max((one.score for one in found), default=0.0) or 1.0  # sums over many small probabilities
        ranked = (ScoredPhrase(one.words, one.score / largest) for one in found)
        selected: list[Phrase] = self.settings.select(
            phrases(ranked, candidates.source), candidates.source.analyzer, USUAL
        )
        return selected


def load_merged(name: str, settings: Mapping[str, Any]) -> MergedSystem:
    """Load a merged system from its folder."""
    folder = locate(name).folder
    scorer = None
    if read_merge(folder).scorer != "none":
        weights = map_arrays(folder / SCORER)
        try:
            scorer = PhraseScorer(np.asarray(weights["weights"], dtype=np.float64))
        except (KeyError, ValueError) as error:
            raise KeyseqError(f"{folder / SCORER}: damaged, or of another version ({error}); train it again") from None
    network = NeuralSystem.from_pretrained(str(folder / NETWORK))
    return MergedSystem(name, network, scorer, MergedSettings(**settings))


def read_merge(folder: Path) -> StoredMerge:
    """Read the settings stored in the folder of a merged system."""
    return read_toml(folder / MARK, "merged", StoredMerge, "a merged system")


def merged_network(_name: str, folder: Path) -> str:
    """The network of a merged system."""
    return str(folder / NETWORK)
