"""The keyphrases to add to each document of a file, and what becomes of those that it has."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from keyseq.errors import KeyseqError
from keyseq.types import Document

Existing = Literal["merge", "keep", "replace"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tagging:
    """How a file is tagged.

    `existing` keywords are kept and others added (merge), kept and nothing added (keep), or replaced. Tables get a new
    column of the name `column`, its phrases separated by `separator`.
    """

    existing: Existing = "merge"
    column: str = "keyphrases"
    separator: str = ";"

    def __post_init__(self) -> None:
        if not self.column.strip():
            raise KeyseqError("the name of the column of keyphrases must not be empty")


class Tags:
    """The phrases of documents, one list after another."""

    def __init__(self, phrases: Iterable[Sequence[str]], rules: Tagging) -> None:
        self._remaining, self.rules = iter(phrases), rules

    @property
    def replaces(self) -> bool:
        """Whether existing keywords are removed where others are added."""
        return self.rules.existing == "replace"

    def all_for(self, _document: Document) -> list[str]:
        """The phrases of the next document, each once, whatever keywords it has."""
        return _unknown(self._next(), ())

    def new_for(self, document: Document) -> list[str]:
        """The phrases to add to the next document: none that it has, and none at all if its keywords are to be kept."""
        phrases, known = self._next(), document.keyphrases or ()
        if self.rules.existing == "keep" and known:
            return []
        return _unknown(phrases, () if self.replaces else known)

    def _next(self) -> Sequence[str]:
        phrases = next(self._remaining, None)
        if phrases is None:
            raise ValueError("fewer lists of phrases than documents")
        return phrases

    def check_used(self) -> None:
        """Refuse phrases that are left."""
        if next(self._remaining, None) is not None:
            raise ValueError("more lists of phrases than documents")


def _unknown(phrases: Iterable[str], known: Sequence[str]) -> list[str]:
    """Phrases without existing ones, ignoring case."""
    seen, unknown = {phrase.casefold() for phrase in known}, []
    for phrase in phrases:
        folded = " ".join(phrase.casefold().split())
        if folded and folded not in seen:
            seen.add(folded)
            unknown.append(phrase)
    return unknown


def same_column(name: str, columns: Iterable[str]) -> str | None:
    """The column of a table that is called the same, but for case and spaces."""
    return next((column for column in columns if column.strip().casefold() == name.casefold()), None)
