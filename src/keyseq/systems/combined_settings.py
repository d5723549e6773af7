"""What a combined system can be asked for: which phrases, and how many."""

from dataclasses import dataclass

from keyseq.config.fields import setting
from keyseq.text.selection import Selection


@dataclass(frozen=True, kw_only=True)
class CombinedSettings(Selection):
    """Without `top`, a text gets the list of the largest expected F-score under its phrases' probabilities."""

    beta: float = setting(
        0.95,
        "weight of recall in the number of phrases: above 1 gives more of them, below 1 fewer",
        least=0.05,
        most=20,
    )
    allow: tuple[str, ...] | None = setting(None, "the only phrases that may be given")
    threads: int | None = setting(None, "how many batches a network decodes at a time; by default, one a core", least=1)
