"""The folder of a training in progress: the results of finished steps, from which a stopped run is resumed."""

import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from keyseq.errors import KeyseqError
from keyseq.files import make_folder, write_whole_folder
from keyseq.version import __version__


class WorkFolder:
    """The folder OUT.work; it begins anew if its `key`, of everything that the results depend on, has changed."""

    def __init__(self, out: Path, key: Mapping[str, Any]) -> None:
        self.path = out.with_name(f"{out.name}.work")
        stated, text = self.path / "key.json", json.dumps({"version": __version__, **key})
        if stated.is_file() and stated.read_text(encoding="utf-8") == text:
            return
        shutil.rmtree(self.path, ignore_errors=True)
        make_folder(self.path)
        stated.write_text(text, encoding="utf-8")

    def step(self, name: str, make: Callable[[Path], None]) -> Path:
        """The folder of a step, which `make` fills unless it was finished before."""
        folder = self.path / name
        if not folder.is_dir():
            with self._dropped_if_empty(), write_whole_folder(folder) as partial:
                make(partial)
        return folder

    @contextmanager
    def _dropped_if_empty(self) -> Iterator[None]:
        """A mistake of the user that is found in the first step leaves nothing behind."""
        try:
            yield
        except KeyseqError:
            if not any(one.is_dir() for one in self.path.iterdir()):
                self.remove()
            raise

    def remove(self) -> None:
        """Remove it, with all that it holds."""
        shutil.rmtree(self.path)


def file_states(paths: Iterable[Path]) -> list[tuple[str, int, int]]:
    """The names, sizes and modification times of files, or of those in folders, by which changes are detected."""
    found = (file for path in paths for file in ([path] if path.is_file() else sorted(path.rglob("*"))))
    states = ((file, file.stat()) for file in found if file.is_file())
    return [(str(file), state.st_size, state.st_mtime_ns) for file, state in states]
