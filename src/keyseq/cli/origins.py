"""Which systems predicted the documents of a run, if the requested one chooses by the text."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from keyseq.cli.console import note
from keyseq.languages import ENGLISH, name_of

if TYPE_CHECKING:
    from keyseq.types import Document, Phrase

    Prediction = tuple[Document, list[Phrase]]


class Origins:
    """Counts the documents of each system while predictions pass through."""

    def __init__(self, asked: str) -> None:
        self._asked = asked
        self._documents: Counter[tuple[str, str]] = Counter()  # of each system and language
        self._phrases = False
        self._sure: float | None = None  # of its language the last document is

    def counted(self, predictions: "Iterable[Prediction]") -> "Iterator[Prediction]":
        """Pass predictions on."""
        for document, phrases in predictions:
            self._phrases = self._phrases or bool(phrases)
            if phrases and phrases[0].evidence is not None:
                self._documents[phrases[0].evidence.system, phrases[0].evidence.language] += 1
                self._sure = phrases[0].evidence.language_confidence
            yield document, phrases

    def tell(self, *, explain: bool) -> None:
        """Print the chosen systems: for several documents, how many each has; for one, the confidence in its language.

        Once for each language for which no system was trained, say so.
        """
        chosen = self._documents.most_common()
        if explain and self._phrases and not chosen:
            note(f"{self._asked} provides no evidence for its phrases; the default system does")
        if {name for name, _ in self._documents} <= {self._asked}:  # it did not delegate
            return
        one = self._documents.total() == 1
        told = (self._named_alone(*route) if one else f"{_named(*route)} ({count:,})" for route, count in chosen)
        note(f"system: {', '.join(told)}")
        from keyseq.systems.language_systems import remark

        for said in filter(None, (remark(*route) for route, _ in chosen)):
            note(said)

    def _named_alone(self, system: str, language: str) -> str:
        """The system of the only document, and the confidence in its language unless that is English."""
        named = _named(system, language)
        return named if named == system or self._sure is None else f"{named} ({int(100 * self._sure)} % sure)"


def _named(system: str, language: str) -> str:
    return f"{system}, {name_of(language)}" if language not in ("", ENGLISH) else system
