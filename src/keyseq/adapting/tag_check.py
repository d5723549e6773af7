"""Check that a corpus has tags to learn from."""

from keyseq.errors import DataError, shown
from keyseq.types import Document

FEWEST = 30  # documents with tags


class TagCheck:
    """Checks the documents of a corpus one by one, and refuses it at the end if nothing can be learnt from its tags."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._documents = self._tagged = self._repeated = 0
        self._tags: set[str] = set()  # no more than two are needed
        self._first: frozenset[str] | None = None
        self._vary = self._subjects = False

    def see(self, document: Document) -> bool:
        """Take note of a document; whether it has tags."""
        self._documents += 1
        tags = frozenset(" ".join(tag.casefold().split()) for tag in document.keyphrases or ()) - {""}
        if not tags:
            self._subjects = self._subjects or bool(document.subjects)
            return False
        self._tagged += 1
        if len(self._tags) < 2:
            self._tags |= tags
        self._first = self._first or tags
        self._vary = self._vary or tags != self._first
        return True

    def see_repeated(self) -> None:
        """Take note that the document has the text of an earlier one, and is not learnt from."""
        self._repeated += 1

    def finish(self) -> None:
        """Refuse a corpus from which nothing can be learnt."""
        name = self._name
        if not self._documents:
            raise DataError(f"{name}: contains no documents")
        if not self._tagged and self._subjects:
            raise DataError(f"{name}: its documents have subjects but no tags; name the vocabulary with --vocabulary")
        if not self._tagged:
            raise DataError(f"{name}: no document has tags; adapt learns from documents with tags (keyphrases)")
        if len(self._tags) == 1:
            tag = shown(next(iter(self._tags)))
            raise DataError(f"{name}: all its documents have the same tag, '{tag}', so there is nothing to learn")
        if not self._vary:
            raise DataError(f"{name}: all its documents have the same tags, so there is nothing to learn")
        if self._tagged < FEWEST:
            raise DataError(f"{name}: has {self._tagged} documents with tags; adapt needs at least {FEWEST}")
        if (different := self._tagged - self._repeated) < FEWEST:
            raise DataError(
                f"{name}: only {different} of its {self._tagged} documents with tags have their own text; the others "
                f"repeat these; adapt needs at least {FEWEST}"
            )
