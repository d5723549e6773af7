"""`keyseq generate --explain` and `--beta`: the evidence for each phrase, and their number."""

import json

import pytest
from tests.cli.test_generate import keyseq
from tests.systems.tiny_combined import QUESTION, TEXT, package_tiny, train_tiny
from typer.testing import CliRunner

from keyseq.cli import app
from keyseq.systems.auto import AutoSystem


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    return train_tiny(tmp_path_factory.mktemp("tiny"))


# the fifth phrase's probability is 0.50: another processor's rounding lets it in or not
FOUR = ("--top", "4")


def told(*arguments, stdin=TEXT):
    done = keyseq("generate", *arguments, stdin=stdin)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode(), done.stderr.decode()


def test_each_phrase_has_a_line_of_what_spoke_for_it(tiny):
    lines = told("--system", tiny, "--explain", *FOUR)[0].splitlines()
    assert [line.split()[0] for line in lines[::2]] == ["1", "2", "3", "4"]
    assert lines[1] == (
        "     in the title, 2 times in the text · keyphrase of 14 training documents (22 contain it)"
        " · profile rank 2: words Voice recognition, Voice, recognition, spoken"
    )
    assert lines[6].endswith("not in the text")
    assert lines[7].startswith("     keyphrase of 30 training documents · profile rank 1")


def test_explained_output_without_its_lines_is_the_default_output(tiny):
    explained, plain = told("--system", tiny, "--explain")[0], told("--system", tiny)[0]
    assert explained.splitlines()[::2] == plain.splitlines()


def test_json_lines_hold_the_evidence_only_if_explained(tiny):
    plain, explained = (json.loads(told("--system", tiny, "--json", *flag)[0]) for flag in ((), ("--explain",)))
    evidence = [phrase.pop("evidence") for phrase in explained["keyphrases"]]
    assert explained == plain
    assert evidence[3]["sources"] == ["profiles"]
    assert (evidence[3]["keyphrase_of"], evidence[3]["occurrences"], evidence[3]["system"]) == (30, 0, str(tiny))


def test_several_documents_are_explained_one_after_the_other(tiny, tmp_path):
    for name in ("a", "b"):
        (tmp_path / f"{name}.txt").write_text(TEXT)
    lines = told("--system", tiny, "--explain", *FOUR, tmp_path / "a.txt", tmp_path / "b.txt")[0].splitlines()
    assert (lines[0], lines[9]) == ("a", "b")
    assert lines[1:9] == lines[10:]


def test_a_system_without_evidence_says_so_and_gives_its_phrases():
    shown, noted = told("--system", "textrank", "--explain", "--json")
    assert {phrase["evidence"] for phrase in json.loads(shown)["keyphrases"]} == {None}
    assert noted.startswith("textrank provides no evidence for its phrases")
    assert told("--system", "textrank", "--explain")[0] == told("--system", "textrank")[0]


@pytest.mark.parametrize("flags", [["--format", "csv"], ["--workers", "2", "--out", "parts"]])
def test_formats_that_have_no_place_for_evidence_are_refused(flags):
    done = keyseq("generate", "--system", "textrank", "--explain", *flags, stdin=TEXT)
    assert done.returncode == 2
    assert b"--explain is" in done.stderr


def test_beta_gives_fewer_phrases_or_more(tiny):
    fewer, more = (told("--system", tiny, "--beta", beta)[0].splitlines() for beta in (0.1, 4))
    assert len(fewer) < len(more)
    done = keyseq("generate", "--system", tiny, "--beta", 0, stdin=TEXT)
    assert done.returncode == 2
    assert b"--beta" in done.stderr


def test_the_systems_that_the_default_chose_are_named_on_standard_error(tmp_path, monkeypatch):
    monkeypatch.setattr("keyseq.systems.auto.PRETRAINED", package_tiny(tmp_path))
    first, second = AutoSystem().choose([TEXT, QUESTION])
    assert first != second
    one = CliRunner().invoke(app, ["generate", "--explain", "--json"], input=TEXT)
    assert one.stderr == f"system: {first}\n"
    assert {phrase["evidence"]["system"] for phrase in json.loads(one.stdout)["keyphrases"]} == {first}
    corpus = tmp_path / "corpus.jsonl"
    rows = [{"id": str(number), "text": text} for number, text in enumerate([TEXT, QUESTION, TEXT])]
    corpus.write_text("".join(json.dumps(row) + "\n" for row in rows))
    several = CliRunner().invoke(app, ["generate", str(corpus)])
    assert several.stderr == f"system: {first} (2), {second} (1)\n"
