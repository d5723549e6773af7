"""What every network is given: the same documents, steps and sizes, so that only what a table compares differs.

A step is `BATCH` examples. For sequences of phrases an example is a document; for CopyRNN it is a single phrase, so
that in the same number of steps it sees as many phrases as the others see documents. Equal are the steps.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from keyseq.config import Settings, load_settings

DOCUMENTS = 64_000  # seen by each network: the budget
BATCH = 32
FEWEST_STEPS = 10
VALIDATED = 300  # documents that the best checkpoint is chosen by
LEARNT = 10_000  # documents for a ranker that learns
FEWEST_LEARNT = 50
FEWEST_TESTED = 10
FEWEST_STATES = 100

SETTINGS = (
    f"training.batch_size={BATCH}",
    "training.seed=3435",
    "training.threads=1",
    "training.validate_every=1000",
    "training.checkpoint_every=250",
    "model.output_vocabulary=20000",
    "target.source_words=300",
)


@dataclass(frozen=True, slots=True)
class Scale:
    """How much of the whole is done; 1 is all of it. Nothing is made smaller than what still runs.

    `budget` is what an experiment of many networks gives each of them, which does not make it any smaller.
    """

    share: float = 1.0
    budget: float = 1.0

    @property
    def is_whole(self) -> bool:
        """Whether nothing is left out."""
        return self.share >= 1

    def of(self, number: int, fewest: int) -> int:
        """So much of a number, but not fewer than that, nor more than there is."""
        return max(min(fewest, number), round(number * self.share))

    @property
    def steps(self) -> int:
        """Steps that a network takes."""
        return max(FEWEST_STEPS, round(DOCUMENTS * self.budget * self.share / BATCH))

    def settings(self, config: str, changes: Sequence[str]) -> Settings:
        """A network's settings: those of its system, the ones that all share, and its own changes."""
        own = (f"training.steps={self.steps}", f"training.validate_documents={self.of(VALIDATED, FEWEST_TESTED)}")
        return load_settings(config, [*SETTINGS, *own, *changes])

    def told(self) -> str:
        """One sentence on what this scale means."""
        if self.is_whole:
            return f"Networks that are trained here take {self.steps:,} steps of {BATCH} examples."
        return (
            f"At scale {self.share:g}, networks that are trained here take {self.steps:,} steps of {BATCH} examples"
            f" from the first {self.steps * BATCH:,} documents of their corpus, whose words alone they know; layers"
            f" have their full size. Test sets are cut to {self.share:.2%} of their documents, but not below"
            f" {FEWEST_TESTED}: these numbers say that all runs, not how good it is."
        )
