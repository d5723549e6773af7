"""A trained network as a system: texts to batches, a search over them, and phrases with their places."""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from keyseq.config import EndingSettings, OrderSettings, TargetSettings
from keyseq.data.network_inputs import SourceWindow, network_input
from keyseq.data.vocabulary import Vocabulary
from keyseq.decoding.evidence import SearchEvidence, evidence
from keyseq.decoding.phrases import PhraseRanking, ScoredPhrase, candidates, phrases
from keyseq.decoding.search import search
from keyseq.decoding.trie import AllowList, Walk
from keyseq.decoding.windows import merged, windows
from keyseq.errors import KeyseqError
from keyseq.runtime.engine import GraphStepper
from keyseq.runtime.onnx import ExportedNetwork
from keyseq.systems.hub import copy, locate
from keyseq.systems.neural_settings import NeuralSettings
from keyseq.text.analyzer import Analyzer
from keyseq.text.presence import SourceText
from keyseq.types import Document, Phrase, as_documents

ROWS = 32  # hypotheses of a step, of one document or of many: what more of them need falls out of the cache
OVERLAP = 8  # windows share an eighth of their words

_BREAK = re.compile(r"\n\s*\n")


class Model(NamedTuple):
    """A network that can be searched, whatever runs it."""

    stepper: GraphStepper
    vocabulary: Vocabulary
    target: TargetSettings
    ending: EndingSettings = EndingSettings()
    order: OrderSettings = OrderSettings()
    folder: Path | None = None  # of an exported one

    @property
    def analyzer(self) -> Analyzer:
        """What cuts and stems the words of texts and phrases."""
        return Analyzer.of(self.target)


class Window(NamedTuple):
    """A stretch of a document that the network reads at once."""

    place: int  # of the document among those that are read
    number: int  # within the document
    words: list[str]
    document: Document


