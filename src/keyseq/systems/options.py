"""What is asked of any system: how many phrases, of what score and kind, and from which lists."""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

from keyseq.text.presence import phrase_stems
from keyseq.types import SCORE_DIGITS, Phrase


@dataclass(frozen=True, kw_only=True)
class Options:
    """Which of a system's phrases are wanted.

    `top` None lets the system decide how many. `present` keeps only phrases that the text contains (True) or does not
    (False). With `allow`, a network says nothing but these phrases; those of `deny` are left out.
    """

    top: int | None = None
    min_score: float = 0.0
    present: bool | None = None
    allow: tuple[str, ...] | None = None
    deny: tuple[str, ...] = ()

    def settings(self, kind: type) -> dict[str, Any]:
        """What a system with settings of this class has to know to give enough phrases for the selection."""
        given: dict[str, Any] = {
            "top": self.top and self.top + len(self.deny),  # as many as may have to be left out
            "allow": self.allow,
        }
        if "deny" in {field.name for field in fields(kind)}:  # a network can leave them out itself
            given |= {"present": self.present is not False, "absent": self.present is not True, "deny": self.deny}
        return {name: value for name, value in given.items() if value is not None}

    def select(self, phrases: Iterable[Phrase]) -> list[Phrase]:
        """The wanted ones of a document's phrases."""
        return [phrase for phrase in phrases if self._wanted(phrase)][: self.top]

    def _wanted(self, phrase: Phrase) -> bool:
        if self._denied and tuple(phrase_stems(phrase.text)) in self._denied:
            return False
        # as written out, so that a score which was read off an earlier answer includes its phrase
        return round(phrase.score, SCORE_DIGITS) >= self.min_score and self.present in (None, phrase.present)

    @cached_property
    def _denied(self) -> frozenset[tuple[str, ...]]:
        return frozenset(tuple(phrase_stems(phrase)) for phrase in self.deny)
