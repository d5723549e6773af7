"""`keyseq evaluate` from flags to files."""

import json
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from keyseq.cli import app
from keyseq.errors import KeyseqError
from keyseq.files import open_binary

DOCUMENTS = [
    {"id": "a", "title": "Neural networks", "abstract": "They learn graphs.", "keywords": ["neural network", "mining"]},
    {
        "id": "b",
        "title": "Support vectors",
        "abstract": "Machines of class 7.",
        "keywords": ["support vector", "svm", "kernel"],
    },
    {"id": "c", "title": "Trees", "abstract": "Of all kinds.", "keywords": ["forest"]},
]
PHRASES = {"a": ["neural networks", "graph"], "b": ["class", "svm"], "c": ["tree"]}


@pytest.fixture
def gold(tmp_path):
    path = tmp_path / "toy.jsonl"
    path.write_text("".join(json.dumps(document) + "\n" for document in DOCUMENTS))
    return path


@pytest.fixture
def predicted(tmp_path):
    path = tmp_path / "mine.jsonl"
    path.write_text("".join(json.dumps({"id": key, "keyphrases": value}) + "\n" for key, value in PHRASES.items()))
    return path


def run(*arguments):
    return CliRunner().invoke(app, ["evaluate", *map(str, arguments)], catch_exceptions=False)


def scores(*arguments):
    records = json.loads(run(*arguments, "--format", "json").stdout)
    return {(record["system"], record["metric"]): record["score"] for record in records}


def test_every_score_comes_with_the_documents_and_the_signature(gold, predicted):
    printed = run(gold, predicted, "--metrics", "present.f1@5", "--json").stdout
    [record] = json.loads(printed)
    assert record["score"] == pytest.approx((2 / 3 + 0) / 2)  # document c has no present gold phrase
    assert record["documents"] == 2
    assert record["signature"].startswith("present.f1@5|protocol:yuan2020|stem:nltk-porter|tokenizer:meng17|pad:no|")
    assert "|docs:2|data:toy:" in record["signature"]


def test_protocols_and_overrides_change_the_score_as_computed_by_hand(gold, predicted):
    # present P@5: 1/2, 0/1 and 0/1 of those predicted, 1/5, 0 and 0 of five; R@5: 1, 0 and no target
    def f1(*flags):
        return scores(gold, predicted, "--metrics", "present.f1@5", *flags)["mine", "present.f1@5"]

    assert f1("--protocol", "meng2017") == pytest.approx(1 / 3 / 3)
    assert f1("--protocol", "chan2019") == pytest.approx(2 * (1 / 15) * (1 / 3) / (1 / 15 + 1 / 3))
    assert f1("--set", "documents=all") == pytest.approx(2 / 3 / 3)
    assert f1("--set", "documents=all", "--set", "precision=k") == pytest.approx(1 / 3 / 3)


def test_files_are_rows_and_an_oracle_is_one_more(gold, predicted, tmp_path):
    released = tmp_path / "catseq.pred"
    released.write_text("".join(json.dumps({"pred_sents": [["x"]]}) + "\n" for _ in DOCUMENTS))
    found = scores(gold, predicted, released, "--oracle", "--metrics", "all.f1@m,predictions.count")
    assert [system for system, metric in found if metric == "all.f1@m"] == ["mine", "catseq", "oracle"]
    assert found["oracle", "all.f1@m"] == 1
    assert found["catseq", "all.f1@m"] == 0
    assert found["oracle", "predictions.count"] == 2


def test_oracles_of_a_folder_of_corpora(gold):
    (gold.parent / "other.jsonl").write_text(json.dumps(DOCUMENTS[1]) + "\n")
    found = scores(gold.parent, "--oracle", "--metrics", "all.f1@5-padded")
    assert found["oracle of other", "all.f1@5-padded"] == pytest.approx(2 * 0.6 / 1.6)
    assert found["oracle of toy", "all.f1@5-padded"] == pytest.approx(
        (2 * 0.4 / 1.4 + 2 * 0.6 / 1.6 + 2 * 0.2 / 1.2) / 3
    )


