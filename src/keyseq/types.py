"""The types that every layer shares: Document, Phrase, System."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Protocol, runtime_checkable

from keyseq.errors import DataError, UnfitValueError, named_value, shown

TITLE_SEPARATOR = " . "
SCORE_DIGITS = 6  # decimals of a phrase's score that are written out
WIDTH = 60  # characters of a document in its repr
LONGEST = 10_000_000  # characters of a text, four thousand pages: systems hold up to 100 bytes for each


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Document:
    """A text with its gold keyphrases, if known.

    `keyphrases` is None where they are unknown, and empty where an annotator assigned none. `subjects` are the URIs of
    gold concepts of a controlled vocabulary, if known; `year` is that of the publication, if known.
    """

    id: str
    title: str = ""
    body: str = ""
    keyphrases: tuple[str, ...] | None = None
    subjects: tuple[str, ...] | None = None
    year: int | None = None

    def __post_init__(self) -> None:
        if isinstance(self.keyphrases, str):
            raise DataError(f"{shown(str(self.id))}: keyphrases are a list of texts, not one text; split it first")
        # what is no text is told elsewhere, with its place
        if (length := sum(len(part) for part in (self.title, self.body) if isinstance(part, str))) > LONGEST:
            raise DataError(
                f"{shown(self.id)}: a text of {length:,} characters, more than the limit of {LONGEST:,};"
                " divide it into its parts, such as chapters"
            )

    @property
    def text(self) -> str:
        """The source text that systems read and that spans point into: "title . body", as published."""
        if self.title and self.body:
            return f"{self.title}{TITLE_SEPARATOR}{self.body}"
        return self.title or self.body

    def __repr__(self) -> str:
        number = -1 if self.keyphrases is None else len(self.keyphrases)
        count = "" if number < 0 else f", {number} keyphrase{'' if number == 1 else 's'}"
        return f"Document({self.id!r}, {shown(str(self.title or self.body), WIDTH)!r}{count})"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Evidence:
    """The evidence for a phrase: its sources, and the statistics it was ranked by.

    `sources` are among "text", "network", "profiles" and "feedback". `share` is the fraction of the probability of the
    network's sequences that contain the phrase. `rank` is its rank among the labels retrieved by profiles, from 1, and
    `terms` are the words of the text that contributed most to it. It is a keyphrase of `keyphrase_of` training
    documents, and `contained_in` training documents contain it. `system` is the name of the system, `language` the code
    of the language in which it read the text, empty for a text that it does not take for one in its language;
    `language_confidence` is the confidence in it if it was detected, from 0 to 1.

    For a concept of a controlled vocabulary, `label` is the kind of the label that was found ("preferred",
    "alternative" or "hidden"), `related` are related concepts that the text contains too, and `sharing` is the number
    of other concepts with the same label.
    """

    sources: tuple[str, ...]
    occurrences: int = 0
    in_title: bool = False
    keyphrase_of: int = 0
    contained_in: int = 0
    share: float | None = None
    rank: int | None = None
    terms: tuple[str, ...] = ()
    system: str = ""
    language: str = ""
    language_confidence: float | None = None
    label: str = ""
    related: tuple[str, ...] = ()
    sharing: int = 0

    def __repr__(self) -> str:
        told = {field.name: getattr(self, field.name) for field in fields(self)}
        defaults = {field.name: field.default for field in fields(self)}
        return f"Evidence({', '.join(f'{name}={value!r}' for name, value in told.items() if value != defaults[name])})"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Phrase:
    """A predicted keyphrase.

    `score` is in 0..1 and comparable within one document; `spans` are (start, end) character offsets in
    `Document.text`, empty for a phrase that the text does not contain. `evidence` is set by systems that provide it.

    With a controlled vocabulary, `text` is the preferred label of a concept, `uri` its URI, if any, and `matched` the
    label that was found: `present` and `spans` are those of the concept under any of its labels. A phrase that is not
    in the vocabulary is `new`.
    """

    text: str
    score: float
    present: bool
    spans: tuple[tuple[int, int], ...] = ()
    evidence: Evidence | None = None
    uri: str | None = None
    matched: str | None = None
    new: bool = False

    def __repr__(self) -> str:
        return f"Phrase({self.text!r}, {self.score:.2f}{'' if self.present else ', absent'})"


@runtime_checkable
class System(Protocol):
    """Anything that turns documents into ranked keyphrases, best first. It keeps no document state."""

    name: str

    def predict(self, documents: Sequence[str | Document]) -> list[list[Phrase]]:
        """Return the ranked phrases of each document."""
        ...


def as_documents(documents: Iterable[str | Document]) -> list[Document]:
    """Wrap bare strings as documents, numbered from 1; any other value is refused with its index."""
    if isinstance(documents, str | Document):
        raise TypeError("predict takes a list of texts: write predict([text])")
    return list(each_document(documents))


def each_document(documents: Iterable[str | Document]) -> Iterator[Document]:
    """The same as a stream."""
    # a mapping would be read as its keys, a table of pandas as the names of its columns
    unfit = isinstance(documents, str | bytes | Document | Mapping) or hasattr(documents, "columns")
    if unfit or not isinstance(documents, Iterable):
        raise UnfitValueError(f"texts are given as a list, not as {named_value(documents)}")
    return (_document(value, index) for index, value in enumerate(documents))


def _document(value: object, index: int) -> Document:
    if isinstance(value, Document):
        for name, part in (("title", value.title), ("body", value.body)):
            if not isinstance(part, str):
                raise _unfit(f"the {name} of document {index} (counted from 0) is {named_value(part)}")
        return value
    if isinstance(value, str):
        return Document(id=str(index + 1), body=value)
    raise _unfit(f"document {index} (counted from 0) is {named_value(value)}")


def _unfit(problem: str) -> UnfitValueError:
    return UnfitValueError(f"{problem}, not a text; leave it out, or replace it by an empty text")
