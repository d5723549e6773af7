"""What pieces of a network learn from keyphrases besides the words of a target.

`TARGET_FIELDS` have a number for each target word, `LABELS` one for each source word, laid out as an input.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keyseq.config import ModelSettings, TargetSettings
from keyseq.data.examples import Example
from keyseq.data.network_inputs import InputField, SourceWindow
from keyseq.data.word_tags import target_tag_ids
from keyseq.text.analyzer import Analyzer
from keyseq.text.presence import phrase_words


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetField:
    """One number for each target word; `read` returns those of all phrases of an example, one after the other."""

    name: str
    read: Callable[[Example, TargetSettings], Sequence[int]]
    stored: str = "uint8"


def _tags(example: Example, settings: TargetSettings) -> Sequence[int]:
    return target_tag_ids(example.source, example.targets, Analyzer.of(settings))


TARGET_FIELDS = {"target_tags": TargetField(name="target_tags", read=_tags)}


def _keywords(window: SourceWindow) -> Sequence[int]:
    """1 for words of any keyphrase that are not stop words."""
    analyzer = Analyzer.of(window.settings)
    gold = {word for phrase in window.document.keyphrases or () for word in phrase_words(phrase, analyzer)}
    gold -= analyzer.stop_words
    return [int(word in gold and any(map(str.isalnum, word))) for word in window.words]


LABELS = {"keywords": InputField(name="keywords", read=_keywords, axes="S", stored="uint8")}


def target_fields(settings: ModelSettings) -> list[TargetField]:
    """What a network with these settings learns about target words."""
    return [TARGET_FIELDS[name] for name in settings.learns if name in TARGET_FIELDS]


def label_fields(settings: ModelSettings) -> list[InputField]:
    """What a network with these settings learns about source words."""
    return [LABELS[name] for name in settings.learns if name in LABELS]


def divided(numbers: NDArray[Any], phrases: Sequence[NDArray[Any]]) -> list[NDArray[Any]]:
    """The numbers of each phrase of a document."""
    return np.split(numbers, np.cumsum([len(phrase) for phrase in phrases])[:-1])
