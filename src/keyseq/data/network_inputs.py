"""The inputs of a network: the ids of source words, and further inputs that its settings name.

`INPUTS` declares each further input once: how it is computed from a document, how it is stored, and its array layout.
Corpora, batches, searches and graphs are derived from that.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keyseq.config import ModelSettings, TargetSettings
from keyseq.data.vocabulary import EOS, PAD, SEP, Vocabulary
from keyseq.data.word_tags import tag_ids
from keyseq.text.analyzer import Analyzer
from keyseq.text.presence import phrase_words
from keyseq.text.tokenize import words
from keyseq.types import Document

TITLE_WORDS = 20  # maximum words of the first sentence that replaces a missing title
RETRIEVED = "retrieved"  # the name of the input of retrieved phrases
NEIGHBOURS = "neighbours.safetensors"  # beside a network, the index of the documents that they are retrieved from
RETRIEVED_WORDS = 100  # maximum words of retrieved phrases, their ends included


@dataclass(frozen=True, slots=True)
class NetworkInput:
    """One input of a network: the extended ids of the source words, and further inputs by name."""

    ids: NDArray[Any]  # (S,)
    further: Mapping[str, NDArray[Any]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True, slots=True)
class SourceWindow:
    """The source words of one input: all words of a document, or a window of a longer text.

    `retrieved` are keyphrases of similar documents, for networks that read them.
    """

    document: Document
    words: Sequence[str]
    vocabulary: Vocabulary
    settings: TargetSettings
    retrieved: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class InputField:
    """A further input of a network.

    It is either `read` from a window and stored in the corpus, or `derived` from the ids of the source on demand.
    Where something larger is `built` from what is stored, that is done on demand. An input may also change the
    `source`, the ids of its words, which is then another sequence of ids of the same words.
    `axes` names its dimensions besides that of documents: "S" has the length of the source, any other letter a length
    that a graph gets as NAME_lengths.
    """

    name: str
    read: Callable[[SourceWindow], Sequence[int]] | None = None
    derived: Callable[[NDArray[Any]], NDArray[Any]] | None = None
    built: Callable[[NDArray[Any]], NDArray[Any]] | None = None
    source: Callable[[Sequence[int]], Sequence[int]] | None = None
    axes: str = "L"
    stored: str = "uint32"
    dtype: str = "int64"  # of its array
    padding: int = PAD

    @property
    def has_lengths(self) -> bool:
        """Whether its length differs from that of the source."""
        return not self.axes.startswith("S")

    @property
    def arrays(self) -> dict[str, str]:
        """The names of its arrays, with their axes."""
        lengths = {f"{self.name}_lengths": "D"} if self.has_lengths else {}
        return {self.name: f"D{self.axes}", **lengths}

    def lay_out(self, inputs: Sequence[NetworkInput]) -> dict[str, NDArray[Any]]:
        """The padded arrays of several documents."""
        rows = [self.derived(one.ids) if self.derived else one.further[self.name] for one in inputs]
        rows = [self.built(row) for row in rows] if self.built else rows
        shape = [max(1, *sizes) for sizes in zip(*(np.shape(row) for row in rows), (0,) * len(self.axes), strict=True)]
        table = np.full((len(rows), *shape), self.padding, dtype=self.dtype)
        for padded, row in zip(table, rows, strict=True):
            padded[tuple(slice(size) for size in np.shape(row))] = row
        lengths = {f"{self.name}_lengths": np.array([len(row) for row in rows])} if self.has_lengths else {}
        return {self.name: table, **lengths}


def _title(window: SourceWindow) -> Sequence[int]:
    """The ids of the title's words, in every window of a text.

    Without a title, the words up to the first full stop are used.
    """
    document, settings = window.document, window.settings
    if title := words(document.title, settings.tokenizer)[: settings.source_words]:
        return window.vocabulary.ids(title)
    opening = words(document.text, settings.tokenizer)[:TITLE_WORDS]
    return window.vocabulary.ids(opening[: opening.index(".") + 1] if "." in opening else opening)


def _tags(window: SourceWindow) -> Sequence[int]:
    """The numbers of the parts of speech of the source words."""
    return tag_ids(window.words, Analyzer.of(window.settings))


def _retrieved(window: SourceWindow) -> Sequence[int]:
    """The ids of the words of the retrieved phrases, each phrase with its end."""
    analyzer, ids = Analyzer.of(window.settings), list[int]()
    for phrase in window.retrieved:
        ids += [*window.vocabulary.ids(phrase_words(phrase, analyzer)), EOS]
    return ids[:RETRIEVED_WORDS]


def _nodes(window: SourceWindow) -> Sequence[int]:
    """The number of each word of the text among its distinct words."""
    numbers: dict[str, int] = {}
    return [numbers.setdefault(word, len(numbers)) for word in window.words]


def _near(nodes: NDArray[Any]) -> NDArray[Any]:
    """How near words are to later ones: the sum over pairs of their places p < q of 1 / (q − p).

    The last two rows and columns, of `<sep>` and `</s>`, are 0.
    """
    count = int(nodes.max()) + 1 if nodes.size else 0
    distances = np.arange(len(nodes)) - np.arange(len(nodes))[:, None]
    is_later = distances > 0
    nearness = np.where(is_later, 1 / np.where(is_later, distances, 1), 0).astype(np.float32)
    places = (nodes[:, None] == np.arange(count)).astype(np.float32)
    near = np.zeros((count + 2, count + 2), dtype=np.float32)
    near[:count, :count] = places.T @ (nearness @ places)
    return near


def _distinct(ids: Sequence[int]) -> Sequence[int]:
    """Distinct words in the order of the text, then `<sep>` and `</s>`, so that a pointer can end a phrase."""
    return [*dict.fromkeys(ids), SEP, EOS]


INPUTS = {
    "title": InputField(name="title", read=_title),
    "tags": InputField(name="tags", read=_tags, axes="S", stored="uint8"),
    RETRIEVED: InputField(name=RETRIEVED, read=_retrieved, axes="R"),
    "near": InputField(name="near", read=_nodes, built=_near, source=_distinct, axes="SS", dtype="float32"),
}


def input_fields(settings: ModelSettings) -> list[InputField]:
    """The further inputs of a network with these settings."""
    return [_field(name) for name in settings.reads]


def _field(name: str) -> InputField:
    """An input of the table, or one of another module as "module:name"."""
    module, colon, attribute = name.partition(":")
    if not colon:
        return INPUTS[name]
    found: InputField = getattr(import_module(module), attribute)
    return found


def network_input(window: SourceWindow, fields: Iterable[InputField]) -> tuple[NetworkInput, dict[str, int]]:
    """The input of a window, and the extended ids of its words outside the vocabulary."""
    fields = list(fields)
    ids, unknown = window.vocabulary.source_ids(window.words)
    return NetworkInput(np.array(source_ids(ids, fields)), further_inputs(window, fields)), unknown


def source_ids(ids: Sequence[int], fields: Iterable[InputField]) -> Sequence[int]:
    """The ids that a network with these inputs reads of a text of these ids."""
    for one in fields:
        ids = one.source(ids) if one.source else ids
    return ids


def further_inputs(window: SourceWindow, fields: Iterable[InputField]) -> dict[str, NDArray[Any]]:
    """The stored further inputs of a window, by name."""
    return {one.name: np.array(one.read(window), dtype=one.stored) for one in fields if one.read is not None}


def laid_out(inputs: Sequence[NetworkInput], fields: Iterable[InputField]) -> dict[str, NDArray[Any]]:
    """The arrays of these fields for several documents."""
    return {name: array for one in fields for name, array in one.lay_out(inputs).items()}
