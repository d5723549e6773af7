"""PositionRank (Florescu and Caragea, 2017): SingleRank with restarts biased to early words."""

from dataclasses import dataclass
from typing import ClassVar

from keyseq.extractive.graph import WordGraphSettings
from keyseq.extractive.singlerank import SingleRank


@dataclass(frozen=True, kw_only=True)
class PositionRankSettings(WordGraphSettings):
    """Candidates and co-occurrence graph."""

    system: ClassVar[str] = "positionrank"


class PositionRank(SingleRank):
    """Ranks candidates by the sum of their words' PageRank, with restarts proportional to 1/position."""

    defaults = PositionRankSettings
    restart = "position"
