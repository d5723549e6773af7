import pytest

from keyseq.cli import training_display
from keyseq.cli.training_display import Display
from keyseq.training.checkpoint import Progress
from keyseq.training.loop import Event

TERMS = {"loss": 3.5, "nll": 3.0, "orthogonal": 0.5, "semantic": 0.0, "repetition": 0.0, "documents": 8}


class Clock:
    def __init__(self):
        self.now = 100.0

    def monotonic(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(training_display, "time", clock)
    return clock


def test_without_a_terminal_a_line_comes_every_half_minute_with_the_time_left(clock, capsys):
    with Display(1000) as display:
        display.show(Event("begin", Progress(), {}, "3 documents"))
        for step in range(1, 71):
            clock.now += 1
            display.show(Event("step", Progress(step=step), TERMS))
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "3 documents"
    assert lines[1] == "step 31 of 1,000: loss 3.500  nll 3.000  orthogonal 0.500  8 documents/s, at most 16 min left"
    assert len(lines) == 3


def test_validations_are_always_told_and_the_best_is_marked(capsys):
    with Display(10) as display:
        display.show(Event("valid", Progress(step=5, best_step=5), {"loss": 1.25, "present.f1@o": 0.5}))
        display.show(Event("valid", Progress(step=6, best_step=5), {"loss": 1.5}))
    assert capsys.readouterr().err.splitlines() == [
        "step 5: validation: loss 1.2500, present.f1@o 0.5000 (best so far)",
        "step 6: validation: loss 1.5000",
    ]


def test_on_a_terminal_there_is_a_bar_with_terms_rate_and_time(clock, capsys, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "160")
    with Display(1000) as display:
        display.show(Event("begin", Progress(), {}, "3 documents"))
        for step in range(1, 4):
            clock.now += 2
            display.show(Event("step", Progress(step=step), TERMS))
        display._bar.refresh()
    drawn = capsys.readouterr().err
    assert "loss 3.500  nll 3.000  orthogonal 0.500  4 documents/s" in drawn
    assert "3/10" in drawn  # the rest may be cut on a narrow terminal
