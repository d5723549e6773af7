"""What a protocol says of one document: predictions that are right, wrong or passed over, targets met or missed."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Verdict:
    """What a protocol says of one prediction; `problem` is why it is passed over, None where it counts."""

    phrase: str
    present: bool
    hit: bool
    problem: str | None


@dataclass(frozen=True)
class GoldTarget:
    """A gold phrase that counts, and whether a prediction met it."""

    phrase: str
    present: bool
    met: bool


@dataclass(frozen=True)
class Judgement:
    """A document's predictions, best first, and its targets."""

    verdicts: tuple[Verdict, ...]
    targets: tuple[GoldTarget, ...]
