"""Plot the training curves of a run."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from keyseq import figures
from keyseq.files import write_whole_binary
from keyseq.training.logs import read_log

TERMS = ("nll", "orthogonal", "semantic", "repetition", "tags", "extractor")
REWARDS = ("reward", "greedy_reward")
SCORES = ("reward", "present.f1@o", "present.f1@m", "absent.f1@m")


def draw_curves(log: Path, picture: Path) -> None:
    """Plot loss terms and validation scores of a log over its steps, as PNG."""
    lines = list(read_log(log))
    train, valid = ([line for line in lines if line["kind"] == kind] for kind in ("train", "valid"))
    figure = figures.blank(10, 4)
    losses, scores = figure.subplots(1, 2)
    for term in TERMS:
        if any(line.get(term) for line in train):
            _plot(losses, train, term, term)
    _plot(losses, valid, "loss", "nll, validation", marker=".")
    losses.set(xlabel="step", ylabel="loss", title="Loss")
    for reward in REWARDS:
        if any(reward in line for line in train):
            _plot(scores, train, reward, f"{reward.replace('_', ' ')}, training", alpha=0.6)
    for score in SCORES:
        if any(score in line for line in valid):
            _plot(scores, valid, score, score, marker=".")
    scores.set(xlabel="step", ylabel="score", title="Validation, greedy decoding")
    for axes in (losses, scores):
        axes.grid(alpha=0.3)
        if axes.lines:
            axes.legend()
    with write_whole_binary(picture) as file:
        figures.matplotlib("matplotlib.backends.backend_agg").FigureCanvasAgg(figure).print_png(file)


def _plot(axes: Any, lines: Sequence[dict[str, Any]], key: str, label: str, **style: Any) -> None:
    axes.plot([line["step"] for line in lines], [line[key] for line in lines], label=label, **style)
