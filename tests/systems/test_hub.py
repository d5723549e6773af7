import os
import subprocess
import sys
from pathlib import Path

import pytest

from keyseq.errors import KeyseqError
from keyseq.runtime.onnx import FILES
from keyseq.systems import hub
from keyseq.systems.hub import copy, is_place, locate


@pytest.mark.parametrize(
    ("name", "expected"),
    [("textrank", False), ("owner/name", True), ("./textrank", True), ("/srv/model", True), ("~/model", True)],
)
def test_a_slash_makes_a_name_a_place(name, expected):
    assert is_place(name) is expected


def test_a_folder_is_never_looked_up_elsewhere(tmp_path, monkeypatch):
    (tmp_path / "owner" / "name").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(hub, "require", lambda *_: pytest.fail("the hub was asked"))
    assert locate("owner/name").folder == Path("owner/name")
    assert is_place("owner")


@pytest.mark.parametrize("name", ["./nowhere", "/no/such/place", "a/b/c", "owner/..", "-/."])
def test_what_can_be_neither_is_refused_without_asking_the_hub(name, monkeypatch):
    monkeypatch.setattr(hub, "require", lambda *_: pytest.fail("the hub was asked"))
    with pytest.raises(KeyseqError, match="neither a folder nor a hub id"):
        locate(name)


def cached(home, repository="owner--name"):
    """A repository as the hub's cache lays it out: a snapshot of links to blobs."""
    root = home / "hub" / f"models--{repository}"
    snapshot = root / "snapshots" / ("0" * 40)
    (root / "refs").mkdir(parents=True)
    (root / "blobs").mkdir()
    snapshot.mkdir(parents=True)
    (root / "refs" / "main").write_text("0" * 40)
    for number, name in enumerate(FILES):
        (root / "blobs" / str(number)).write_text(name)
        (snapshot / name).symlink_to(Path("../../blobs") / str(number))
    return snapshot


def test_a_cached_repository_is_found_without_a_network(tmp_path):
    snapshot = cached(tmp_path)
    program = "from keyseq.systems.hub import locate; place = locate('owner/name'); print(place.folder, place.root)"
    environment = os.environ | {"HF_HOME": str(tmp_path), "HF_HUB_OFFLINE": "1"}
    ran = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    assert ran.stdout.split() == [str(snapshot), str(snapshot.parent.parent)]


def test_a_repository_that_cannot_be_had_is_an_error_of_one_sentence(tmp_path):
    program = (
        "from keyseq.systems.hub import locate\n"
        "from keyseq.errors import KeyseqError\n"
        "try:\n    locate('owner/missing')\nexcept KeyseqError as error:\n    print(error)\n"
    )
    environment = os.environ | {"HF_HOME": str(tmp_path), "HF_HUB_OFFLINE": "1"}
    ran = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    assert ran.stdout.startswith("owner/missing: no such folder, and not available from the hub (")
    assert ran.stdout.count("\n") == 1


def test_a_copy_holds_the_files_themselves_and_nothing_else(tmp_path):
    snapshot = cached(tmp_path)
    (snapshot / "private.txt").write_text("not part of it")
    copy(snapshot, tmp_path / "copy")
    assert sorted(path.name for path in (tmp_path / "copy").iterdir()) == sorted(FILES)
    assert not any(path.is_symlink() for path in (tmp_path / "copy").iterdir())
    with pytest.raises(KeyseqError, match="already exists"):
        copy(snapshot, tmp_path / "copy")
