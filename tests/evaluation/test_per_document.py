"""The table of documents on disk."""

import csv
import json

import pytest

from keyseq.errors import KeyseqError
from keyseq.evaluation import evaluate
from keyseq.evaluation.per_document import write_per_document
from keyseq.types import Document

DOCUMENTS = [Document(id="a,1", body="graphs", keyphrases=("graph",)), Document(id="b", body="x", keyphrases=())]
METRICS = ["present.f1@m", "predictions.count"]


@pytest.fixture
def systems():
    return {
        "good": evaluate(DOCUMENTS, [["graph"], []], metrics=METRICS),
        "bad": evaluate(DOCUMENTS, [[], ["x", "y"]], metrics=METRICS),
    }


def test_json_lines_hold_null_where_a_document_does_not_enter(systems, tmp_path):
    write_per_document(systems, tmp_path / "t.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "t.jsonl").read_text().splitlines()]
    assert rows == [
        {"system": "good", "id": "a,1", "present.f1@m": 1.0, "predictions.count": 1.0},
        {"system": "good", "id": "b", "present.f1@m": None, "predictions.count": 0.0},
        {"system": "bad", "id": "a,1", "present.f1@m": 0.0, "predictions.count": 0.0},
        {"system": "bad", "id": "b", "present.f1@m": None, "predictions.count": 2.0},
    ]


def test_csv_leaves_the_cell_empty(systems, tmp_path):
    write_per_document(systems, tmp_path / "t.csv")
    with (tmp_path / "t.csv").open(newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["system", "id", *METRICS]
    assert rows[1:3] == [["good", "a,1", "1.0", "1.0"], ["good", "b", "", "0.0"]]


def test_another_ending_is_refused(systems, tmp_path):
    with pytest.raises(KeyseqError, match=r"t\.xlsx: scores per document must be written to \.jsonl, \.csv or \.tsv"):
        write_per_document(systems, tmp_path / "t.xlsx")
