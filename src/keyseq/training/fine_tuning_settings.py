"""The recipe of fine-tuning: the settings of the network, and a training as long as the corpus calls for."""

import math
from collections.abc import Sequence
from pathlib import Path

from keyseq.config import Settings, load_settings

EPOCHS, FEWEST_EPOCHS = 6, 2  # of small and of large corpora
LONG = 3_000  # steps from which a corpus counts as large
SHORTEST = 60  # steps, however small the corpus
VALIDATIONS = 12  # of a whole run
WARMUP = 0.05  # of the steps

# Chosen on questions; see docs/log/fine-tuning.md. What was calibrated for the corpus before is fitted anew afterwards.
RECIPE = (
    "training.batch_size=32",
    "training.batch_tokens=0",
    "training.optimizer=adam",
    "training.learning_rate=2e-3",
    "training.schedule=linear",
    "training.patience=4",
    "training.log_every=10",
    "training.validate_documents=500",
    "training.checkpoint_every=0",
    "training.checkpoint_minutes=1",
    "training.only=",
    "training.threads=0",
    "ending.bonus=0",
    "ending.growth=0",
    "order.share=0",
    "order.probability=0",
    "order.occurrences=0",
    "order.bias=0",
)


def fine_tuning_settings(network: Path, documents: int, overrides: Sequence[str] = ()) -> Settings:
    """The settings to fine-tune a network, given by its settings file, on a number of documents."""
    batch = load_settings(network, [*RECIPE, *overrides]).training.batch_size
    epoch = math.ceil(documents / batch)
    steps = max(SHORTEST, min(EPOCHS * epoch, max(LONG, FEWEST_EPOCHS * epoch)))
    length = (
        f"training.steps={steps}",
        f"training.warmup={round(WARMUP * steps)}",
        f"training.validate_every={math.ceil(steps / VALIDATIONS)}",
    )
    return load_settings(network, [*RECIPE, *length, *overrides])
