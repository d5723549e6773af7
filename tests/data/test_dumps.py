"""Finding the dumps of sites, and reading them out of their archives."""

import threading
from pathlib import Path

import py7zr
import pytest
from dump import archive, posts, question, site

from keyseq.data.dumps import COMPUTER_SCIENCE_SITES, Dump, find_dumps, site_of
from keyseq.errors import DataError, KeyseqError

ROWS = [question(number, f"<p>Body {number}</p>") for number in range(1, 500)]


def content(dump: Dump) -> bytes:
    with dump.open() as file:
        return file.read()


@pytest.mark.parametrize(
    ("path", "site"),
    [
        ("dumps/cs.stackexchange.com.7z", "cs"),
        ("dumps/askubuntu.com.7z", "askubuntu"),
        ("dumps/mathoverflow.net.7z", "mathoverflow"),
        ("dumps/ru.stackoverflow.com.7z", "ru.stackoverflow"),
        ("dumps/cs.meta.stackexchange.com.7z", "cs.meta"),  # another site than cs: its ids are others
        ("dumps/stackoverflow.com-Posts.7z", "stackoverflow"),  # too large for one archive
        ("dumps/cs.stackexchange.com/Posts.xml", "cs"),
        ("dumps/my-forum/Posts.xml.gz", "my-forum"),
    ],
)
def test_a_site_is_named_as_in_its_address(path, site):
    assert site_of(Path(path)) == site


def test_an_archive_gives_the_same_bytes_as_its_posts(tmp_path):
    packed, unpacked = archive(tmp_path, "cs", *ROWS), site(tmp_path, "cs", *ROWS)
    assert content(Dump("cs", packed)) == unpacked.read_bytes()
    assert Dump("cs", packed).size() == unpacked.stat().st_size


def test_posts_in_a_folder_of_the_archive_are_found(tmp_path):
    path = tmp_path / "cs.stackexchange.com.7z"
    with py7zr.SevenZipFile(path, "w") as file:
        file.writestr(posts(*ROWS), "cs.stackexchange.com/Posts.xml")
    assert content(Dump("cs", path)) == posts(*ROWS).encode()


def test_a_reader_that_stops_early_stops_the_unpacking_too(tmp_path):
    path = archive(tmp_path, "cs", *[question(number, "long " * 1000) for number in range(500)])
    before = threading.active_count()
    with Dump("cs", path).open() as file:
        assert file.read(10)
    assert threading.active_count() == before


def test_an_error_of_the_reader_is_not_hidden_by_the_unpacking(tmp_path):
    path = archive(tmp_path, "cs", *[question(number, "long " * 1000) for number in range(500)])
    with pytest.raises(KeyboardInterrupt), Dump("cs", path).open():
        raise KeyboardInterrupt


