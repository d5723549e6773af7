"""The vocabulary of `keyseq generate`: which setting it is, and what there is to say of it."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from keyseq.cli.console import note
from keyseq.errors import KeyseqError
from keyseq.languages import LANGUAGES

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
        """That of the system's language."""
        from keyseq.systems.registry import analyzer_of

        return analyzer_of(self.system)

    def settings(self) -> dict[str, Any]:
        """The setting of a system that the file becomes: a vocabulary, or for networks the phrases that are allowed."""
        if self.given is None:
            return {}
        from keyseq.systems.registry import DEFAULT, settings_class

        vocabulary = read_with_notes(self.given, self.analyzer)
        known = {field.name for field in fields(settings_class(self.system))}
        if self.vocabulary is not None and "vocabulary" not in known:
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
            language = LANGUAGES[self.analyzer.language].name
            note(f"{texts} not in {language}, the language of the labels that were looked for")


def read_with_notes(path: Path, analyzer: "Analyzer") -> "ControlledVocabulary":
    """Read a vocabulary for texts in a language, and print what there is to say of it."""
    from keyseq.vocabularies.language_check import foreign_labels
    from keyseq.vocabularies.vocabulary_file import read_vocabulary

    began = time.monotonic()
    vocabulary = read_vocabulary(path)
    for remark in (*vocabulary.remarks, foreign_labels(vocabulary, analyzer)):
        if remark:
            note(remark)
    if time.monotonic() - began > LONG:
        note(f"{path}: reading it took long; keyseq vocabulary compile {path} makes it load at once")
    return vocabulary
