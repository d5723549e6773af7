"""Overlap of training and validation documents: a check cheap enough to run while encoding."""

import re
from collections.abc import Iterable

from keyseq.types import Document

TELLING = 20  # letters of a title that identifies a document

_NO_WORD = re.compile(r"[\W_]+")


class Overlap:
    """Counts documents with the title or text of a known one, ignoring case and punctuation."""

    def __init__(self, known: Iterable[Document]) -> None:
        self.count = 0
        self._known = {key for document in known for key in _keys(document)}

    def see(self, document: Document) -> None:
        """Compare the next document."""
        self.count += not self._known.isdisjoint(_keys(document))


def _keys(document: Document) -> list[str | int]:
    title = _NO_WORD.sub("", document.title).casefold()
    text = document.body.strip().casefold()
    return [title] * (len(title) >= TELLING) + [hash(text)] * bool(text)
