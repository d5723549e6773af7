"""A trained network as a system: windows of texts are batched and searched, and the phrases located in the text."""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from keyseq.config import EndingSettings, OrderSettings, TargetSettings
from keyseq.data.network_inputs import NEIGHBOURS, RETRIEVED, NetworkInput, SourceWindow, network_input
from keyseq.data.slots import start_words
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
from keyseq.systems.reloading import Reloadable
from keyseq.text.analyzer import Analyzer
from keyseq.text.presence import SourceText
from keyseq.types import Document, Phrase, as_documents

if TYPE_CHECKING:
    from keyseq.retrieval.phrase_retriever import PhraseRetriever

ROWS = 32  # hypotheses per step, over all documents: more do not fit into the processor's cache
EXTRACTION = "log_extraction"  # what the extractor keeps in the memory
OVERLAP = 8  # windows overlap by one eighth

_BREAK = re.compile(r"\n\s*\n")


class Model(NamedTuple):
    """A network with its engine, vocabulary and settings, and what it retrieves phrases by, if it reads any."""

    stepper: GraphStepper
    vocabulary: Vocabulary
    target: TargetSettings
    ending: EndingSettings = EndingSettings()
    order: OrderSettings = OrderSettings()
    folder: Path | None = None  # of an exported network
    retriever: "PhraseRetriever | None" = None

    @property
    def analyzer(self) -> Analyzer:
        """The analyzer of texts and phrases."""
        return Analyzer.of(self.target)


class Window(NamedTuple):
    """A window of a document, one input of the network."""

    place: int  # index of the document
    number: int  # index of the window within the document
    words: list[str]
    document: Document
    retrieved: Sequence[str] = ()


