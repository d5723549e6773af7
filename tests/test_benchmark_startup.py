"""The start of the command line: compared with an earlier checkout by the sources that each command imports."""

import argparse

import pytest
from benchmarks import startup


def checkout(folder, sleeps):
    """A checkout whose keyseq does nothing but sleep, and count its runs."""
    package = folder / "src" / "keyseq"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "__main__.py").write_text(
        f"import time\ntime.sleep({sleeps})\nwith open({str(folder / 'runs')!r}, 'a') as runs:\n    runs.write('x')\n"
    )
    return folder


def test_each_command_runs_from_both_checkouts_and_is_compared_with_the_earlier_one(tmp_path, monkeypatch):
    monkeypatch.setattr(startup, "HERE", checkout(tmp_path / "now", sleeps=0))
    before = checkout(tmp_path / "before", sleeps=1)
    [figure] = startup.beside(before, {"start": ["-m", "keyseq"]}, repeats=2)
    assert figure.name == f"start, in {tmp_path / 'now'}"
    assert figure.baseline == f"start, in {before}"
    assert figure.ratio < 1
    assert [(tmp_path / name / "runs").read_text() for name in ("now", "before")] == ["xxx", "xxx"]  # one to warm up


def test_the_comparison_is_part_of_the_benchmark_only_if_a_checkout_is_given(tmp_path, monkeypatch):
    monkeypatch.setattr(startup, "medians", lambda commands, *_: dict.fromkeys(commands, 1.0))
    monkeypatch.setattr(startup, "_imports", lambda *_: [])
    alone = startup.run()
    with_earlier = startup.run(before=tmp_path)
    assert [figure.name for figure in with_earlier[len(alone) :]] == [
        f"{name}, in {startup.HERE}" for name in startup.COMPARED
    ]
    assert startup.DEFAULT in startup.COMPARED


def test_a_folder_that_is_no_checkout_is_refused(tmp_path):
    with pytest.raises(argparse.ArgumentTypeError, match="not a checkout of keyseq"):
        startup.checkout(str(tmp_path))
    assert startup.checkout(str(checkout(tmp_path / "now", 0))) == tmp_path / "now"
