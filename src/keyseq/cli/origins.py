"""Which systems predicted the documents of a run, if the requested one chooses by the text."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from keyseq.cli.console import note

if TYPE_CHECKING:
    from keyseq.types import Document, Phrase

    Prediction = tuple[Document, list[Phrase]]


class Origins:
    """Counts the documents of each system while predictions pass through."""

    def __init__(self, asked: str) -> None:
        self._asked = asked
        self._documents: Counter[str] = Counter()
        self._phrases = False

    def counted(self, predictions: "Iterable[Prediction]") -> "Iterator[Prediction]":
        """Pass predictions on."""
        for document, phrases in predictions:
            self._phrases = self._phrases or bool(phrases)
            if phrases and phrases[0].evidence is not None:
                self._documents[phrases[0].evidence.system] += 1
            yield document, phrases

    def tell(self, *, explain: bool) -> None:
        """Print the systems that were chosen; for several documents, with their counts."""
        chosen = self._documents.most_common()
        if explain and self._phrases and not chosen:
            note(f"{self._asked} provides no evidence for its phrases; the default system does")
        if set(self._documents) <= {self._asked}:  # it did not delegate
            return
        one = self._documents.total() == 1
        note(f"system: {', '.join(name if one else f'{name} ({count:,})' for name, count in chosen)}")
