"""`keyseq generate` as people and programs use it."""

import csv
import gzip
import json
import os
import signal
import subprocess
import sys
import time

import pytest

PAPER = (
    "Voice recognition for social robots\n\n"
    "We integrate a voice recognition system into a social robot. Voice recognition lets a social robot follow "
    "spoken commands, and human-robot interaction becomes easier for older people."
)
HEAVY = ("torch", "scipy", "sklearn", "pandas", "matplotlib", "rich", "nltk.corpus")


def keyseq(*arguments, stdin="", **environment):
    return subprocess.run(
        [sys.executable, "-m", "keyseq", *map(str, arguments)],
        input=stdin.encode() if isinstance(stdin, str) else stdin,
        capture_output=True,
        env={**os.environ, **environment},
    )


def printed(*arguments, **options):
    result = keyseq(*arguments, **options)
    assert result.returncode == 0, result.stderr.decode()
    return result.stdout.decode()


def phrases_of(*arguments, **options):
    return [phrase["text"] for phrase in json.loads(printed(*arguments, "--json", **options))["keyphrases"]]


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "corpus.jsonl"
    rows = [
        {"id": f"d{number}", "title": "Voice recognition", "abstract": PAPER + f" Speaker {number}."}
        for number in range(130)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_a_text_from_standard_input_gives_a_ranked_list():
    lines = printed("generate", stdin=PAPER).splitlines()
    assert [line.split()[0] for line in lines] == [str(rank) for rank in range(1, len(lines) + 1)]
    assert any("voice recognition" in line.lower() for line in lines[:3])
    assert "\x1b" not in "".join(lines)  # nobody is looking, so nothing is coloured


def test_json_lines_hold_score_presence_and_places():
    document = json.loads(printed("generate", "-", "--json", "--system", "textrank", stdin=PAPER))
    scores = [phrase["score"] for phrase in document["keyphrases"]]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] == 1
    for phrase in document["keyphrases"]:
        assert phrase["present"]
        assert all(PAPER[start:end].strip() == PAPER[start:end] for start, end in phrase["spans"])
        assert phrase["text"] in {" ".join(PAPER[start:end].split()) for start, end in phrase["spans"]}


def test_a_corpus_keeps_its_order_over_batches(corpus, tmp_path):
    out = tmp_path / "predictions.jsonl.gz"
    assert printed("generate", corpus, "--out", out, "--system", "tfidf") == ""
    ids = [json.loads(line)["id"] for line in gzip.decompress(out.read_bytes()).splitlines()]
    assert ids == [f"d{number}" for number in range(130)]


def test_csv_has_a_row_a_phrase(corpus):
    rows = list(csv.DictReader(printed("generate", corpus, "--format", "csv", "--top", "2").splitlines()))
    assert [row["rank"] for row in rows[:4]] == ["1", "2", "1", "2"]
    assert {row["present"] for row in rows} == {"true"}


def test_many_documents_are_a_block_each(corpus):
    lines = printed("generate", corpus, "-n", "3", "-s", "textrank").splitlines()
    assert lines[0] == "d0 Voice recognition"
    assert lines[1].count(";") == 2
    assert len(lines) == 260


@pytest.mark.parametrize("system", ["textrank", "tfidf"])
def test_top_and_min_score_cut_the_list(system):
    every = json.loads(printed("generate", "-s", system, "--json", stdin=PAPER))["keyphrases"]
    assert json.loads(printed("generate", "-s", system, "-n", 2, "--json", stdin=PAPER))["keyphrases"] == every[:2]
    limit = every[1]["score"]
    cut = json.loads(printed("generate", "-s", system, "--min-score", limit, "--json", stdin=PAPER))["keyphrases"]
    assert cut == [phrase for phrase in every if phrase["score"] >= limit]


@pytest.mark.parametrize("system", ["tfidf", "textrank"])
def test_phrases_that_are_denied_make_room_for_others(system, tmp_path):
    before = phrases_of("generate", "-s", system, stdin=PAPER)
    (tmp_path / "deny.txt").write_text(f"{before[0].upper()}\n")
    denied = phrases_of("generate", "-s", system, "-n", "2", "--deny-list", tmp_path / "deny.txt", stdin=PAPER)
    assert denied == before[1:3]


def test_absent_phrases_of_an_extractive_system_are_explained_not_silently_missing():
    result = keyseq("generate", "--absent", "--json", "-s", "tfidf", stdin=PAPER)
    assert json.loads(result.stdout)["keyphrases"] == []
    assert b"no absent phrases" in result.stderr


def test_a_bibtex_library_comes_back_with_keywords_added(tmp_path):
    library = tmp_path / "library.bib"
    library.write_text(
        "% mine\n@article{k1,\n  title = {Voice recognition for a social robot},\n  abstract = {A social robot.}\n}\n"
    )
    out = tmp_path / "tagged.bib"
    printed("generate", library, "--out", out)
    tagged = out.read_text()
    assert tagged.startswith("% mine\n@article{k1,\n  title = {Voice recognition for a social robot},")
    assert "keywords" in tagged
    assert "social robot" in tagged.split("keywords")[1]


