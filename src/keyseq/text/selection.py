"""Selection of phrases: maximum number, minimum score, present or absent, deny-list."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from keyseq.config.fields import check, setting
from keyseq.text.analyzer import ENGLISH, Analyzer
from keyseq.types import SCORE_DIGITS, Phrase


@dataclass(frozen=True, kw_only=True)
class Selection:
    """The selection of phrases, available for any system."""

    top: int | None = setting(
        None, "maximum number of phrases; by default, the system decides", least=1, most=1_000_000_000
    )
    min_score: float = setting(0.0, "minimum score of phrases", least=0, most=1)
    present: bool | None = setting(None, "only phrases that the text contains (true), or does not (false)")
    deny: tuple[str, ...] = setting((), "phrases to leave out, also in other inflections (same stems)")

    def __post_init__(self) -> None:
        check("", self)

    def select(self, phrases: Iterable[Phrase], analyzer: Analyzer = ENGLISH, most: int | None = None) -> list[Phrase]:
        """The selected phrases of a ranking, `top` or `most` of them; an iterator is consumed only as far as needed."""
        return list(islice(self._wanted(phrases, analyzer), self.top or most))

    def _wanted(self, phrases: Iterable[Phrase], analyzer: Analyzer) -> Iterator[Phrase]:
        from keyseq.text.presence import phrase_stems  # not needed for the help of the command line

        denied = _stemmed(self.deny, analyzer)
        for phrase in phrases:
            # rounded as in outputs, so that a score copied from an output includes its phrase
            if round(phrase.score, SCORE_DIGITS) < self.min_score or self.present not in (None, phrase.present):
                continue
            if not denied or tuple(phrase_stems(phrase.text, analyzer)) not in denied:
                yield phrase


@lru_cache
def _stemmed(phrases: tuple[str, ...], analyzer: Analyzer) -> frozenset[tuple[str, ...]]:
    from keyseq.text.presence import phrase_stems

    return frozenset(tuple(phrase_stems(phrase, analyzer)) for phrase in phrases)
