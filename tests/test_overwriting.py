"""What was read is not written, within a command and by whatever name."""

import pytest

from keyseq import overwriting
from keyseq.errors import KeyseqError
from keyseq.files import open_binary, write_whole
from keyseq.overwriting import inputs_protected, reading, writing


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("precious")
    return path


def overwrite(path, **options):
    with write_whole(path, **options) as out:
        out.write("new")


def test_a_file_that_was_read_is_refused(file):
    with inputs_protected():
        open_binary(file).close()
        with pytest.raises(KeyseqError, match="this command reads the file that it would overwrite"):
            overwrite(file)
    assert file.read_text() == "precious"


def test_a_file_that_is_being_written_is_not_read(file):
    with inputs_protected(), write_whole(file) as out:
        out.write("new")
        with pytest.raises(KeyseqError, match="this command reads the file that it would overwrite"):
            open_binary(file)


def test_what_a_command_wrote_it_may_read_and_write_again(file, tmp_path):
    with inputs_protected():
        overwrite(tmp_path / "b.txt")
        overwrite(tmp_path / "b.txt")
        overwrite(file)
        open_binary(file).close()


def test_a_file_changed_in_place_is_the_only_exception(file, tmp_path):
    (tmp_path / "list.txt").write_text("precious too")
    with inputs_protected():
        for path in (file, tmp_path / "list.txt"):
            open_binary(path).close()
        overwrite(file, in_place=file)
        with pytest.raises(KeyseqError):
            overwrite(tmp_path / "list.txt", in_place=file)
    assert (file.read_text(), (tmp_path / "list.txt").read_text()) == ("new", "precious too")


def test_a_program_that_uses_the_library_writes_what_it_likes(file):
    open_binary(file).close()
    overwrite(file)
    with inputs_protected():
        open_binary(file).close()
    overwrite(file)


def test_pipes_and_devices_are_read_and_written_at_once(tmp_path):
    null = tmp_path / "null"
    null.symlink_to("/dev/null")
    with inputs_protected():
        open_binary(null).close()
        overwrite(null)


@pytest.mark.parametrize("of_standard_input", [False, True])
def test_the_file_of_standard_output_is_not_read(file, monkeypatch, of_standard_input):
    with file.open("ab") as printed, file.open("rb") as typed:
        monkeypatch.setattr(overwriting, "STANDARD_OUTPUT", printed.fileno())
        with inputs_protected(), pytest.raises(KeyseqError, match="standard output goes to this file"):
            reading(typed.fileno() if of_standard_input else file)


def test_a_new_file_with_the_number_of_a_removed_one_is_not_taken_for_it(file, tmp_path):
    new = tmp_path / "new.txt"
    with inputs_protected():
        open_binary(file).close()
        file.rename(new)  # keeps the number
        with writing(new):
            pass


def test_files_that_are_gone_are_forgotten_before_they_are_too_many(tmp_path, monkeypatch):
    monkeypatch.setattr(overwriting, "MANY", 10)
    with inputs_protected():
        for number in range(100):
            path = tmp_path / str(number)
            path.touch()
            reading(path)
            path.rename(tmp_path / "gone")
        assert len(overwriting._inputs._read) <= 10
