"""PositionRank (Florescu and Caragea, 2017): SingleRank whose walk starts again at early words rather."""

from dataclasses import dataclass
from typing import ClassVar

from keyseq.extractive.graph import WordGraphSettings
from keyseq.extractive.singlerank import SingleRank


@dataclass(frozen=True, kw_only=True)
class PositionRankSettings(WordGraphSettings):
    """Which candidates, and how far words are neighbours."""

    system: ClassVar[str] = "positionrank"


class PositionRank(SingleRank):
    """Ranks candidates by the sum of their words' PageRank, where each walk starts in proportion to 1/position."""

    defaults = PositionRankSettings
    restart = "position"
