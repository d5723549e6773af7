"""A broken file of each format: refused in one sentence that names it, and nothing is written."""

import pytest
from tests.data.formats.sample_papers import SAMPLES
from tests.data.formats.written_files import WRITERS
from tests.data.formats.written_libraries import WRITERS as LIBRARIES
from typer.testing import CliRunner

import keyseq
from keyseq.cli import app
from keyseq.errors import KeyseqError

SUFFIXES = sorted({suffix for suffix, _ in WRITERS.values()} | {suffix for _, suffix, _ in LIBRARIES.values()})


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_broken_file_is_refused_in_one_sentence_and_nothing_is_written(tmp_path, suffix):
    path, out = tmp_path / f"broken{suffix}", tmp_path / "out.jsonl"
    path.write_bytes(b"\x89\0\xff\xfe broken" * 40)
    with pytest.raises(KeyseqError) as refused:
        list(keyseq.read(path))
    done = CliRunner().invoke(app, ["generate", str(path), "--system", "tfidf", "--out", str(out)])
    for told in (str(refused.value), str(done.exception)):
        assert f"broken{suffix}" in told
        assert "\n" not in told
    assert isinstance(done.exception, KeyseqError)
    assert not out.exists()


@pytest.mark.parametrize("kind", LIBRARIES)
def test_a_library_is_read_on_the_command_line_as_in_python(tmp_path, kind):
    _, suffix, write = LIBRARIES[kind]
    path, out = tmp_path / f"library{suffix}", tmp_path / "out.jsonl"
    write(path, SAMPLES[:2])
    done = CliRunner().invoke(app, ["generate", str(path), "--system", "tfidf", "--top", "1", "--out", str(out)])
    assert done.exit_code == 0, done.exception
    written = [document.id for document in keyseq.read(path)]
    assert [line.split('"')[3] for line in out.read_text(encoding="utf-8").splitlines()] == written
