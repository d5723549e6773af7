"""Figures as files: drawn without a display, written atomically."""

from pathlib import Path
from typing import TYPE_CHECKING

from keyseq.errors import KeyseqError
from keyseq.files import write_whole_binary
from keyseq.imports import require

if TYPE_CHECKING:
    from matplotlib.figure import Figure

EXTRA = "analysis"
SUFFIXES = (".pdf", ".png", ".svg")
DOTS_PER_INCH = 200
UNDATED = {".svg": "Date", ".pdf": "CreationDate"}  # what matplotlib would date, so that no two files were the same


def check(path: Path) -> None:
    """Refuse a figure that could not be drawn, before any work is done."""
    if path.suffix.lower() not in SUFFIXES:
        raise KeyseqError(f"{path}: the name of a figure must end in one of {', '.join(SUFFIXES)}")
    require("matplotlib", EXTRA)


def blank(width: float, height: float) -> "Figure":
    """An empty figure of a size in inches, outside any window."""
    figure: Figure = require("matplotlib.figure", EXTRA).Figure(figsize=(width, height), layout="constrained")
    return figure


def save(figure: "Figure", path: Path) -> None:
    """Write a figure in the format that its suffix names."""
    check(path)
    suffix = path.suffix.lower()
    metadata = {UNDATED[suffix]: None} if suffix in UNDATED else {}
    with write_whole_binary(path) as file, require("matplotlib", EXTRA).rc_context({"svg.hashsalt": "keyseq"}):
        figure.savefig(file, format=suffix[1:], dpi=DOTS_PER_INCH, metadata=metadata)
