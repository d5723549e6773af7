"""No document is both learnt from and measured by."""

import numpy as np
import pytest

from keyseq.adapting.adaptation_settings import AdaptationSettings
from keyseq.adapting.document_split import DocumentSplit


@pytest.mark.parametrize(
    ("documents", "tested", "ranked", "kept", "folds"),
    [
        (30, 5, 25, 1, 5),
        (2_000, 200, 1_800, 100, 5),
        (8_000, 800, 3_000, 200, 5),
        (45_000, 1_000, 3_000, 200, 1),  # tables that lack the ranker's documents are hardly worse
    ],
)
def test_the_parts_of_corpora_of_all_sizes(documents, tested, ranked, kept, folds):
    split = DocumentSplit.of(documents, min(documents, 4_000), AdaptationSettings())
    assert (len(split.tested), split.ranked, len(split.kept), len(split.folds)) == (tested, ranked, kept, folds)
    every = np.concatenate([split.tested, *split.folds])
    assert len(every) == len(set(every.tolist()))
    assert set(split.kept.tolist()) <= set(split.tested.tolist())


def test_a_network_that_learnt_from_the_corpus_is_measured_by_documents_that_it_did_not_see():
    split = DocumentSplit.of(2_000, 2_000, AdaptationSettings(), unseen=40)
    assert split.tested.tolist() == split.kept.tolist() == list(range(20))
    assert set(range(20, 40)) <= set(np.concatenate(split.folds).tolist())


def test_nothing_is_kept_if_nothing_is_to_be_kept():
    assert len(DocumentSplit.of(2_000, 2_000, AdaptationSettings(kept=0)).kept) == 0
