"""Files read through their compression, and written whole or not at all."""

import gzip
import lzma
import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest
import zstandard

from keyseq.batch import Parts
from keyseq.errors import KeyseqError
from keyseq.files import bare_suffix, make_folder, open_binary, sha256, share_read, write_whole, write_whole_folder


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", "a.jsonl.xz", "a.jsonl.zst"])
def test_what_is_written_is_read_through_any_compression(tmp_path, name):
    path = tmp_path / name
    with write_whole(path) as file:
        file.write("first\nsecond é\n")
    with open_binary(path) as file:
        assert file.read().decode() == "first\nsecond é\n"
    assert path.suffix == ".jsonl" or path.read_bytes()[:5] != b"first"
    assert bare_suffix(path) == ".jsonl"


@pytest.mark.parametrize("failure", [RuntimeError, KeyboardInterrupt])
def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path, failure):
    path = tmp_path / "scores.json"
    path.write_text("old")
    with pytest.raises(failure), write_whole(path) as file:  # noqa: PT012
        file.write("half")
        raise failure
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["scores.json"]


def test_a_link_stays_one_and_what_it_points_to_is_written(tmp_path):
    real, link = tmp_path / "real.txt", tmp_path / "link.txt"
    real.write_text("old")
    link.symlink_to(real)
    with write_whole(link) as file:
        file.write("new")
    assert link.is_symlink()
    assert real.read_text() == "new"


def test_a_name_that_is_too_long_is_a_mistake_of_the_users(tmp_path):
    with pytest.raises(KeyseqError, match="cannot be written"), write_whole(tmp_path / ("a" * 300)):
        pass


def test_a_pipe_is_written_into_and_not_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        with write_whole(pipe) as file:
            file.write("x")
        assert os.read(reader, 10) == b"x"
    finally:
        os.close(reader)
    assert pipe.is_fifo()


def test_a_lone_surrogate_is_written_as_its_json_escape(tmp_path):
    with write_whole(tmp_path / "a.txt") as file:
        file.write("\ud800")
    assert (tmp_path / "a.txt").read_text() == r"\ud800"


def test_a_written_file_follows_the_umask(tmp_path):
    before = os.umask(0o027)
    try:
        with write_whole(tmp_path / "a.txt") as file:
            file.write("x")
    finally:
        os.umask(before)
    assert (tmp_path / "a.txt").stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize(("path", "message"), [("missing.jsonl", "no such file"), (".", "cannot be read")])
def test_what_cannot_be_read_is_named(tmp_path, path, message):
    with pytest.raises(KeyseqError, match=message):
        open_binary(tmp_path / path)


def test_a_folder_that_is_not_there_is_named():
    with (
        pytest.raises(KeyseqError, match=r"nowhere/a\.txt: cannot be written, since there is no folder nowhere"),
        write_whole(Path("nowhere/a.txt")),
    ):
        pass


def test_what_needs_a_package_that_is_not_installed_names_the_extra_and_writes_nothing(tmp_path, monkeypatch):
    (tmp_path / "given.jsonl.zst").write_bytes(zstandard.compress(b"text"))
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with (
        pytest.raises(KeyseqError, match=r"pip install 'keyseq\[zstd\]'"),
        open_binary(tmp_path / "given.jsonl.zst") as file,
    ):
        file.read()
    with pytest.raises(KeyseqError, match=r"keyseq\[zstd\]"), write_whole(tmp_path / "made.jsonl.zst"):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["given.jsonl.zst"]


CONTENT = random.Random(1).randbytes(400_000)
COMPRESS = {".gz": gzip.compress, ".xz": lzma.compress, ".zst": zstandard.compress}


