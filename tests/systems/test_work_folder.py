"""Steps that were finished are not done again, unless what they depend on changed."""

import os

import pytest

from keyseq.errors import KeyseqError
from keyseq.systems.work_folder import WorkFolder, file_states


def made(folder):
    (folder / "result").write_text("done")


def refused(_folder):
    raise AssertionError("done again")


def test_a_finished_step_is_taken_from_the_folder(tmp_path):
    WorkFolder(tmp_path / "out", {"seed": 1}).step("tables", made)
    again = WorkFolder(tmp_path / "out", {"seed": 1})
    assert (again.step("tables", refused) / "result").read_text() == "done"
    again.remove()
    assert list(tmp_path.iterdir()) == []


def test_another_key_begins_anew(tmp_path):
    WorkFolder(tmp_path / "out", {"seed": 1}).step("tables", made)
    with pytest.raises(AssertionError, match="done again"):
        WorkFolder(tmp_path / "out", {"seed": 2}).step("tables", refused)


def test_a_step_that_failed_leaves_nothing(tmp_path):
    work = WorkFolder(tmp_path / "out", {})
    with pytest.raises(AssertionError):
        work.step("tables", refused)
    assert [path.name for path in work.path.iterdir()] == ["key.json"]


def test_a_mistake_of_the_user_in_the_first_step_leaves_no_folder(tmp_path):
    def mistaken(_folder):
        raise KeyseqError("no document has tags")

    with pytest.raises(KeyseqError):
        WorkFolder(tmp_path / "out", {}).step("corpus", mistaken)
    assert list(tmp_path.iterdir()) == []
    work = WorkFolder(tmp_path / "out", {})
    work.step("corpus", made)
    with pytest.raises(KeyseqError):
        work.step("tables", mistaken)
    assert (work.path / "corpus" / "result").exists()  # what was finished stays


def test_a_file_of_a_folder_that_changed_is_noticed(tmp_path):
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "a.txt").write_text("one")
    before = file_states([tmp_path / "corpus"])
    os.utime(tmp_path / "corpus" / "a.txt", ns=(1, 1))
    assert file_states([tmp_path / "corpus"]) != before
