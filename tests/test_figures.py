"""Figures are written whole, or refused before work is done."""

import importlib
from pathlib import Path

import pytest

from keyseq import figures
from keyseq.errors import KeyseqError, MissingExtraError


@pytest.mark.parametrize("name", ["a.gif", "a", "png"])
def test_a_name_that_does_not_tell_the_kind_is_refused(name):
    with pytest.raises(KeyseqError, match=r"must end in one of \.pdf, \.png, \.svg"):
        figures.check(Path(name))


def test_without_matplotlib_the_extra_to_install_is_named(monkeypatch):
    def missing(name):
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(MissingExtraError, match=r"keyseq\[analysis\]"):
        figures.check(Path("a.png"))


def test_a_figure_belongs_to_no_window_and_is_written_whole(tmp_path):
    figure = figures.blank(2, 1)
    figure.subplots().plot([1, 2])
    figures.save(figure, tmp_path / "a.PNG")
    assert (tmp_path / "a.PNG").read_bytes().startswith(b"\x89PNG")
    assert [path.name for path in tmp_path.iterdir()] == ["a.PNG"]


def test_a_folder_that_is_not_there_is_told(tmp_path):
    with pytest.raises(KeyseqError, match="cannot be written"):
        figures.save(figures.blank(1, 1), tmp_path / "none" / "a.png")


@pytest.mark.parametrize("suffix", figures.SUFFIXES)
def test_the_same_figure_has_the_same_bytes_on_another_day(tmp_path, suffix, monkeypatch):
    written = []
    for day in (1_000_000_000, 1_800_000_000):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", str(day))  # what matplotlib takes for today
        figure = figures.blank(2, 1)
        figure.subplots().plot([1, 2], label="a line with an identifier")
        figures.save(figure, tmp_path / f"{day}{suffix}")
        written.append((tmp_path / f"{day}{suffix}").read_bytes())
    assert written[0] == written[1]
