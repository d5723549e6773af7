"""Predictions of an experiment: made in parts, resumed after a stop, and cached as one file."""

import pytest

from keyseq.experiments import prediction_cache
from keyseq.experiments.prediction_cache import PART, predict
from keyseq.experiments.training import Ready
from keyseq.experiments.workspace import Workspace
from keyseq.systems.training_job import ProgressDisplay
from keyseq.types import Document

DOCUMENTS = [Document(id=str(number), body=f"solar lamps for village {number}") for number in range(2 * PART + 1)]


def workspace(folder, stop_after=None):
    """A workspace whose run is interrupted after some parts; `counted` are the parts that a run makes."""
    counted = []

    def track(items, _description, _total=None):
        for number, item in enumerate(items):
            if number == stop_after:
                raise KeyboardInterrupt
            counted.append(item.number)
            yield item

    return Workspace(data=folder, out=folder / "out", progress=ProgressDisplay(track=track)), counted


def test_a_run_that_was_stopped_makes_only_the_missing_parts(tmp_path):
    stopped, first = workspace(tmp_path, stop_after=2)
    with pytest.raises(KeyboardInterrupt):
        predict(Ready("firstphrases"), "firstphrases", "", DOCUMENTS, stopped)
    resumed, rest = workspace(tmp_path)
    found = predict(Ready("firstphrases"), "firstphrases", "", DOCUMENTS, resumed)
    assert (first, rest) == ([0, 1], [2])
    assert len(found.phrases) == len(DOCUMENTS)
    assert found.phrases[-1] == ["solar lamps", "village"]
    assert [path.name for path in found.file.parent.iterdir() if not path.name.startswith(".")] == [found.file.name]


def test_predictions_are_made_once(tmp_path, monkeypatch):
    first = predict(Ready("firstphrases"), "firstphrases", "", DOCUMENTS[:3], workspace(tmp_path)[0])
    monkeypatch.setattr(prediction_cache, "_write", None)
    assert predict(Ready("firstphrases"), "firstphrases", "", DOCUMENTS[:3], workspace(tmp_path)[0]) == first