def test_a_damaged_archive_is_told_as_such_and_not_as_short(tmp_path):
    path = archive(tmp_path, "cs", *ROWS)
    data = bytearray(path.read_bytes())
    data[len(data) // 2 : len(data) // 2 + 50] = bytes(50)
    path.write_bytes(data)
    with pytest.raises(DataError, match=r"cs\.stackexchange\.com\.7z: (is damaged|cannot be read)"):
        content(Dump("cs", path))


@pytest.mark.parametrize("kept", [0, 10, 40, 0.5, 0.9])
def test_a_cut_archive_is_told_and_never_a_traceback(tmp_path, kept):
    path = archive(tmp_path, "cs", *ROWS)
    data = path.read_bytes()
    path.write_bytes(data[: kept if isinstance(kept, int) else int(kept * len(data))])
    with pytest.raises(DataError, match=r"cs\.stackexchange\.com\.7z: (is damaged|cannot be read as a \.7z archive)"):
        content(Dump("cs", path))


def test_what_only_calls_itself_an_archive_is_told(tmp_path):
    path = tmp_path / "cs.stackexchange.com.7z"
    path.write_text("<posts></posts>")
    with pytest.raises(DataError, match=r"cannot be read as a \.7z archive \(not a 7z file\)"):
        content(Dump("cs", path))


def test_an_archive_with_a_password_is_told(tmp_path):
    path = tmp_path / "cs.stackexchange.com.7z"
    with py7zr.SevenZipFile(path, "w", password="secret") as file:
        file.writestr(posts(*ROWS), "Posts.xml")
    with pytest.raises(DataError, match=r"[Pp]assword"):
        content(Dump("cs", path))


def test_an_archive_without_posts_names_what_it_holds(tmp_path):
    path = tmp_path / "stackoverflow.com-Users.7z"
    with py7zr.SevenZipFile(path, "w") as file:
        file.writestr("<users></users>", "Users.xml")
    with pytest.raises(DataError, match=r"holds no Posts\.xml but Users\.xml"):
        Dump("stackoverflow", path).size()


def test_the_default_takes_the_nineteen_sites_from_a_folder(tmp_path):
    for name in (*COMPUTER_SCIENCE_SITES, "cooking", "cs.meta"):
        (tmp_path / f"{name}.stackexchange.com.7z").touch()
    assert len(COMPUTER_SCIENCE_SITES) == len(set(COMPUTER_SCIENCE_SITES)) == 19
    assert [dump.site for dump in find_dumps([tmp_path])] == list(COMPUTER_SCIENCE_SITES)


def test_sites_are_chosen_from_folders_and_files_taken_as_they_are(tmp_path):
    folder = tmp_path / "dumps"
    site(folder, "ai")
    for name in ("cs", "cooking", "stackoverflow.com-Posts", "stackoverflow.com-Votes"):
        (folder / f"{name}.7z").touch()
    file = tmp_path / "robotics.stackexchange.com.7z"
    file.touch()
    all_sites = ["cooking", "cs", "stackoverflow", "ai"]
    assert [dump.site for dump in find_dumps([folder], "all")] == all_sites  # Votes is no site but a table of one
    chosen = find_dumps([file, folder], " ai , cs.stackexchange.com,ai")
    assert [dump.site for dump in chosen] == ["robotics", "ai", "cs"]
    [alone] = find_dumps([folder / "ai.stackexchange.com"])
    assert alone == Dump("ai", folder / "ai.stackexchange.com" / "Posts.xml")


@pytest.mark.parametrize(
    ("argument", "sites", "message"),
    [
        ("nowhere", "all", r"nowhere: no such file or folder"),
        ("empty", "all", r"empty: holds no \.7z archive and no folder with a Posts\.xml"),
        ("notes.txt", "all", r"notes\.txt: not a dump; give a \.7z archive, a Posts\.xml, or a folder of them"),
        ("dumps", "computer-science", r"dumps: no dump of ai, codereview, .*; there are cs, ux: choose with --sites"),
        ("dumps", "cs,physics", r"dumps: no dump of physics; there are cs, ux"),
        ("dumps", ",", r"--sites names no site"),
    ],
)
def test_what_is_missing_is_named(tmp_path, monkeypatch, argument, sites, message):
    monkeypatch.chdir(tmp_path)
    Path("empty").mkdir()
    Path("notes.txt").touch()
    Path("dumps").mkdir()
    for name in ("cs", "ux"):
        Path(f"dumps/{name}.stackexchange.com.7z").touch()
    with pytest.raises(KeyseqError, match=message):
        find_dumps([Path(argument)], sites)


def test_two_dumps_of_one_site_are_refused_since_their_ids_would_clash(tmp_path):
    packed, unpacked = archive(tmp_path, "cs"), site(tmp_path, "cs")
    with pytest.raises(KeyseqError, match="are both the site 'cs'"):
        find_dumps([packed, unpacked])
    with pytest.raises(KeyseqError, match="are both the site 'cs'"):
        find_dumps([tmp_path], "cs")
