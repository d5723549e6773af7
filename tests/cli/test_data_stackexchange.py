"""`keyseq data stackexchange` as a process: its output, its mistakes, and what an interruption leaves."""

import json
import signal
import subprocess
import sys
import time
from functools import partial

import pytest

COMMAND = [sys.executable, "-m", "keyseq", "data", "stackexchange"]


def posts(folder, count, site="cs"):
    path = folder / f"{site}.stackexchange.com" / "Posts.xml"
    path.parent.mkdir(parents=True)
    rows = (
        f'<row Id="{number}" PostTypeId="1" Title="Title {number}" Tags="|java|event-handling|" '
        f'Body="&lt;p&gt;Body {number}{" word" * 200}&lt;/p&gt;" />\n'
        for number in range(count)
    )
    path.write_text(f"<posts>\n{''.join(rows)}</posts>\n", encoding="utf-8")
    return path


def run(*arguments):
    return subprocess.run([*COMMAND, *map(str, arguments)], capture_output=True, text=True, timeout=120)


def test_a_corpus_is_built_and_summed_up(tmp_path):
    done = run(posts(tmp_path, 30), "--out", tmp_path / "out", "--valid", 5, "--test", 5, "--train-tokens", 10)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[2:] == [
        "posts read               30",
        "questions of cs          30",
        "left out: duplicate       0",
        "written to test           5",
        "written to valid          5",
        "written to train         20",
    ]
    first = json.loads((tmp_path / "out" / "train.jsonl").read_text().splitlines()[0])
    assert first["keywords"] == ["java", "event handling"]
    assert len(first["abstract"].split()) == 7


def test_a_folder_of_sites_with_json_and_compression(tmp_path):
    posts(tmp_path / "dumps", 10, "ai")
    posts(tmp_path / "dumps", 10, "cs")
    chosen = ["--sites", "cs", "--valid", 2, "--test", 2, "--compression", "gz", "--json"]
    done = run(tmp_path / "dumps", "--out", tmp_path / "out", *chosen)
    assert json.loads(done.stdout) == {
        "posts": 10,
        "dropped": {"duplicate": 0},
        "sites": {"cs": 10},
        "splits": {"test": 2, "valid": 2, "train": 6},
    }
    assert (tmp_path / "out" / "train.jsonl.gz").exists()


def test_a_users_mistake_is_one_sentence_and_code_2(tmp_path):
    done = run(posts(tmp_path, 3), "--out", tmp_path / "out")
    assert done.returncode == 2
    assert done.stderr.startswith("keyseq: only 3 questions have a title, a text and a valid tag")
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_an_entity_bomb_is_one_sentence_and_code_2(tmp_path):
    path = tmp_path / "cs" / "Posts.xml"
    path.parent.mkdir()
    path.write_text('<!DOCTYPE posts [<!ENTITY a "b">]><posts><row Body="&a;"/></posts>')
    done = run(path, "--out", tmp_path / "out")
    assert done.returncode == 2
    assert "Posts.xml: refused: it declares a document type" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_full_disk_is_one_sentence_and_code_2_and_leaves_no_file(tmp_path):
    limited = (
        "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (9999, 9999)); from keyseq.cli import main; main()"
    )
    arguments = ["data", "stackexchange", str(posts(tmp_path, 100)), "--out", str(tmp_path / "out"), "--test", "5"]
    done = subprocess.run([sys.executable, "-c", limited, *arguments], capture_output=True, text=True, timeout=120)
    assert done.returncode == 2
    assert done.stderr == f"keyseq: {tmp_path / 'out'}: cannot be written (File too large)\n"
    assert list((tmp_path / "out").iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="sends a signal")
def test_an_interruption_leaves_no_file(tmp_path):
    path, out = posts(tmp_path, 50_000), tmp_path / "out"
    # a shell that runs the tests in the background lets them, and so the command, ignore the signal
    heed = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    command = [*COMMAND, str(path), "--out", str(out)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, preexec_fn=heed)  # noqa: PLW1509
    while not list(out.glob(".building-*/questions")):
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in stderr
    assert list(out.iterdir()) == []
