"""What a network reads of a document: the ids of its words, and the further inputs that its settings ask for.

`INPUTS` declares each further input once: how it comes from a document, and how it is stored and laid out. Corpora,
batches, searches and graphs go by that, so that a network which reads the title needs nothing but to ask for it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keyseq.config import ModelSettings, TargetSettings
from keyseq.data.vocabulary import PAD, Vocabulary
from keyseq.text.tokenize import words
from keyseq.types import Document

TITLE_WORDS = 20  # of an opening that stands in for a title


@dataclass(frozen=True, slots=True)
class NetworkInput:
    """What a network reads at once: the extended ids of a text's words, and further inputs by name."""

    ids: NDArray[Any]  # (S,)
    further: Mapping[str, NDArray[Any]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True, slots=True)
class SourceWindow:
    """The words of a document that a network reads at once: all of them, or a window of a longer text."""

    document: Document
    words: Sequence[str]
    vocabulary: Vocabulary
    settings: TargetSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class InputField:
    """A further input of a network.

    It is either `read` from a window, and then stored in a corpus, or `derived` from the ids of the source whenever
    it is needed. `axes` names its dimensions beside that of documents: "S" is as long as the source, any other letter
    has a length of its own, which a graph gets as NAME_lengths.
    """

    name: str
    read: Callable[[SourceWindow], Sequence[int]] | None = None
    derived: Callable[[NDArray[Any]], NDArray[Any]] | None = None
    axes: str = "L"
    stored: str = "uint32"
    dtype: str = "int64"  # of the array that the network gets
    padding: int = PAD

    @property
    def has_lengths(self) -> bool:
        """Whether it has a length of its own."""
        return not self.axes.startswith("S")

    @property
    def arrays(self) -> dict[str, str]:
        """The arrays that it is laid out as, each with its axes."""
        lengths = {f"{self.name}_lengths": "D"} if self.has_lengths else {}
        return {self.name: f"D{self.axes}", **lengths}

    def lay_out(self, inputs: Sequence[NetworkInput]) -> dict[str, NDArray[Any]]:
        """The rows of several documents side by side, padded."""
        rows = [self.derived(one.ids) if self.derived else one.further[self.name] for one in inputs]
        shape = [max(1, *sizes) for sizes in zip(*(np.shape(row) for row in rows), (0,) * len(self.axes), strict=True)]
        table = np.full((len(rows), *shape), self.padding, dtype=self.dtype)
        for padded, row in zip(table, rows, strict=True):
            padded[tuple(slice(size) for size in np.shape(row))] = row
        lengths = {f"{self.name}_lengths": np.array([len(row) for row in rows])} if self.has_lengths else {}
        return {self.name: table, **lengths}


def _title(window: SourceWindow) -> Sequence[int]:
    """The ids of the title's words, also in a window that does not begin with them.

    Where there is no title, the text's words up to its first full stop stand in for it.
    """
    document, settings = window.document, window.settings
    if title := words(document.title, settings.tokenizer)[: settings.source_words]:
        return window.vocabulary.ids(title)
    opening = words(document.text, settings.tokenizer)[:TITLE_WORDS]
    return window.vocabulary.ids(opening[: opening.index(".") + 1] if "." in opening else opening)


INPUTS = {
    "title": InputField(name="title", read=_title),
}


def input_fields(settings: ModelSettings) -> list[InputField]:
    """The further inputs that a network of these settings reads."""
    return [_field(name) for name in settings.reads]


def _field(name: str) -> InputField:
    """An input of the table, or one of another module as "module:name"."""
    module, colon, attribute = name.partition(":")
    if not colon:
        return INPUTS[name]
    found: InputField = getattr(import_module(module), attribute)
    return found


def network_input(window: SourceWindow, fields: Iterable[InputField]) -> tuple[NetworkInput, dict[str, int]]:
    """What a network reads of a window, and the ids that words outside the vocabulary have in it."""
    ids, unknown = window.vocabulary.source_ids(window.words)
    return NetworkInput(np.array(ids), further_inputs(window, fields)), unknown


def further_inputs(window: SourceWindow, fields: Iterable[InputField]) -> dict[str, NDArray[Any]]:
    """What the fields that are stored read from a window, by name."""
    return {one.name: np.array(one.read(window), dtype=one.stored) for one in fields if one.read is not None}


def laid_out(inputs: Sequence[NetworkInput], fields: Iterable[InputField]) -> dict[str, NDArray[Any]]:
    """The arrays of these fields for several documents."""
    return {name: array for one in fields for name, array in one.lay_out(inputs).items()}
