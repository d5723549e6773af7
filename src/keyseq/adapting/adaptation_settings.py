"""Settings of adaptation: the documents of each step, and the hyperparameters of tables and trees."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

from keyseq.config.fields import check, setting, with_default
from keyseq.config.language_settings import LanguageSettings
from keyseq.ranking.boosting import BoostingSettings
from keyseq.systems.table_fitting import TableSettings

FEWEST_TERMS = 40  # of a label, however many labels there are
LARGER: dict[str, Any] = {
    "trees": 300,
    "leaves": 24,
    "rate": 0.06,
    "most_rows": 240_000,
}  # of a large corpus, unless others are given
MOST_LEARNT = 10_000  # labels whose weights are learnt in a few seconds


@dataclass(frozen=True, kw_only=True)
class AdaptationSettings(TableSettings, BoostingSettings, LanguageSettings):
    """The defaults were chosen on validation documents; see docs/how-to/adapt.md."""

    least: int = setting(2, "minimum documents with a tag for it to become a label", least=1)
    weights: int = with_default(TableSettings, "weights", 200)
    room: int = setting(4_000_000, "maximum number of terms of all labels together; each has at least 40", least=1)
    support: int = with_default(TableSettings, "support", 200)
    prior: float = with_default(TableSettings, "prior", 0.15)
    learnt: bool = with_default(TableSettings, "learnt", False)
    given: int = setting(1, "minimum documents with a tag for its count to be kept", least=1)
    trees: int = with_default(BoostingSettings, "trees", 150)
    leaves: int = with_default(BoostingSettings, "leaves", 15)
    rate: float = with_default(BoostingSettings, "rate", 0.08)
    leaf: int = with_default(BoostingSettings, "leaf", 80)
    l2: float = with_default(BoostingSettings, "l2", 20.0)
    most_rows: int = setting(
        120_000, "maximum training candidates: all tags and a weighted sample of the others; 0: all", least=0
    )
    retrieved: int = setting(150, "number of labels retrieved per text", least=1)
    large: int = setting(
        20_000,
        "minimum documents for more and larger trees, and for the regression if there are few labels",
        least=1,
    )
    ranked: int = setting(3_000, "maximum documents for the ranker", least=20)
    compared: int = setting(300, "maximum of these by which weights are chosen", least=20)
    tested: int = setting(1_000, "maximum documents for the table of before and after", least=1)
    share: float = setting(0.1, "maximum share of the corpus for the table of before and after", least=0.001, below=1)
    kept: int = setting(200, "maximum of these that are stored with the system for later checks", least=0)
    untitled: float = setting(
        0.15, "fraction of the documents whose title is read as a part of the text", least=0, below=1
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        check("adapt", self)

    def for_corpus(self, documents: int, labels: int, given: Collection[str] = ()) -> "AdaptationSettings":
        """The settings for a corpus of this size; `given` settings, the user's, stay as they are."""
        if documents < self.large:
            return self
        grown = LARGER | {"learnt": labels <= MOST_LEARNT}
        return replace(self, **{name: value for name, value in grown.items() if name not in given})

    def for_labels(self, count: int) -> "AdaptationSettings":
        """The settings for this number of labels: with many, each has fewer terms, so that a system stays small."""
        kept = min(self.weights, max(FEWEST_TERMS, self.room // max(1, count)))
        return replace(self, weights=kept, support=self.support if self.learnt else min(self.support, kept))
