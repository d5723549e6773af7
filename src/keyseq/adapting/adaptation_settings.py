"""How a system is adapted: which documents each step gets, and how tables and trees are learnt."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

from keyseq.config.fields import check, setting
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

    least: int = setting(2, "documents that must have a tag for it to become a label", least=1)
    weights: int = setting(200, "terms that a label keeps", least=1)
    room: int = setting(4_000_000, "terms that all labels keep together; each keeps 40 or more", least=1)
    support: int = setting(200, "terms of a label whose weights are learnt before the largest are kept", least=1)
    prior: float = setting(0.15, "a label's scores grow with this power of its documents", least=0)
    learnt: bool = setting(False, "learn the weights by logistic regression against hard negatives")
    given: int = setting(1, "documents that must have a tag for its count to be kept", least=1)
    trees: int = setting(150, "trees whose values are summed", least=1)
    leaves: int = setting(15, "leaves of a tree, at most", least=2)
    rate: float = setting(0.08, "learning rate", least=0)
    leaf: int = setting(80, "examples in a leaf, at least", least=1)
    l2: float = setting(20.0, "L2 regularisation of leaf values", least=0)
    most_rows: int = setting(
        120_000, "candidates to learn from, at most: all tags, and others that stand for the rest; 0 for all", least=0
    )
    retrieved: int = setting(150, "labels that profiles retrieve for a text", least=1)
    large: int = setting(
        20_000,
        "documents from which on there are more and larger trees, and the weights of few labels are learnt",
        least=1,
    )
    ranked: int = setting(3_000, "documents from which the ranker learns, at most", least=20)
    compared: int = setting(300, "of these, documents by which weights are chosen, at most", least=20)
    tested: int = setting(1_000, "documents for the table of before and after, at most", least=1)
    share: float = setting(0.1, "share of the corpus for the table of before and after, at most", least=0.001, below=1)
    kept: int = setting(200, "of these, documents that are stored with the system, for later checks; at most", least=0)
    untitled: float = setting(
        0.15, "share of the documents whose title is read as a part of the text", least=0, below=1
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        check("adapt", self)

    def for_corpus(self, documents: int, labels: int, given: Collection[str] = ()) -> "AdaptationSettings":
        """The same for a corpus of so many documents and labels; the settings that a user gave stay as they are."""
        if documents < self.large:
            return self
        grown = LARGER | {"learnt": labels <= MOST_LEARNT}
        return replace(self, **{name: value for name, value in grown.items() if name not in given})

    def for_labels(self, count: int) -> "AdaptationSettings":
        """The same for so many labels: many of them keep fewer terms each, so that a system stays small."""
        kept = min(self.weights, max(FEWEST_TERMS, self.room // max(1, count)))
        return replace(self, weights=kept, support=self.support if self.learnt else min(self.support, kept))
