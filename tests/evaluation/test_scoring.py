"""From values of documents to the score of a corpus, and its signature."""

import numpy as np
import pytest

from keyseq.errors import KeyseqError
from keyseq.evaluation import Scores, protocols

NAN = float("nan")


def table(values, protocol="yuan2020", **rules):
    values = {name: np.array(column) for name, column in values.items()}
    ids = tuple(map(str, range(len(next(iter(values.values()))))))
    return Scores(ids, values, tuple(values), protocols.find(protocol, rules), "toy:00000000")


PRF = {
    "present.precision@5": [1.0, 0.0, NAN],
    "present.recall@5": [0.5, 0.0, NAN],
    "present.f1@5": [2 / 3, 0.0, NAN],
    "predictions.count-variance": [1.0, 2.0, 6.0],
}


@pytest.mark.parametrize(
    ("protocol", "metric", "counts", "expected", "reason"),
    [
        ("yuan2020", "present.f1@5", None, 1 / 3, "the mean of who enters"),
        ("chan2019", "present.f1@5", None, 2 * 0.5 * 0.25 / 0.75, "P 1/2, R 1/4: their harmonic mean"),
        ("chan2019", "present.recall@5", None, 1 / 4, "all else is a mean"),
        ("yuan2020", "predictions.count-variance", None, 14 / 3, "of 1, 2 and 6"),
        ("yuan2020", "present.f1@5", [[2, 1, 0], [0, 0, 3], [1, 1, 1]], [4 / 9, NAN, 1 / 3], "samples of documents"),
        ("chan2019", "present.f1@5", [[1, 0, 0], [0, 1, 0]], [2 / 3, 0], "a sample without a hit"),
        ("yuan2020", "predictions.count-variance", [[1, 1, 0], [0, 2, 0]], [1 / 4, 0], "of 1 and 2; of 2 and 2"),
    ],
)
def test_aggregates_by_hand(protocol, metric, counts, expected, reason):
    counts = None if counts is None else np.array(counts)
    assert table(PRF, protocol).aggregate(metric, counts) == pytest.approx(expected, nan_ok=True), reason


def test_the_score_of_no_document_is_none():
    assert np.isnan(table({"absent.f1@m": [NAN, NAN]}).aggregate("absent.f1@m"))


def test_a_metric_that_was_not_computed_is_told():
    with pytest.raises(KeyseqError, match=r"'present\.map' was not computed; these were: present\.precision@5"):
        table(PRF).aggregate("present.map")


@pytest.mark.parametrize(
    ("protocol", "rules", "metric", "parts", "reason"),
    [
        ("yuan2020", {}, "present.f1@5", ["protocol:yuan2020", "pad:no", "avg:docs-with-targets", "docs:2"], "default"),
        ("yuan2020", {"documents": "all"}, "present.f1@5", ["set:documents=all", "avg:all-docs"], "an override shows"),
        ("chan2019", {}, "present.f1@5", ["protocol:chan2019", "pad:yes", "f1:f1-of-means"], "padded by protocol"),
        ("chan2019", {"precision": "predicted"}, "present.f1@5", ["set:precision=predicted", "pad:no"], ""),
        ("yuan2020", {"tokenizer": "unicode"}, "present.f1@5", ["tokenizer:unicode", "stem:nltk-porter"], ""),
        ("yuan2020", {}, "predictions.count-variance", ["docs:3", "data:toy:00000000"], "all documents have a count"),
    ],
)
def test_a_signature_tells_metric_convention_data_and_version(protocol, rules, metric, parts, reason):
    signature = table(PRF, protocol, **rules).signature(metric).split("|")
    assert signature[0] == metric
    assert signature[-1].startswith("keyseq:")
    assert set(parts) <= set(signature), reason


def test_a_padded_metric_says_so_under_any_protocol():
    assert "pad:yes" in table({"present.f1@5-padded": [1.0]}).signature("present.f1@5-padded")
