import json
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from keyseq.cli import app
from keyseq.errors import KeyseqError


def keyseq(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-m", "keyseq", *map(str, arguments)], capture_output=True, text=True, **options
    )


def test_a_run_is_exported_and_says_how_alike_it_is(exported):
    out, outcome = exported
    assert outcome["out"] == str(out)
    assert outcome["bytes"] == sum(file.stat().st_size for file in out.iterdir())
    assert 0 <= outcome["difference"] < 0.25


def test_an_exported_folder_generates_without_torch(exported, tmp_path):
    out, _ = exported
    (tmp_path / "text.txt").write_text("W7 w8 w9 zebra. W7 w8.\n")
    (tmp_path / "allowed.txt").write_text("w8\nZebra\nw9 w7\n")
    program = "import sys; sys.modules['torch'] = None; from keyseq.cli import main; main()"
    arguments = ["generate", tmp_path / "text.txt", "--system", out, "--decoding", "beam", "--json"]
    command = [sys.executable, "-c", program, *map(str, arguments)]
    free = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "keyphrases" in json.loads(free.stdout)
    bound = subprocess.run(
        [*command, "--allow-list", tmp_path / "allowed.txt"], capture_output=True, text=True, check=True
    )
    assert {phrase["text"] for phrase in json.loads(bound.stdout)["keyphrases"]} <= {"w8", "Zebra", "w9 w7"}


def test_denied_phrases_are_left_out_before_the_top_is_counted(exported, tmp_path):
    out, _ = exported
    (tmp_path / "text.txt").write_text("w7 w8 w9 zebra\n")
    arguments = ["generate", tmp_path / "text.txt", "-s", out, "--decoding", "exhaustive", "--beam", "8", "--json"]

    def found(*more):
        return [phrase["text"] for phrase in json.loads(keyseq(*arguments, *more).stdout)["keyphrases"]]

    first, second, *_ = found()
    (tmp_path / "denied.txt").write_text(f"{first.upper()}\n")
    assert found("--top", "1", "--deny-list", tmp_path / "denied.txt") == [second]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["export", "{run}/nowhere", "{tmp}/out"], "not a trained network"),
        (["export", "{run}", "{run}/best"], "already exists"),
        (["export", "{run}", "{tmp}/out", "--output-words", "9999"], "output words must be between 6 and 200"),
        (["export", "{run}", "{tmp}/out", "--weights", "int4"], "int4"),
        (["generate", "{tmp}", "--system", "{run}/best"], "not the folder of a system"),
        (["generate", "x.txt", "--system", "textrank", "--beam", "3"], "textrank has no setting 'beam'"),
        (["generate", "x.txt", "--system", "scholar-network", "--allow-list", "{tmp}/none"], "none: no such file"),
    ],
)
def test_mistakes_are_told_in_one_sentence(run, tmp_path, arguments, message):
    ran = CliRunner().invoke(app, [part.format(run=run, tmp=tmp_path) for part in arguments])
    if ran.exception is None or isinstance(ran.exception, SystemExit):
        assert ran.exit_code == 2
        assert message in ran.output
    else:
        assert isinstance(ran.exception, KeyseqError)
        assert message in str(ran.exception)
