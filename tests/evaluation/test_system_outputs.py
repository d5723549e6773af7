"""Several systems against one gold corpus."""

import json
import os
from pathlib import Path

import pytest

from keyseq.errors import KeyseqError
from keyseq.evaluation.protocols import find
from keyseq.evaluation.significance import compare
from keyseq.evaluation.system_outputs import SystemOutputs
from keyseq.types import Document

DOCUMENTS = [
    Document(id="1", body="graphs and trees", keyphrases=("graphs", "trees")),
    Document(id="2", body="a network of roads", keyphrases=("network",)),
]
HALF = [["graphs"], ["roads"]]
F1 = "all.f1@m"


@pytest.fixture
def gold(tmp_path):
    path = tmp_path / "gold.jsonl"
    path.write_text(
        "".join(
            json.dumps({"id": one.id, "abstract": one.body, "keywords": list(one.keyphrases or ())}) + "\n"
            for one in DOCUMENTS
        )
    )
    return "gold", path


def test_systems_in_memory_are_scored_by_label_and_the_oracle_is_perfect():
    outputs = SystemOutputs("two", lambda: DOCUMENTS, {"half": lambda: HALF}).with_oracle("oracle", find("yuan2020"))
    scores = outputs.scores(metrics=[F1])
    assert list(scores) == ["half", "oracle"]
    assert scores["half"].aggregate(F1) == pytest.approx((2 / 3 + 0) / 2)  # P = 1, R = 1/2; then nothing right
    assert scores["oracle"].aggregate(F1) == 1
    assert "two:" in scores["half"].data


def test_files_are_read_anew_for_every_use(gold, tmp_path):
    file = tmp_path / "half.txt"
    file.write_text("graphs\nroads\n")
    outputs = SystemOutputs.from_files(gold, {"half": file})
    first, again = outputs.scores(metrics=[F1])["half"], outputs.scores(metrics=[F1])["half"]
    assert first.aggregate(F1) == again.aggregate(F1) == pytest.approx(1 / 3)
    page = outputs.html(compare({"half": first}, [F1], tests=()), 1)
    assert "half on gold" in page


def test_documents_pass_the_progress_display_once_for_each_system():
    seen = []

    def track(documents, label, total=None):  # noqa: ARG001
        for document in documents:
            seen.append((label, document.id))
            yield document

    SystemOutputs("two", lambda: DOCUMENTS, {"a": lambda: HALF, "b": lambda: HALF}).scores(track=track)
    assert seen == [("a", "1"), ("a", "2"), ("b", "1"), ("b", "2")]


def test_a_pipe_cannot_be_gold_since_it_is_read_once_for_each_system(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    for one in (path, Path("-")):
        with pytest.raises(KeyseqError, match="which a pipe does not allow; use a file"):
            SystemOutputs.from_files(("gold", one), {})
