"""The fingerprint of a system: everything its predictions depend on, to tell whether stored ones are current."""

import hashlib
import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from keyseq.files import sha256
from keyseq.systems.kinds import KINDS
from keyseq.systems.registry import DEFAULT, SYSTEMS, kind_named
from keyseq.version import __version__


def fingerprint(name: str | None, settings: Mapping[str, Any]) -> dict[str, Any]:
    """A system and its settings, as JSON can hold them: files and folders by what is in them, not by where they are.

    A folder that was learnt counts with its content, a plug-in with the version of its package, and all with the
    version of keyseq and with the revision that their kind declares in `KINDS`.
    """
    name = DEFAULT if name is None else name
    kind = kind_named(name)
    found: dict[str, Any] = {"keyseq": __version__, "kind": kind, "revision": KINDS[kind].revision}
    if KINDS[kind].mark:
        from keyseq.systems.hub import locate

        found["sha256"] = _digest(locate(name).folder)
    else:
        found["system"] = name
        if origin := SYSTEMS.origin(name):
            found["package"] = origin
    return found | {"settings": {key: plain(value) for key, value in settings.items()}}


def plain(value: object) -> object:
    """A setting: a file by its content; a list of phrases, which may be long, by its length and digest."""
    if isinstance(value, Path):
        return {"sha256": sha256(value)}
    if isinstance(value, tuple | list):
        return {"phrases": len(value), "sha256": hashlib.sha256(json.dumps(value).encode()).hexdigest()}
    return value


def _digest(folder: Path) -> str:
    """The digest of a folder, computed again only if something in it has another size or date."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    statuses = [(file, file.stat()) for file in files]
    return _computed(folder, tuple((file, status.st_size, status.st_mtime_ns) for file, status in statuses))


@lru_cache
def _computed(folder: Path, _state: tuple[tuple[Path, int, int], ...]) -> str:
    return sha256(folder)
