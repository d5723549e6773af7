"""`keyseq evaluate --protocol annif`: corpora of Annif, concepts by URIs and labels, scores per subject."""

import csv
import json

import pytest
from tests.cli.test_evaluate import run, scores
from typer.testing import CliRunner

from keyseq.cli import app
from keyseq.errors import KeyseqError

EX = "http://example.org/"
TERMS = f"<{EX}1>\tcats\n<{EX}2>\tdogs\n<{EX}3>\tbirds\n<{EX}4>\tfish\n"
PREDICTED = [
    {"id": "a", "keyphrases": [{"text": "cats", "uri": f"{EX}1"}, {"text": "fish", "uri": f"{EX}4"}]},
    {"id": "b", "keyphrases": [{"text": "bird", "uri": None}]},
]


@pytest.fixture
def corpus(tmp_path):
    """A full-text corpus of Annif."""
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "a.txt").write_text("Of cats and dogs")
    (folder / "a.tsv").write_text(f"<{EX}1>\tcats\n<{EX}2>\tdogs\n")
    (folder / "b.txt").write_text("Of birds")
    (folder / "b.tsv").write_text(f"<{EX}3>\tbirds\n")
    return folder


@pytest.fixture
def mine(tmp_path):
    path = tmp_path / "mine.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in PREDICTED))
    return path


@pytest.fixture
def terms(tmp_path):
    path = tmp_path / "terms.tsv"
    path.write_text(TERMS)
    return path


def test_a_corpus_of_annif_is_scored_by_concept(corpus, mine, terms):
    plain = scores(corpus, mine, "--protocol", "annif")
    assert plain["mine", "all.f1@m"] == pytest.approx((1 / 2 + 0) / 2)  # "bird" has no URI
    known = scores(corpus, mine, "--protocol", "annif", "--vocabulary", terms)
    assert known["mine", "all.f1@m"] == pytest.approx((1 / 2 + 1) / 2)
    assert known["mine", "all.subject-f1@m"] == pytest.approx((1 + 0 + 1 + 0) / 4)
    assert scores(corpus, "--oracle", "--protocol", "annif", "--metrics", "all.f1@m") == {("oracle", "all.f1@m"): 1}


def test_a_table_of_scores_per_subject_is_written(corpus, mine, terms, tmp_path):
    flags = ("--protocol", "annif", "--vocabulary", terms, "--per-subject", tmp_path / "subjects.tsv")
    assert run(corpus, mine, *flags).exit_code == 0
    with (tmp_path / "subjects.tsv").open() as file:
        rows = {row["label"]: row for row in csv.DictReader(file, delimiter="\t")}
    assert {label: (row["subject"], row["f1"]) for label, row in rows.items()} == {
        "cats": (f"{EX}1", "1.0"),
        "dogs": (f"{EX}2", "0.0"),
        "birds": (f"{EX}3", "1.0"),
        "fish": (f"{EX}4", "0.0"),
    }


def test_systems_are_compared_by_what_documents_have_values_of(corpus, mine, tmp_path):
    (tmp_path / "other.jsonl").write_text(mine.read_text().replace("/4", "/2"))
    command = ["compare", corpus, mine, tmp_path / "other.jsonl", "--protocol", "annif", "--samples", "20", "--json"]
    ran = CliRunner().invoke(app, [*map(str, command)], catch_exceptions=False)
    metrics = {result["metric"] for result in json.loads(ran.stdout)["results"]}
    assert {"all.f1@5", "all.ndcg", "all.micro-f1@m"} <= metrics
    assert not any("subject" in metric or "weighted" in metric for metric in metrics)


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (("--vocabulary", "terms.tsv"), "--vocabulary is for concepts, and yuan2020 compares stems"),
        (("--per-subject", "a.txt"), "a.txt: scores per subject must be written to .jsonl, .csv or .tsv"),
        (("--per-subject", "a.tsv"), "mine was not scored by subject; ask for a metric such as all.subject-f1@m"),
        (("--protocol", "annif", "--format", "html"), "an HTML report shows phrases in texts"),
        (("--protocol", "annif", "--metrics", "present.subject-f1@m"), "subject-f1 is a metric of all, not of present"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused(flags, message, corpus, mine):
    with pytest.raises(KeyseqError) as error:
        run(corpus, mine, *flags)
    assert message in str(error.value)
