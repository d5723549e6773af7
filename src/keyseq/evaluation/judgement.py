"""A document judged by a protocol: predictions that are correct, wrong or ignored; targets found or missed."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Verdict:
    """A prediction judged by a protocol; `problem` is why it is ignored, None if it counts."""

    phrase: str
    present: bool
    hit: bool
    problem: str | None


@dataclass(frozen=True)
class GoldTarget:
    """A gold phrase that counts, and whether a prediction matches it."""

    phrase: str
    present: bool
    met: bool


@dataclass(frozen=True)
class Judgement:
    """A document's predictions, best first, and its targets."""

    verdicts: tuple[Verdict, ...]
    targets: tuple[GoldTarget, ...]
