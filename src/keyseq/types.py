"""The types that every layer shares: Document, Phrase, System."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

TITLE_SEPARATOR = " . "
SCORE_DIGITS = 6  # decimals of a phrase's score that are written out


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A text with its gold keyphrases, if known.

    `keyphrases` is None where they are unknown, and empty where an annotator assigned none. `subjects` are the URIs of
    gold concepts of a controlled vocabulary, if known.
    """

    id: str
    title: str = ""
    body: str = ""
    keyphrases: tuple[str, ...] | None = None
    subjects: tuple[str, ...] | None = None

    @property
    def text(self) -> str:
        """The source text that systems read and that spans point into: "title . body", as published."""
        if self.title and self.body:
            return f"{self.title}{TITLE_SEPARATOR}{self.body}"
        return self.title or self.body


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """The evidence for a phrase: its sources, and the statistics it was ranked by.

    `sources` are among "text", "network" and "profiles". `share` is the fraction of the probability of the network's
    sequences that contain the phrase. `rank` is its rank among the labels retrieved by profiles, from 1, and `terms`
    are the words of the text that contributed most to it. It is a keyphrase of `keyphrase_of` training documents, and
    `contained_in` training documents contain it. `system` is the name of the system.

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
    label: str = ""
    related: tuple[str, ...] = ()
    sharing: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
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


@runtime_checkable
class System(Protocol):
    """Anything that turns documents into ranked keyphrases, best first. It keeps no document state."""

    name: str

    def predict(self, documents: Sequence[str | Document]) -> list[list[Phrase]]:
        """Return the ranked phrases of each document."""
        ...


def as_documents(documents: Iterable[str | Document]) -> list[Document]:
    """Wrap bare strings as documents, numbered from 1."""
    if isinstance(documents, str | Document):
        raise TypeError("predict takes a list of texts: write predict([text])")
    return [
        document if isinstance(document, Document) else Document(id=str(number), body=document)
        for number, document in enumerate(documents, start=1)
    ]
