"""The vocabulary of `keyseq generate`: its setting, and remarks on it."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from keyseq.cli.console import note
from keyseq.errors import KeyseqError
from keyseq.languages import name_of

if TYPE_CHECKING:
    from keyseq.text.analyzer import Analyzer
    from keyseq.types import Document
    from keyseq.vocabularies.controlled_vocabulary import ControlledVocabulary

LONG = 5.0  # seconds of reading after which compiling is recommended


@dataclass(kw_only=True)
class VocabularyTerms:
    """The files of --vocabulary and --allow-list, of which one may be given."""

    vocabulary: Path | None
    allow_list: Path | None
    system: str | None = None
    language: str | None = None
    foreign: int = field(default=0, init=False)
    documents: int = field(default=0, init=False)

    @property
    def given(self) -> Path | None:
        """The file that is given."""
        if self.vocabulary and self.allow_list:
            raise KeyseqError("--vocabulary and --allow-list exclude each other: leave one out")
        return self.vocabulary or self.allow_list

    @cached_property
    def analyzer(self) -> "Analyzer":
        """That of the language that was named, or else of the system's."""
        from keyseq.systems.registry import analyzer_of
        from keyseq.text.analyzer import Analyzer

        return analyzer_of(self.system) if self.language is None else Analyzer.for_language(self.language)

    def settings(self) -> dict[str, Any]:
        """The setting of a system that the file becomes: a vocabulary, or for networks the phrases that are allowed."""
        if self.given is None:
            return {}
        from keyseq.systems.hub import is_place, locate
        from keyseq.systems.registry import DEFAULT, settings_class

        vocabulary = read_with_notes(self.given, self.analyzer)
        known = {field.name for field in fields(settings_class(self.system))}
        if self.vocabulary is not None and "vocabulary" not in known:
            if self.system and is_place(self.system):
                locate(self.system)  # a folder that is not there has no kind, and so no settings
            hint = "a network takes --allow-list" if "allow" in known else "the default system has one"
            raise KeyseqError(f"{self.system or DEFAULT} has no setting 'vocabulary': {hint}")
        return {"vocabulary": self.given} if "vocabulary" in known else {"allow": tuple(vocabulary.labels)}

    def watched(self, documents: "Iterator[Document]") -> "Iterator[Document]":
        """Pass documents on, and count those in another language than the labels."""
        if self.given is None:
            yield from documents
            return
        from keyseq.vocabularies.language_check import is_foreign

        for document in documents:
            self.documents += 1
            self.foreign += is_foreign(document.text, self.analyzer)
            yield document

    def tell(self) -> None:
        """Say how many texts were in another language than the labels that were looked for."""
        if self.foreign:
            texts = "the text is" if self.documents == 1 else f"{self.foreign:,} of {self.documents:,} texts are"
            language = name_of(self.analyzer.language)
            note(f"{texts} not in {language}, the language of the labels to be matched")


def read_with_notes(path: Path, analyzer: "Analyzer | None") -> "ControlledVocabulary":
    """Read a vocabulary, and print remarks on it, and on its language compared with that of the texts."""
    from keyseq.vocabularies.language_check import foreign_labels
    from keyseq.vocabularies.vocabulary_file import read_vocabulary

    began = time.monotonic()
    vocabulary = read_vocabulary(path)
    for remark in (*vocabulary.remarks, foreign_labels(vocabulary, analyzer) if analyzer else ""):
        if remark:
            note(remark)
    if time.monotonic() - began > LONG:
        note(f"{path}: reading it took long; keyseq vocabulary compile {path} makes it load at once")
    return vocabulary