def test_a_named_dataset_is_found_in_the_data_directory(gold, predicted):
    (gold.parent / "test").mkdir()
    gold.rename(gold.parent / "test" / "nus.jsonl")
    result = run("nus", predicted, "--data", gold.parent, "--metrics", "all.recall@m")
    assert "data:nus:" in result.stdout


def test_the_table_of_documents_and_the_report_go_to_files(gold, predicted, tmp_path):
    table, report = tmp_path / "documents.csv", tmp_path / "report.md"
    result = run(gold, predicted, "--per-document", table, "--format", "markdown", "--out", report)
    assert result.stdout == ""
    assert "| present.f1@5 " in report.read_text()
    assert [line.split(",")[1] for line in table.read_text().splitlines()] == ["id", "a", "b", "c"]


def test_the_explanation_needs_no_files():
    result = run("--explain")
    assert result.exit_code == 0
    assert "| `average` " in result.stdout
    assert "`alpha-ndcg@K`" in result.stdout


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--metrics", "present.f2"], "unknown metric 'present.f2'; did you mean 'present.f1'?"),
        (
            ["--protocol", "bleu"],
            "unknown protocol 'bleu'; there are yuan2020, meng2017, chan2019, multilingual, annif",
        ),
        (["--set", "document=all"], "unknown rule 'document' of a protocol; did you mean 'documents'?"),
        (["--set", "documents"], "--set documents: write RULE=VALUE, such as documents=all"),
        (["--per-document", "table.xlsx"], "table.xlsx: scores per document must be written to .jsonl, .csv or .tsv"),
    ],
)
def test_a_mistake_is_one_sentence(gold, predicted, flags, message):
    with pytest.raises(KeyseqError) as error:
        run(gold, predicted, *flags)
    assert str(error.value) == message


def test_nothing_to_score_is_told(gold):
    with pytest.raises(KeyseqError, match="give prediction files, or --oracle"):
        run(gold)


def test_predictions_for_other_documents_are_refused_and_nothing_is_written(gold, tmp_path):
    other, report = tmp_path / "other.txt", tmp_path / "report.txt"
    other.write_text("a; b\n")
    command = [sys.executable, "-m", "keyseq", "evaluate", gold, other, "--out", report]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr == f"keyseq: {other}: predictions for 1 document, but there are 3: every document needs one\n"
    assert done.stdout == ""
    assert not report.exists()


def test_gold_without_keyphrases_is_refused(gold, predicted):
    gold.write_text(json.dumps({"id": "a", "title": "Trees", "abstract": "Of all kinds."}) + "\n")
    with pytest.raises(KeyseqError, match="toy: document 'a' has no gold keyphrases; remove it or add them"):
        run(gold, predicted)


@pytest.mark.parametrize(
    ("name", "flags", "beginning"),
    [
        ("report.html", [], "<!doctype html>"),
        ("scores.md", [], "| metric"),
        ("scores.tex", [], "\\begin{tabular}"),
        ("scores.json.gz", ["--format", "text"], "metric "),
        ("scores", [], "metric "),
    ],
)
def test_the_name_of_the_file_tells_the_format_unless_a_flag_does(gold, predicted, tmp_path, name, flags, beginning):
    run(gold, predicted, "--out", tmp_path / name, *flags)
    with open_binary(tmp_path / name) as file:
        assert file.read().decode().lower().startswith(beginning)