class NeuralSystem:
    """A system of the sequence-to-sequence network; threads may share it."""

    def __init__(self, name: str, model: Model, settings: NeuralSettings) -> None:
        self.name, self.model, self.settings = name, model, settings
        self._policy = settings.policy(model.target, model.ending)
        usual = "learnt" if model.order.is_learnt and self._policy.keep > 1 else "sequence"
        self._ranking = PhraseRanking(
            ranking=settings.ranking or usual,
            order=model.order,
            exact=settings.exact,
            analyzer=model.analyzer,
            min_share=settings.min_share,
        )
        self._threads = settings.threads or _cores()
        self._allow_list: AllowList | None = None
        if settings.allow is not None:
            generable = model.stepper.generable
            self._allow_list = AllowList(settings.allow, model.vocabulary, generable, model.analyzer)

    @classmethod
    def from_pretrained(cls, name: str, **settings: Any) -> "NeuralSystem":  # fields of the settings
        """Load an exported network from a folder or, if there is no such folder, by its hub id `owner/name`."""
        place = locate(name)
        exported = ExportedNetwork(place.folder, root=place.root)
        stepper, known = GraphStepper(exported), exported.settings
        model = Model(stepper, exported.vocabulary, known.target, known.ending, known.order, place.folder)
        return cls(name, model, NeuralSettings(**settings))

    def with_settings(self, **settings: Any) -> "NeuralSystem":  # fields of the settings
        """The same network, its weights shared, searched under other settings."""
        return NeuralSystem(self.name, self.model, NeuralSettings(**settings))

    def save_pretrained(self, folder: str | Path) -> None:
        """Write the network into a new folder, from which `from_pretrained` loads it, ready for upload to the hub."""
        if self.model.folder is None:
            raise KeyseqError("only an exported network can be saved; see keyseq export")
        copy(self.model.folder, Path(folder))

    def predict(self, documents: Sequence[str | Document]) -> list[list[Phrase]]:
        """Return the ranked phrases of each document."""
        read = as_documents(documents)
        sources = [SourceText(document.text, self.model.analyzer) for document in read]
        ranked: list[list[list[ScoredPhrase]]] = [[] for _ in sources]
        for window, found in self.searched(read, sources):
            ranked[window.place].append(candidates(found, window.words, self._ranking))
        return [
            self.settings.select(phrases(merged(found, self._ranking), source, self._allow_list), source.analyzer)
            for found, source in zip(ranked, sources, strict=True)
        ]

    def searched(
        self, documents: Sequence[Document], sources: Sequence[SourceText], most: int | None = None
    ) -> list[tuple[Window, list[SearchEvidence]]]:
        """What the search finds in each window of the texts, in order; or only in the first `most` of each."""
        found = (one for one in self._windows(documents, sources) if most is None or one.number < most)
        batches = _by_length(found, max(1, ROWS // self._policy.rows))
        pairs = (pair for batch, found in self._decoded(batches) for pair in zip(batch, found, strict=True))
        return sorted(pairs, key=lambda pair: (pair[0].place, pair[0].number))

    def _windows(self, documents: Sequence[Document], sources: Sequence[SourceText]) -> Iterator[Window]:
        """What there is to read; a text without a letter or digit has nothing."""
        size = self.model.target.source_words
        for place, (document, source) in enumerate(zip(documents, sources, strict=True)):
            if not any(map(str.isalnum, source.text)):
                continue
            read = _divided(source)
            length = min(size, len(read)) if self.settings.cut else len(read)
            for number, window in enumerate(windows(length, size, size // OVERLAP)):
                if words := read[window]:
                    yield Window(place, number, words, document)

    def _decoded(self, batches: list[list[Window]]) -> Iterator[tuple[list[Window], list[list[SearchEvidence]]]]:
        if self._threads == 1 or len(batches) < 2:
            yield from zip(batches, map(self._search, batches), strict=True)
            return
        with ThreadPoolExecutor(self._threads) as pool:
            yield from zip(batches, pool.map(self._search, batches), strict=True)

    def _search(self, batch: Sequence[Window]) -> list[list[SearchEvidence]]:
        """What there is in each window."""
        vocabulary, target = self.model.vocabulary, self.model.target
        read = (SourceWindow(window.document, window.words, vocabulary, target) for window in batch)
        pairs = [network_input(one, self.model.stepper.fields) for one in read]
        inputs, unknown = [source for source, _ in pairs], [unknown for _, unknown in pairs]
        constraint = None
        if self._allow_list is not None:
            opened = [self._allow_list.open(source.ids, own) for source, own in pairs]
            constraint = Walk(self._allow_list, opened, separated=target.paradigm == "one2seq")
        found = search(self.model.stepper, inputs, self._policy, constraint)
        return [
            evidence(hypotheses, _namer(vocabulary, own), self._ranking.key)
            for hypotheses, own in zip(found, unknown, strict=True)
        ]


def _divided(source: SourceText) -> list[str]:
    """A text's words, with a full stop where a paragraph ends without one: so was a title divided from its text in
    training, and a phrase never goes on from one to the other."""
    if not _BREAK.search(source.text):
        return source.words
    read = source.words[:1]
    for (before, token), word in zip(pairwise(source.tokens), source.words[1:], strict=True):
        if read[-1] != "." and _BREAK.search(source.text, before.end, token.start):
            read.append(".")
        read.append(word)
    return read


def _namer(vocabulary: Vocabulary, unknown: Mapping[str, int]) -> Callable[[int], str]:
    """The word of an extended id."""
    names = {number: word for word, number in unknown.items()}
    return lambda number: names.get(number) or vocabulary.words[number]


def _by_length(found: Iterable[Window], size: int) -> list[list[Window]]:
    """Batches of windows of like length, the longest first, so that threads end together."""
    ordered = sorted(found, key=lambda window: -len(window.words))
    return [ordered[start : start + size] for start in range(0, len(ordered), size)]


def _cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