def test_a_ris_library_comes_back_with_keywords_added(tmp_path):
    library = tmp_path / "library.ris"
    library.write_text("TY  - JOUR\nTI  - Voice recognition for a social robot\nER  - \n")
    tagged = printed("generate", library, "--format", "ris")
    assert "KW  - " in tagged
    assert tagged.endswith("ER  - \n")


@pytest.mark.parametrize(
    ("arguments", "stdin", "message"),
    [
        (["generate", "missing.txt"], "", "missing.txt"),
        (["generate", "-s", "textrang"], PAPER, "did you mean 'textrank'?"),
        (["generate", "-f", "bibtex"], PAPER, "name one bibtex file"),
        (["generate", "-n", "0"], PAPER, "--top"),
        (
            ["generate", "-s", "textrank", "--language", "xx"],
            PAPER,
            "unknown language 'xx'; choose one of en (English)",
        ),
        (["generate", "-s", "tfidf", "--language", "fr"], PAPER, "keyseq data frequencies --language fr"),
        (["generate", "--min-score", "nan"], PAPER, "min_score must be a number, not nan"),
        (["generate", "--present", "--absent"], PAPER, "--present and --absent exclude each other"),
        (["generate", "--absent", "--all"], PAPER, "--absent and --all exclude each other"),
        (["generate", "--json", "-f", "csv"], PAPER, "--json and --format csv exclude each other"),
        (["generate"], b"caf\xe9 cr\xe8me", "--encoding"),
    ],
)
def test_a_mistake_is_one_sentence_and_exit_code_2(arguments, stdin, message):
    result = keyseq(*arguments, stdin=stdin)
    assert result.returncode == 2
    assert message in result.stderr.decode()
    assert "Traceback" not in result.stderr.decode()
    assert result.stdout == b""


def test_a_bad_record_leaves_no_file_unless_it_may_be_skipped(tmp_path):
    corpus, out = tmp_path / "corpus.jsonl", tmp_path / "out.jsonl"
    corpus.write_text('{"id": "a", "abstract": "A social robot."}\nnot json\n')
    result = keyseq("generate", corpus, "--out", out)
    assert (result.returncode, out.exists()) == (2, False)
    assert f"{corpus}:2".encode() in result.stderr
    result = keyseq("generate", corpus, "--out", out, "--skip-bad")
    assert (result.returncode, len(out.read_text().splitlines())) == (1, 1)
    assert f"{corpus}:2".encode() in result.stderr


def test_a_corpus_without_documents_is_said_to_be_one(tmp_path):
    (tmp_path / "none.jsonl").touch()
    result = keyseq("generate", tmp_path / "none.jsonl")
    assert result.returncode == 0
    assert "none.jsonl: contains no documents" in result.stderr.decode()


def test_nothing_heavy_is_loaded():
    code = f"""
import sys
import time
from typer.testing import CliRunner
from keyseq.cli import app
result = CliRunner().invoke(app, ["generate", "--json"], input={PAPER!r})
assert result.exit_code == 0, result.output
print([name for name in {HEAVY!r} if name in sys.modules])
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


@pytest.mark.parametrize("text", ["", " \n", "...", "a" * 1_000_000, "\x00\x1b[31m", "深度学习", "1234 5678"])
def test_any_text_has_an_answer(text):
    document = keyseq("generate", "--json", stdin=text)
    assert document.returncode in (0, 2)
    assert b"Traceback" not in document.stderr


def test_a_reader_that_has_seen_enough_is_no_error_to_speak_of(corpus):
    process = subprocess.run(
        f"{sys.executable} -m keyseq generate {corpus} {corpus} {corpus} | head -n 1", shell=True, capture_output=True
    )
    assert process.stdout.startswith(b"d0")
    assert b"Traceback" not in process.stderr


def test_a_command_that_is_ended_politely_leaves_no_hidden_file(tmp_path):
    arguments = ["generate", "--from", "jsonl", "-", "--system", "tfidf", "--out", str(tmp_path / "out.jsonl")]
    with subprocess.Popen([sys.executable, "-m", "keyseq", *arguments], stdin=subprocess.PIPE) as process:
        while not list(tmp_path.glob(".out.jsonl.*")):  # it waits for what is piped in
            assert process.poll() is None
            time.sleep(0.05)
        process.terminate()
        assert process.wait(20) == 128 + signal.SIGTERM
    assert list(tmp_path.iterdir()) == []


def test_a_language_brings_its_stop_words_and_stems():
    text = "Les réseaux neuronaux profonds. Nous avons entraîné un réseau neuronal profond parce que c’est utile."
    phrases = phrases_of("generate", "--system", "textrank", "--language", "fr", stdin=text)
    assert phrases[0] == "réseaux neuronaux profonds"
    assert not {"nous", "parce", "les"} & {word for phrase in phrases for word in phrase.lower().split()}