@pytest.mark.parametrize("suffix", COMPRESS)
@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda whole: whole[: len(whole) // 2], id="cut short"),
        pytest.param(lambda whole: whole + whole[: len(whole) // 2], id="second part cut short"),
        pytest.param(lambda whole: whole[:9] + b"spoiled" + whole[16:], id="spoiled"),
        pytest.param(lambda _: b"plain text under a wrong name", id="not compressed"),
    ],
)
def test_damaged_compression_is_told_never_read_as_the_end(tmp_path, suffix, damage):
    path = tmp_path / f"a.jsonl{suffix}"
    path.write_bytes(damage(COMPRESS[suffix](CONTENT)))
    with pytest.raises(KeyseqError, match=rf"a\.jsonl\{suffix}: damaged"), open_binary(path) as file:
        list(file)


@pytest.mark.parametrize("suffix", COMPRESS)
def test_what_is_written_twice_has_the_same_bytes_whenever_and_under_whatever_name(tmp_path, suffix, monkeypatch):
    written = []
    for name, moment in (("a", 1e9), ("b", 2e9)):
        monkeypatch.setattr(time, "time", lambda moment=moment: moment)
        with write_whole(tmp_path / f"{name}.txt{suffix}") as file:
            file.write("Social robots\n")
        written.append((tmp_path / f"{name}.txt{suffix}").read_bytes())
    assert written[0] == written[1]


@pytest.mark.parametrize("suffix", COMPRESS)
def test_compressed_parts_one_after_another_are_one_file(tmp_path, suffix):
    path = tmp_path / f"a{suffix}"
    path.write_bytes(COMPRESS[suffix](CONTENT) + COMPRESS[suffix](b"and more"))
    with open_binary(path) as file:
        assert file.read() == CONTENT + b"and more"


def test_a_folder_appears_when_all_of_it_is_there(tmp_path):
    with write_whole_folder(tmp_path / "corpus") as folder:
        (folder / "a.txt").write_text("a")
        assert not (tmp_path / "corpus").exists()
    assert (tmp_path / "corpus" / "a.txt").read_text() == "a"


def test_a_failure_leaves_no_folder(tmp_path):
    with pytest.raises(RuntimeError), write_whole_folder(tmp_path / "corpus") as folder:  # noqa: PT012
        (folder / "a.txt").write_text("a")
        raise RuntimeError
    assert list(tmp_path.iterdir()) == []


def test_a_folder_with_files_is_never_written_over(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(KeyseqError, match="already exists"), write_whole_folder(tmp_path):
        pass
    assert (tmp_path / "mine.txt").read_text() == "mine"


def test_a_folder_in_the_place_of_a_file_is_refused(tmp_path):
    (tmp_path / "taken").write_text("")
    with pytest.raises(KeyseqError, match="the folder cannot be created"):
        make_folder(tmp_path / "taken" / "below")
    make_folder(tmp_path / "a" / "b")
    make_folder(tmp_path / "a" / "b")
    assert (tmp_path / "a" / "b").is_dir()


@pytest.mark.parametrize("name", [".", "..", "/", "there"])
def test_a_file_in_the_place_of_a_folder_is_refused(tmp_path, monkeypatch, name):
    (tmp_path / "there").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(KeyseqError, match=": is a folder; name a file in it to write to"), write_whole(Path(name)):
        pass


@pytest.mark.parametrize("name", ["a.txt", "a.txt.gz"])
def test_the_share_of_a_file_that_was_read_is_known_while_it_is_open(tmp_path, name):
    path = tmp_path / name
    with write_whole(path) as file:
        file.writelines(f"{number * number}\n" for number in range(300_000))
    with open_binary(path) as file:
        assert file.readline()
        assert 0 < share_read(path) < 0.9
        file.read()
        assert share_read(path) == 1
    assert share_read(path) is None


def test_a_digest_follows_names_and_contents_of_a_folder_s_files_and_nothing_else(tmp_path):
    folder = tmp_path / "folder"
    (folder / "inner").mkdir(parents=True)
    (folder / "inner" / "a").write_text("one")
    before = sha256(folder)
    os.utime(folder / "inner" / "a", (1, 1))
    assert sha256(folder) == before
    (folder / "inner" / "a").rename(folder / "inner" / "b")
    renamed = sha256(folder)
    (folder / "inner" / "b").write_text("two")
    assert len({before, renamed, sha256(folder)}) == 3


def test_a_file_s_digest_is_the_usual_one_and_a_missing_file_is_told(tmp_path):
    (tmp_path / "a").write_bytes(b"abc")
    assert sha256(tmp_path / "a") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    with pytest.raises(KeyseqError, match="cannot be read"):
        sha256(tmp_path / "b")


@pytest.fixture
def calls(monkeypatch):
    """What is synced and what is renamed, in order."""
    made = []
    replace, fsync = Path.replace, os.fsync
    monkeypatch.setattr(Path, "replace", lambda path, to: made.append(("rename", to.name)) or replace(path, to))

    def synced(descriptor):
        made.append(("sync", Path(f"/proc/self/fd/{descriptor}").readlink().is_dir()))
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", synced)
    return made


needs_proc = pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="files of a process are seen in /proc")


@needs_proc
@pytest.mark.parametrize("name", ["a.txt", "a.jsonl.gz"])
def test_row_5_a_file_is_on_disk_before_it_gets_its_name_and_then_the_name_is(tmp_path, calls, name):
    with write_whole(tmp_path / name) as file:
        file.write("text")
    assert calls == [("sync", False), ("rename", name), ("sync", True)]


@needs_proc
def test_row_5_so_are_the_files_of_a_folder(tmp_path, calls):
    with write_whole_folder(tmp_path / "folder") as folder:
        (folder / "a").write_text("a")
    assert calls == [("sync", False), ("sync", True), ("rename", "folder"), ("sync", True)]


@pytest.fixture
def read_only(tmp_path):
    """A folder on a file system that is mounted read-only, which takes root's rights."""
    (tmp_path / "ro").mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "ro", "tmpfs", tmp_path / "ro"], capture_output=True)
    if mounted.returncode:
        pytest.skip("mounting a file system takes root's rights")
    yield tmp_path / "ro"
    subprocess.run(["umount", tmp_path / "ro"], check=True)


def test_row_6_a_read_only_file_system_is_told_in_one_sentence(read_only):
    with (
        pytest.raises(KeyseqError, match=r"a\.txt: cannot be written \(Read-only file system\)"),
        write_whole(read_only / "a.txt"),
    ):
        pass
    with (
        pytest.raises(KeyseqError, match=r"new: cannot be written \(Read-only file system\)"),
        write_whole_folder(read_only / "new"),
    ):
        pass
    for parts in (read_only, read_only / "new"):
        with pytest.raises(KeyseqError, match="Read-only file system"), Parts(parts).claimed({}):
            pass
