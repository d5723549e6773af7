"""Systems that are pickled by name and settings: another process loads them again from their folder."""

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

from keyseq.config.fields import changed, described
from keyseq.types import System

KEPT = 4  # systems that a process keeps, since a worker unpickles the same one for every task

Items = tuple[tuple[str, Any], ...]


class Reloadable:
    """A system that is pickled as its name and its settings, not as its parameters."""

    name: str
    settings: Any

    def __reduce__(self) -> tuple[Callable[..., System], tuple[str, Items]]:
        from keyseq.systems.registry import SYSTEMS

        folder = Path(self.name).expanduser()
        is_folder = self.name not in SYSTEMS.built_in and folder.is_dir()
        place = str(folder.resolve()) if is_folder else self.name  # the other process may run elsewhere
        return reloaded, (place, tuple(changed(self.settings).items()))

    def __repr__(self) -> str:
        return described(self, self.settings, repr(self.name))


def reloaded(name: str, settings: Items) -> System:
    """The system of this name and these settings, loaded once in a process, and again if its folder is replaced."""
    folder = Path(name).expanduser()
    return _loaded(name, settings, folder.stat().st_mtime_ns if folder.is_dir() else 0)


@lru_cache(KEPT)
def _loaded(name: str, settings: Items, _written: int) -> System:
    from keyseq.systems.registry import load

    return load(name, **dict(settings))
