"""The training budget, equal for every network of a table: documents, steps and layer sizes.

A step is `BATCH` examples. For sequences of phrases an example is a document; for CopyRNN it is a single phrase, so
that in the same number of steps it sees as many phrases as the others see documents.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from keyseq.config import Settings, load_settings

DOCUMENTS = 64_000  # seen by each network in training
BATCH = 32
SEED = 3435  # of the first network of a row
FEWEST_STEPS = 10
VALIDATED = 300  # validation documents that select the best checkpoint, and from which a combined system learns
LEARNT = 10_000  # training documents of a ranker
FEWEST_LEARNT = 50
FEWEST_TESTED = 10
FEWEST_STATES = 100

SETTINGS = (
    f"training.batch_size={BATCH}",
    "training.threads=1",
    "training.validate_every=1000",
    "training.checkpoint_every=250",
    "model.output_vocabulary=20000",
    "target.source_words=300",
)


@dataclass(frozen=True, slots=True)
class Scale:
    """The scale of an experiment; 1 is full size. Nothing is reduced below a runnable minimum.

    `budget` is the fraction of the training budget for each network; it does not make the run partial. `seeds` are the
    networks of a row, which differ in their random numbers alone, beginning with `seed`.
    """

    share: float = 1.0
    budget: float = 1.0
    seeds: int = 1
    seed: int = SEED

    @property
    def is_whole(self) -> bool:
        """Whether the experiment runs at full size."""
        return self.share >= 1

    def of(self, number: int, fewest: int) -> int:
        """The scaled number, at least `fewest` and at most the number itself."""
        return max(min(fewest, number), round(number * self.share))

    @property
    def steps(self) -> int:
        """Training steps of a network."""
        return max(FEWEST_STEPS, round(DOCUMENTS * self.budget * self.share / BATCH))

    def settings(self, config: str, changes: Sequence[str]) -> Settings:
        """A network's settings: those of its system, the shared ones, and its overrides."""
        scaled = (
            f"training.seed={self.seed}",
            f"training.steps={self.steps}",
            f"training.validate_documents={self.of(VALIDATED, FEWEST_TESTED)}",
        )
        return load_settings(config, [*SETTINGS, *scaled, *changes])

    def told(self) -> str:
        """One or two sentences that describe this scale."""
        seeds = f" {self.seeds} networks of a row have the seeds {self.seed} to {self.seed + self.seeds - 1}."
        return self._steps_told() + (seeds if self.seeds > 1 else "")

    def _steps_told(self) -> str:
        if self.is_whole:
            return f"Networks trained here take {self.steps:,} steps of {BATCH} examples."
        return (
            f"At scale {self.share:g}, networks trained here take {self.steps:,} steps of {BATCH} examples"
            f" from the first {self.steps * BATCH:,} documents of their corpus, whose words are the vocabulary; layers"
            f" have their full size. Test sets are reduced to {self.share:.2%} of their documents, but not below"
            f" {FEWEST_TESTED}: these numbers show that everything runs, not how good it is."
        )
