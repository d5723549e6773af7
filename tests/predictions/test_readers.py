"""Prediction files of every kind."""

import gzip
import json
import os

import pytest

from keyseq.errors import DataError
from keyseq.predictions.readers import read_predictions

TWO = [["neural network", "graph"], ["tree"]]


def lines(*records):
    return "".join(json.dumps(record) + "\n" for record in records)


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.jsonl", lines({"id": "1", "keyphrases": TWO[0]}, {"id": "2", "keyphrases": TWO[1]}), "plain phrases"),
        (
            "a.jsonl",
            lines(
                {
                    "id": 1,
                    "keyphrases": [{"text": "neural network", "score": 0.9, "spans": [[0, 14]]}, {"text": "graph"}],
                },
                {"id": 2, "keyphrases": [{"text": "tree", "present": True}]},
            ),
            "phrases as generate writes them, ids that are numbers",
        ),
        ("a.jsonl", "\n" + lines({"keyphrases": TWO[0]}) + "\n" + lines({"keyphrases": TWO[1]}), "blank lines, no ids"),
        ("a.txt", "neural network; graph\ntree\n", "one line a document"),
        ("a.txt", "\ufeffneural network;graph;\r\n;tree\r\n", "a byte order mark, other line ends, nothing between ;"),
        ("predictions.txt", "neural network;<peos>;graph\n<peos>;tree\n", "keyphrase-generation-rl"),
        (
            "kp20k.pred",
            lines(
                {"pred_sents": [["neural", "network"], ["graph"]], "pred_scores": [-1.0, -2.0], "preds": [[4, 5], [6]]},
                {"pred_sents": [["tree"]], "topseq_pred_sents": [["bush"]]},
            ),
            "OpenNMT-kpg: words",
        ),
        ("a.pred", lines({"pred_sents": TWO[0]}, {"pred_sents": TWO[1]}), "OpenNMT-kpg: phrases"),
    ],
)
def test_every_kind_of_file_is_known_by_its_content(tmp_path, name, content, reason):
    path = tmp_path / name
    path.write_text(content, encoding="utf-8", newline="")
    assert [prediction.phrases for prediction in read_predictions(path)] == TWO, reason
    packed = tmp_path / f"{name}.gz"
    packed.write_bytes(gzip.compress(content.encode()))
    assert [prediction.phrases for prediction in read_predictions(packed)] == TWO, reason


def test_the_best_sequence_alone_on_request(tmp_path):
    path = tmp_path / "a.pred"
    path.write_text(lines({"pred_sents": [["tree"], ["bush"]], "topseq_pred_sents": [["bush"]]}))
    assert [prediction.phrases for prediction in read_predictions(path, top_sequence=True)] == [["bush"]]


def test_a_document_without_predictions_is_an_empty_line(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("\na; b\n\n")
    assert [prediction.phrases for prediction in read_predictions(path)] == [[], ["a", "b"], []]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"id": "1", "keyphrases": ["a"]}\n{"id": "2", ', "a.jsonl:2: not a JSON object (Expecting property name"),
        (b'{"id": "1"}\n', "a.jsonl:1: neither 'keyphrases' nor 'pred_sents' in this object"),
        (b'{"id": "1", "keyphrases": "a; b"}\n', "a.jsonl:1: 'keyphrases' must be a list of phrases"),
        (b'{"id": "1", "keyphrases": [3]}\n', "a.jsonl:1: 'keyphrases' holds something other than strings"),
        (b'{"pred_sents": [["a", 3]]}\n', "a.jsonl:1: 'pred_sents' holds something other than strings"),
        (b'{"keyphrases": []}\n[1]\n', "a.jsonl:2: not a JSON object"),
        (b'[{"id": "1", "keyphrases": []}]\n', "a.jsonl: a JSON array; write one JSON object per line"),
        (b"[\n", "a.jsonl: a JSON array"),
        (b"good\nb\xe9d\n", "a.jsonl:2: not UTF-8 text"),
    ],
)
def test_a_bad_line_is_told_with_its_place(tmp_path, content, message):
    path = tmp_path / "a.jsonl"
    path.write_bytes(content)
    with pytest.raises(DataError) as error:
        list(read_predictions(path))
    assert message in str(error.value)


def test_an_empty_file_is_named(tmp_path):
    path = tmp_path / "a.txt"
    path.touch()
    with pytest.raises(DataError, match=r"a\.txt: is empty; it needs one line per document"):
        read_predictions(path)


def test_empty_lines_are_documents_without_a_phrase(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("\n\n")
    assert [prediction.phrases for prediction in read_predictions(path)] == [[], []]


def test_a_pipe_is_refused_since_its_lines_would_be_lost(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    with pytest.raises(DataError, match="pipe: a pipe; write the predictions to a file"):
        read_predictions(path)
