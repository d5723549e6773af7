"""Which of a system's phrases are wanted: how many, of what score, in the text or not, and not those of a list."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from keyseq.config.fields import check, setting
from keyseq.text.analyzer import ENGLISH, Analyzer
from keyseq.types import SCORE_DIGITS, Phrase


@dataclass(frozen=True, kw_only=True)
class Selection:
    """What any system can be asked for."""

    top: int | None = setting(None, "how many phrases at most; by default, the system decides", least=1)
    min_score: float = setting(0.0, "only phrases of this score or more", least=0, most=1)
    present: bool | None = setting(None, "only phrases that the text contains (true), or does not (false)")
    deny: tuple[str, ...] = setting((), "phrases that are not wanted, nor others of the same stems")

    def __post_init__(self) -> None:
        check("", self)

    def select(self, phrases: Iterable[Phrase], analyzer: Analyzer = ENGLISH) -> list[Phrase]:
        """The wanted ones of a document's ranked phrases; of an iterator, no more are taken than needed."""
        return list(islice(self._wanted(phrases, analyzer), self.top))

    def _wanted(self, phrases: Iterable[Phrase], analyzer: Analyzer) -> Iterator[Phrase]:
        from keyseq.text.presence import phrase_stems  # for the command line's help, stems are not needed

        denied = _stemmed(self.deny, analyzer)
        for phrase in phrases:
            # as written out, so that a score which was read off an earlier answer includes its phrase
            if round(phrase.score, SCORE_DIGITS) < self.min_score or self.present not in (None, phrase.present):
                continue
            if not denied or tuple(phrase_stems(phrase.text, analyzer)) not in denied:
                yield phrase


@lru_cache
def _stemmed(phrases: tuple[str, ...], analyzer: Analyzer) -> frozenset[tuple[str, ...]]:
    from keyseq.text.presence import phrase_stems

    return frozenset(tuple(phrase_stems(phrase, analyzer)) for phrase in phrases)
