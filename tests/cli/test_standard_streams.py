"""Row 14: what the machine cannot do is told in one sentence, never in a traceback; row 13: texts are bounded."""

import json
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from keyseq.cli.standard_streams import streams_checked
from keyseq.errors import DataError, KeyseqError
from keyseq.types import LONGEST, Document

PAPER = Path(__file__).parents[2] / "examples" / "paper.txt"
GENERATE = ("generate", str(PAPER), "--system", "textrank")
VERBS = [GENERATE, (*GENERATE, "--json"), (*GENERATE, "--format", "csv"), ("systems",), ("--version",), ("--help",)]

linux = pytest.mark.skipif(sys.platform != "linux", reason="/dev/full and limits of the address space are Linux's")


def keyseq(*arguments, redirected="", **options):
    command = f'exec "$@" {redirected}'
    ran = subprocess.run(
        ["sh", "-c", command, "sh", sys.executable, "-m", "keyseq", *arguments],
        capture_output=True,
        text=True,
        **options,
    )
    return ran.returncode, ran.stderr


@linux
@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
def test_row_14_a_full_device_is_told(verb):
    assert keyseq(*verb, redirected=">/dev/full") == (
        2,
        "keyseq: standard output: cannot be written or read (No space left on device)\n",
    )


@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
def test_row_14_a_closed_standard_output_is_told(verb):
    code, told = keyseq(*verb, redirected=">&-")
    assert (code, told.count("\n"), "standard output is closed" in told) == (2, 1, True), told


def test_row_14_a_command_that_writes_a_file_needs_no_standard_output(tmp_path):
    assert keyseq(*GENERATE, "--out", str(tmp_path / "out.csv"), redirected=">&-")[0] == 0
    assert (tmp_path / "out.csv").stat().st_size


def test_row_14_whoever_has_read_enough_ends_a_command_in_silence():
    ran = subprocess.run(
        f"{sys.executable} -m keyseq systems | true", shell=True, capture_output=True, text=True, cwd=PAPER.parent
    )
    assert (ran.stderr, ran.returncode) == ("", 0)


def with_megabytes(count):
    return lambda: resource.setrlimit(resource.RLIMIT_AS, (count << 20, count << 20))


@linux
def test_row_14_a_small_address_space_is_told(tmp_path):
    (tmp_path / "long.txt").write_text("Robots follow spoken commands. " * 300_000)
    code, told = keyseq("generate", str(tmp_path / "long.txt"), *GENERATE[2:], preexec_fn=with_megabytes(400))
    assert (code, told.count("\n")) == (2, 1), told
    assert told.startswith("keyseq: there is not enough memory")


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        ImportError("x.so: failed to map segment from shared object"),
        ImportError("Exception caught: std::bad_alloc"),
        RuntimeError("can't start new thread"),
        RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 4 bytes"),
    ],
)
def test_row_14_libraries_tell_a_lack_of_memory_in_many_ways(error):
    with pytest.raises(KeyseqError, match="there is not enough memory"), streams_checked():
        raise error


@pytest.mark.parametrize("error", [ImportError("no module named x"), RuntimeError("a defect")])
def test_a_defect_is_no_lack_of_memory(error):
    with pytest.raises(type(error), match=str(error)), streams_checked():
        raise error


@linux
def test_row_14_a_short_text_needs_no_256_megabytes():
    assert keyseq(*GENERATE, preexec_fn=with_megabytes(256)) == (0, "")


def test_row_13_a_text_is_bounded_and_the_limit_is_told(tmp_path):
    assert Document(id="a", body="a" * LONGEST).text
    with pytest.raises(
        DataError, match="a text of 10,000,001 characters, more than the limit of 10,000,000; divide it"
    ):
        Document(id="a", body="a" * (LONGEST + 1))
    with (tmp_path / "corpus.jsonl").open("w") as file:
        for body in ("a " * LONGEST, "Social robots."):
            file.write(json.dumps({"abstract": body}) + "\n")
    code, told = keyseq("generate", str(tmp_path / "corpus.jsonl"), "--system", "textrank", "--skip-bad")
    assert (code, "skipped 1 record" in told, "over" in told or "more than the limit" in told) == (1, True, True), told
