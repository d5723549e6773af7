"""The learning rate schedule, a function of the step."""

import math

from keyseq.config import TrainingSettings


def learning_rate(step: int, settings: TrainingSettings) -> float:
    """The learning rate of step 1, 2, …: linear warm-up, then constant or decaying to 0 at the last step."""
    rising = min(1.0, step / settings.warmup) if settings.warmup else 1.0
    left = max(0.0, settings.steps - step) / max(1, settings.steps - settings.warmup)
    falling = {"constant": 1.0, "linear": min(1.0, left), "cosine": 0.5 - 0.5 * math.cos(math.pi * min(1.0, left))}
    return settings.learning_rate * rising * falling[settings.schedule]
