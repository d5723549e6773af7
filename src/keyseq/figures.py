"""Figures as files: drawn without a display, written atomically."""

import atexit
import os
import shutil
import sys
import tempfile
from pathlib import Path
from types import ModuleType
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


def matplotlib(module: str = "matplotlib") -> ModuleType:
    """A module of matplotlib, which without this writes a list of fonts into the home folder of whoever has none."""
    if "matplotlib" not in sys.modules and "MPLCONFIGDIR" not in os.environ and not _has_fonts():
        os.environ["MPLCONFIGDIR"] = folder = tempfile.mkdtemp(prefix="keyseq-fonts-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return require(module, EXTRA)


def _has_fonts() -> bool:
    """Whether the user's own matplotlib has made its list."""
    home = Path.home()
    places = (Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache") / "matplotlib", home / ".matplotlib")
    return any(any(place.glob("fontlist-*.json")) for place in places)


def check(path: Path) -> None:
    """Refuse a figure that could not be drawn, before any work is done."""
    if path.suffix.lower() not in SUFFIXES:
        raise KeyseqError(f"{path}: the name of a figure must end in one of {', '.join(SUFFIXES)}")
    matplotlib()


def blank(width: float, height: float) -> "Figure":
    """An empty figure of a size in inches, outside any window."""
    figure: Figure = matplotlib("matplotlib.figure").Figure(figsize=(width, height), layout="constrained")
    return figure


def save(figure: "Figure", path: Path) -> None:
    """Write a figure in the format that its suffix names."""
    check(path)
    suffix = path.suffix.lower()
    metadata = {UNDATED[suffix]: None} if suffix in UNDATED else {}
    with write_whole_binary(path) as file, matplotlib().rc_context({"svg.hashsalt": "keyseq"}):
        figure.savefig(file, format=suffix[1:], dpi=DOTS_PER_INCH, metadata=metadata)
