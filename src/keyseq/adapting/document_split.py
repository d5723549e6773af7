"""The split of a corpus: documents for the tables, the ranker, the test, and later checks."""

from dataclasses import dataclass

import numpy as np

from keyseq.adapting.adaptation_settings import AdaptationSettings
from keyseq.retrieval.token_store import Integers

FEWEST = 5  # documents to measure on
FOLDS = 5
MANY = 20_000  # documents of a corpus that can spare those for the ranker


@dataclass(frozen=True)
class DocumentSplit:
    """Places in the sample of a corpus.

    Documents for the ranker are in `folds`: the tables by which those of one are measured were learnt without them. Of
    a large corpus there is one fold, so that tables are learnt once. Those that are `tested` take part in nothing
    before; the `kept` ones among them are never learnt from. If a network learnt from the corpus, they are among the
    first of the sample, which it did not learn from.
    """

    tested: Integers
    kept: Integers
    folds: tuple[Integers, ...]

    @classmethod
    def of(cls, documents: int, sample: int, settings: AdaptationSettings, unseen: int = 0) -> "DocumentSplit":
        """Split a sample of a corpus of this many documents, the first of which are `unseen` by its network."""
        tested = min(settings.tested, max(FEWEST, int(documents * settings.share)))
        if unseen:
            tested = min(tested, unseen // 2)
        ranked = np.arange(tested, min(sample, tested + settings.ranked))
        kept = min(settings.kept, documents // 20, tested)
        count = 1 if documents >= MANY else FOLDS
        return cls(np.arange(tested), np.arange(kept), tuple(ranked[fold::count] for fold in range(count)))

    @property
    def ranked(self) -> int:
        """Documents from which the ranker learns."""
        return sum(map(len, self.folds))
