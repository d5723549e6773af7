"""Overlap of training and validation documents: a check cheap enough to run while encoding."""

import hashlib
import re
from collections.abc import Iterable

from keyseq.types import Document

TELLING = 20  # letters of a title that identifies a document

_NO_WORD = re.compile(r"[\W_]+")


class Overlap:
    """Finds and counts documents with the title or text of a known one, ignoring case and punctuation."""

    def __init__(self, known: Iterable[Document]) -> None:
        self.count = 0
        self._known = {key for document in known for key in _keys(document)}

    def __contains__(self, document: Document) -> bool:
        return not self._known.isdisjoint(_keys(document))

    def see(self, document: Document) -> None:
        """Compare the next document."""
        self.count += document in self

    def digest(self) -> str:
        """The digest of the known documents, the same in every process."""
        return hashlib.sha256("\n".join(sorted(self._known)).encode()).hexdigest()


def text_digest(text: str) -> str:
    """The digest of a text without regard to case and outer white space."""
    return hashlib.sha256(text.strip().casefold().encode(errors="backslashreplace")).hexdigest()


def _keys(document: Document) -> list[str]:
    title = _NO_WORD.sub("", document.title).casefold()
    text = document.body.strip() or document.title.strip()
    return [title] * (len(title) >= TELLING) + [text_digest(text)] * bool(text)