class NeuralSystem(Reloadable):
    """The system of a sequence-to-sequence network; it is thread-safe."""

    def __init__(self, name: str, model: Model, settings: NeuralSettings) -> None:
        self.name, self.model, self.settings = name, model, settings
        starts, separators = start_words(model.target, model.vocabulary), model.vocabulary.separators
        self._policy = replace(settings.policy(model.target, model.ending), starts=starts, separators=separators)
        usual = "learnt" if model.order.is_learnt and self._policy.keep > 1 else "sequence"
        self._ranking = PhraseRanking(
            ranking=settings.ranking or usual,
            order=model.order,
            exact=settings.exact,
            analyzer=model.analyzer,
            min_share=settings.min_share,
        )
        self._threads = settings.threads or cores()
        self._allow_list: AllowList | None = None
        if settings.allow is not None:
            generable = model.stepper.generable
            self._allow_list = AllowList(settings.allow, model.vocabulary, generable, model.analyzer)

    @classmethod
    def from_pretrained(cls, name: str, **settings: Any) -> "NeuralSystem":  # fields of the settings
        """Load an exported network from a folder or, if it does not exist, by its hub id `owner/name`."""
        place = locate(name)
        exported = ExportedNetwork(place.folder, root=place.root)
        stepper, known = GraphStepper(exported), exported.settings
        model = Model(
            stepper, exported.vocabulary, known.target, known.ending, known.order, place.folder, _retriever(exported)
        )
        return cls(name, model, NeuralSettings(**settings))

    def with_settings(self, **settings: Any) -> "NeuralSystem":  # fields of the settings
        """The same network under other settings, sharing its weights."""
        return NeuralSystem(self.name, self.model, NeuralSettings(**settings))

    def save_pretrained(self, folder: str | Path) -> None:
        """Write the network into a new folder for `from_pretrained`, ready for upload to the hub."""
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
        """The search results of each window, in order; `most` limits the number of windows per text."""
        found = [one for one in self._windows(documents, sources) if most is None or one.number < most]
        batches = _by_length(found, max(1, ROWS // self._policy.rows))
        if self._policy.rows == 1:
            batches = _in_pairs(batches, self._threads)
        pairs = (pair for batch, found in self._decoded(batches) for pair in zip(batch, found, strict=True))
        return sorted(pairs, key=lambda pair: (pair[0].place, pair[0].number))

    @property
    def extracts(self) -> bool:
        """Whether the network has an extractor, which marks the words of keyphrases in a text."""
        return self.model.stepper.has_memory(EXTRACTION)

    def extraction(self, windows: Sequence[Window]) -> list[list[float]]:
        """The probability of each word of windows to be one of a keyphrase, 0 without an extractor."""
        if not self.extracts:
            return [[0.0] * len(window.words) for window in windows]
        found = []
        for window in windows:  # one at a time: padding would cost more than a batch gains
            source, _ = self._read(window)
            memory = self.model.stepper.encode([source]).memory
            found.append(np.exp(np.asarray(memory[EXTRACTION])[0, : len(window.words)]).tolist())
        return found

    def _windows(self, documents: Sequence[Document], sources: Sequence[SourceText]) -> Iterator[Window]:
        """The windows of texts; a text without letters and digits has none."""
        size = self.model.target.source_words
        for place, (document, source) in enumerate(zip(documents, sources, strict=True)):
            if not any(map(str.isalnum, source.text)):
                continue
            read, retriever = _divided(source), self.model.retriever
            retrieved = retriever.texts(document) if retriever else ()
            length = min(size, len(read)) if self.settings.cut else len(read)
            for number, window in enumerate(windows(length, size, size // OVERLAP)):
                if words := read[window]:
                    yield Window(place, number, words, document, retrieved)

    def _decoded(self, batches: list[list[Window]]) -> Iterator[tuple[list[Window], list[list[SearchEvidence]]]]:
        if self._threads == 1 or len(batches) < 2:
            yield from zip(batches, map(self._search, batches), strict=True)
            return
        with ThreadPoolExecutor(self._threads) as pool:
            yield from zip(batches, pool.map(self._search, batches), strict=True)

    def _search(self, batch: Sequence[Window]) -> list[list[SearchEvidence]]:
        """The search results of a batch of windows."""
        vocabulary, target = self.model.vocabulary, self.model.target
        pairs = [self._read(window) for window in batch]
        inputs, unknown = [source for source, _ in pairs], [unknown for _, unknown in pairs]
        constraint = None
        if self._allow_list is not None:
            opened = [self._allow_list.open(source.ids, words) for source, words in pairs]
            constraint = Walk(self._allow_list, opened, self._policy.separators if target.paradigm == "one2seq" else ())
        found = search(self.model.stepper, inputs, self._policy, constraint)
        return [
            evidence(hypotheses, _namer(vocabulary, words), self._ranking.key, self._policy.separators)
            for hypotheses, words in zip(found, unknown, strict=True)
        ]

    def _read(self, window: Window) -> tuple[NetworkInput, dict[str, int]]:
        """The input of a window, and the extended ids of its words outside the vocabulary."""
        model = self.model
        source = SourceWindow(window.document, window.words, model.vocabulary, model.target, window.retrieved)
        return network_input(source, model.stepper.fields)


def _retriever(exported: ExportedNetwork) -> "PhraseRetriever | None":
    """What the network retrieves phrases by, if it reads any."""
    if not any(one.name == RETRIEVED for one in exported.fields):
        return None
    from keyseq.retrieval.phrase_retriever import open_retriever  # few networks need it

    return open_retriever(exported.folder / NEIGHBOURS, Analyzer.of(exported.settings.target))


def _divided(source: SourceText) -> list[str]:
    """The words of a text, with a full stop added where a paragraph ends without one, as after titles in training, so
    that no phrase spans two paragraphs."""
    if not _BREAK.search(source.text):
        return source.words
    read = source.words[:1]
    for (before, token), word in zip(pairwise(source.tokens), source.words[1:], strict=True):
        if read[-1] != "." and _BREAK.search(source.text, before.end, token.start):
            read.append(".")
        read.append(word)
    return read


def _namer(vocabulary: Vocabulary, unknown: Mapping[str, int]) -> Callable[[int], str]:
    """A function from extended ids to words."""
    names = {number: word for word, number in unknown.items()}
    return lambda number: names.get(number) or vocabulary.words[number]


def _by_length(found: Iterable[Window], size: int) -> list[list[Window]]:
    """Batches of windows of similar length, the longest first, for a balanced load of threads."""
    ordered = sorted(found, key=lambda window: -len(window.words))
    return [ordered[start : start + size] for start in range(0, len(ordered), size)]


def _in_pairs(batches: list[list[Window]], threads: int) -> list[list[Window]]:
    """Two full batches at once, if enough are there for every thread.

    Where a document has one hypothesis, a step mostly reads the weights of the output layer, which more of them share.
    """
    pairs = sum(len(batch) == ROWS for batch in batches) // 2
    if pairs < threads:
        return batches
    full, rest = batches[: 2 * pairs], batches[2 * pairs :]
    return [one + other for one, other in zip(full[::2], full[1::2], strict=True)] + rest


def cores() -> int:
    """The number of cores available to this process."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
