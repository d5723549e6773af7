"""Runs that share a folder do not make the same thing twice."""

import threading
import time

from keyseq.experiments.workspace import Workspace

from .conftest import Listener


def test_of_two_runs_one_makes_a_thing_and_the_other_waits_and_finds_it(tmp_path):
    listener = Listener()
    first = Workspace(data=None, out=tmp_path)
    second = Workspace(data=None, out=tmp_path, progress=listener.progress)
    made, found = tmp_path / "made", []

    def wait():
        with second.alone(made):
            found.append(made.is_file())

    with first.alone(made):
        other = threading.Thread(target=wait)
        other.start()
        while not listener.told:
            time.sleep(0.01)
        made.touch()
    other.join()
    assert found == [True]
    assert listener.told == [f"waiting for another run that is making {made}"]


def test_what_was_locked_can_be_locked_again(tmp_path):
    listener, entered = Listener(), 0
    workspace = Workspace(data=None, out=tmp_path, progress=listener.progress)
    for _ in range(2):
        with workspace.alone(tmp_path / "made"):
            entered += 1
    assert entered == 2
    assert listener.told == []  # it did not wait for itself