@pytest.mark.parametrize("command", [["evaluate"], ["compare", "--samples", "10"]])
@pytest.mark.parametrize("name", ["scores.csv", "report.pdf"])
def test_a_report_under_a_name_of_another_format_is_refused_and_not_written(gold, predicted, tmp_path, command, name):
    again = predicted.with_name("again.jsonl")
    again.write_bytes(predicted.read_bytes())
    asked = [*command, gold, predicted, again, "--out", tmp_path / name]
    told = str(CliRunner().invoke(app, list(map(str, asked))).exception)
    assert f"{name}: a report is not written as .{name[-3:]}; name it .txt, .md, .tex, .json or .html" in told
    assert not (tmp_path / name).exists()


def test_gold_from_a_pipe_is_refused_since_every_system_reads_it_anew(tmp_path):
    said = tmp_path / "said.txt"
    said.write_text("a b; c\n")
    result = CliRunner().invoke(app, ["evaluate", "-", str(said), "--from", "jsonl"], input='{"title": "a b"}\n')
    assert isinstance(result.exception, KeyseqError)
    assert "use a file" in str(result.exception)


def test_a_language_is_a_flag_and_in_the_signature(tmp_path):
    gold, predicted = tmp_path / "gold.jsonl", tmp_path / "mine.jsonl"
    gold.write_text(json.dumps({"id": "a", "abstract": "Wir trainieren neuronale Netze.", "keywords": ["Netz"]}))
    predicted.write_text(json.dumps({"id": "a", "keyphrases": ["Netze"]}))
    [record] = json.loads(run(gold, predicted, "--language", "de", "--metrics", "present.f1@5", "--json").stdout)
    assert record["score"] == 1
    assert "|set:language=de|stem:snowball-german-" in record["signature"]
    with pytest.raises(KeyseqError, match="unknown language 'xx'; choose one of en"):
        run(gold, predicted, "--language", "xx")


def test_finding_5_comma_separated_predictions_are_told_and_read_with_a_flag(gold, tmp_path):
    path = tmp_path / "comma.txt"
    count = sum(1 for _ in gold.open())
    path.write_text("a social robot, voice recognition\n" * count)
    told = run(gold, path)
    assert "if phrases are separated by ',', add --separator ','" in told.stderr
    assert "--separator" not in run(gold, path, "--separator", ",").stderr


def test_all_protocols_stand_side_by_side(gold, predicted, tmp_path):
    done = run(gold, predicted, "--protocol", "all", "--metrics", "present.f1@5")
    assert done.stdout.split()[:4] == ["metric", "yuan2020", "meng2017", "chan2019"]
    rows = json.loads(run(gold, predicted, "--protocol", "all", "--metrics", "present.f1@5", "--json").stdout)
    assert [row["protocol"] for row in rows] == ["yuan2020", "meng2017", "chan2019"]
    page = tmp_path / "all.html"
    run(gold, predicted, "--protocol", "all", "--oracle", "--out", page)
    assert page.read_text().startswith("<!doctype html>")
    assert "oracle" in page.read_text()


@pytest.mark.parametrize(
    ("verb", "flags", "told"),
    [
        ("evaluate", ("--per-document", "x.csv"), "need one protocol"),
        ("compare", ("other.jsonl", "--from", "jsonl"), "--protocol all is for keyseq evaluate"),
    ],
)
def test_all_protocols_are_for_tables_alone(gold, predicted, verb, flags, told):
    done = CliRunner().invoke(app, [verb, str(gold), str(predicted), *flags, "--protocol", "all"])
    assert done.exit_code
    assert told in str(done.exception)


def test_semantic_scores_are_added_where_there_is_a_model(gold, predicted, monkeypatch):
    table = run(gold, predicted, "--semantic", "--metrics", "present.f1@5").stdout
    assert "all.semantic-f1@m" in table
    assert "model:all-MiniLM-L6-v2:" in table
    monkeypatch.setattr("keyseq.evaluation.embedding_models.PACKAGE", "no_such_package")
    done = run(gold, predicted, "--semantic", "--metrics", "present.f1@5")
    assert "semantic scores are left out: the embedding model 'all-MiniLM-L6-v2' is not on this machine" in done.stderr
    assert "present.f1@5" in done.stdout
