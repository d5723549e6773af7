"""The settings of a loaded combined system: selection of phrases or concepts, and their number."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from keyseq.config.fields import setting
from keyseq.errors import KeyseqError
from keyseq.languages import find
from keyseq.text.selection import Selection

USUAL_BETA = 1.15  # of a system that stores none


@dataclass(frozen=True, kw_only=True)
class CombinedSettings(Selection):
    """Without `top`, the number of phrases maximises the expected F-beta under their probabilities.

    `vocabulary` is a file, which is read at once, or a `ControlledVocabulary`.
    """

    language: str | None = setting(
        None, "language of the texts, by its code such as de; by default, that of the system or of each text"
    )
    beta: float | None = setting(
        None,
        "weight of recall in the number of phrases: a larger one gives more of them; by default, that of the system",
        least=0.05,
        most=20,
    )
    allow: tuple[str, ...] | None = setting(None, "the only phrases that may be returned")
    vocabulary: Any = setting(None, "controlled vocabulary whose concepts are returned instead of phrases")
    also_new: bool = setting(False, "with a vocabulary, also phrases that it lacks, marked as new")
    threads: int | None = setting(None, "groups of documents predicted in parallel; by default, one per core", least=1)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.language is not None:
            find(self.language)
        if self.vocabulary is not None and self.allow is not None:
            raise KeyseqError("allow and vocabulary exclude each other: a list of phrases is a vocabulary too")
        if self.vocabulary is not None:
            object.__setattr__(self, "vocabulary", _read(self.vocabulary))

    @property
    def terms(self) -> Any:  # a ControlledVocabulary, or None
        """The vocabulary, or the list of allowed phrases as one."""
        return self.vocabulary if self.allow is None else _listed(self.allow)

    def check_new(self, vocabulary: Any) -> None:
        """Refuse `also_new` without a vocabulary, be it of the settings or of the system."""
        if self.also_new and vocabulary is None:
            raise KeyseqError("also_new adds phrases that a vocabulary lacks: give a vocabulary too")


@lru_cache(8)
def _listed(phrases: tuple[str, ...]) -> Any:
    from keyseq.vocabularies.building import vocabulary_of_labels  # not needed by the command line's help

    return vocabulary_of_labels(phrases, "the list of allowed phrases")


def _read(given: Any) -> Any:
    from keyseq.vocabularies.controlled_vocabulary import ControlledVocabulary

    if isinstance(given, ControlledVocabulary):
        return given
    if not isinstance(given, str | Path):
        raise KeyseqError(f"vocabulary must be the path of a file or a ControlledVocabulary, not {given!r}")
    from keyseq.vocabularies.vocabulary_file import read_vocabulary

    return read_vocabulary(given)
