"""Prediction files of every kind."""

import gzip
import json
import os

import pytest

from keyseq.errors import DataError
from keyseq.predictions.pairing import pair
from keyseq.predictions.phrase_separators import separator_hint
from keyseq.predictions.readers import read_predictions
from keyseq.types import Document

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
        ("a.json", json.dumps(TWO), "an array of lists"),
        ("a.json", json.dumps(TWO, indent=2), "the same over many lines"),
        ("a.json", "[\n" + ",\n".join(json.dumps({"id": "1", "keyphrases": one}) for one in TWO) + "]", "of objects"),
        ("a.json", json.dumps({"7": TWO[0], "8": TWO[1]}), "an object by ids"),
        ("a.json", json.dumps({"7": TWO[0], "8": TWO[1]}, indent=1), "the same over many lines"),
        ("a.json", json.dumps(["neural network; graph", "tree"]), "an array of texts"),
        ("a.jsonl", lines(*TWO), "lines that are lists"),
        ("a.json", json.dumps([{"generated_text": "neural network;graph"}, {"generated_text": "tree"}]), "a pipeline"),
        ("a.json", json.dumps([[{"generated_text": "neural network;graph"}], [{"generated_text": "tree"}]]), "batched"),
        ("a.jsonl", lines({"generated_text": "neural network; graph"}, {"generated_text": "tree"}), "its lines"),
        ("a.csv", "id,rank,keyphrase,score\n1,1,neural network,0.9\n2,1,tree,1\n1,2,graph,0.1\n", "a phrase a row"),
        ("a.csv", "id,Keyphrases\n1,neural network; graph\n2,tree\n", "a document a row, as a tagged table has them"),
        ("a.tsv", "predictions\nneural network;graph\ntree\n", "tabs, no ids"),
    ],
)
def test_every_kind_of_file_is_known_by_its_content(tmp_path, name, content, reason):
    path = tmp_path / name
    path.write_text(content, encoding="utf-8", newline="")
    assert [prediction.phrases for prediction in read_predictions(path)] == TWO, reason
    packed = tmp_path / f"{name}.gz"
    packed.write_bytes(gzip.compress(content.encode()))
    assert [prediction.phrases for prediction in read_predictions(packed)] == TWO, reason


def test_a_separator_of_ones_own(tmp_path):
    for name, content in (
        ("a.txt", "neural network, graph\ntree\n"),
        ("a.csv", '"keyphrases"\n"neural network, graph"\ntree\n'),
        ("a.jsonl", lines({"generated_text": "neural network, graph"}, {"generated_text": "tree"})),
    ):
        (tmp_path / name).write_text(content)
        assert [one.phrases for one in read_predictions(tmp_path / name, separator=",")] == TWO
    with pytest.raises(DataError, match="must not be empty"):
        read_predictions(tmp_path / "a.txt", separator="")


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("title,year\na,1\n", "a.csv: has no column of phrases; name one 'keyphrases'"),
        ('keyphrases\n"open\n', "a.csv:2: unexpected end of data"),
        ("id,keyphrases\n1\n", "a.csv:2: has 1 cells, and none in column 2"),
    ],
)
def test_a_bad_table_is_told_with_its_place(tmp_path, content, told):
    (tmp_path / "a.csv").write_text(content)
    with pytest.raises(DataError) as error:
        list(read_predictions(tmp_path / "a.csv"))
    assert told in str(error.value)


def test_documents_without_phrases_may_be_missing_where_each_row_is_a_phrase(tmp_path):
    (tmp_path / "a.csv").write_text("id,rank,keyphrase\n2,1,tree\n")
    documents = [Document(id="1", body="a"), Document(id="2", body="b")]
    assert [phrases for _, phrases in pair(documents, read_predictions(tmp_path / "a.csv"))] == [[], ["tree"]]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("neural network, graph\ntree, bush\n", "if phrases are separated by ',', add --separator ','"),
        ("neural network\tgraph\ntree\n", "if phrases are separated by tabs, add --separator $'\\t'"),
        (lines({"generated_text": "neural network | graph"}), "if phrases are separated by '|'"),
        ("neural network; graph\ntree, bush\n", None),
        ("tree\nbush\n", None),
        (lines({"keyphrases": ["a, b"]}), None),
    ],
)
def test_finding_5_a_file_of_comma_separated_phrases_is_noticed(tmp_path, content, told):
    (tmp_path / "a.txt").write_text(content)
    hint = separator_hint(tmp_path / "a.txt", ";")
    assert hint is None if told is None else told in hint


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
        (b'{"id": "1"}\n', "a.jsonl:1: none of 'keyphrases', 'pred_sents' and 'generated_text' in this object"),
        (b'{"id": "1", "keyphrases": "a; b"}\n', "a.jsonl:1: 'keyphrases' must be a list of phrases"),
        (b'{"id": "1", "keyphrases": [3]}\n', "a.jsonl:1: 'keyphrases' holds something other than strings"),
        (b'{"pred_sents": [["a", 3]]}\n', "a.jsonl:1: 'pred_sents' holds something other than strings"),
        (b'{"keyphrases": []}\n[1]\n', "a.jsonl:2: 'the list' holds something other than strings"),
        (b'{"keyphrases": []}\n1\n', "a.jsonl:2: not a JSON object"),
        (b'[{"id": "1"}]\n', "a.jsonl: entry 1: none of 'keyphrases', 'pred_sents' and 'generated_text'"),
        (b"[\n", "a.jsonl:2: not JSON (Expecting value at column 1)"),
        (b'{"1": [3], "2": []}', "a.jsonl: '1': '1' holds something other than strings"),
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
