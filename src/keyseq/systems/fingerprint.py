"""The fingerprint of a system: everything its predictions depend on, as a cache key."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

import safetensors.numpy

from keyseq.files import sha256
from keyseq.imports import referred
from keyseq.systems.hub import PRETRAINED, locate
from keyseq.systems.kinds import KINDS
from keyseq.systems.registry import DEFAULT, SYSTEMS, kind_named
from keyseq.version import __version__
from keyseq.vocabularies.controlled_vocabulary import ControlledVocabulary


def fingerprint(name: str | None, settings: Mapping[str, Any]) -> dict[str, Any]:
    """A system and its settings as JSON, with files and folders by content, not by path.

    It includes the digest of the folder of a trained system, the package version of a plug-in, the version of keyseq,
    the revision that the kind of system declares in `KINDS`, and the same for all systems that it uses.
    """
    name = DEFAULT if name is None else name
    kind = kind_named(name)
    found: dict[str, Any] = {"keyseq": __version__, "kind": kind, "revision": KINDS[kind].revision}
    if KINDS[kind].mark:
        found["sha256"] = _digest(locate(name).folder)
    else:
        found["system"] = name
        if origin := SYSTEMS.origin(name):
            found["package"] = origin
        if (PRETRAINED / name).is_dir():
            found["sha256"] = _digest(PRETRAINED / name)
    if uses := [fingerprint(other, {}) for other in _used(name, kind)]:
        found["uses"] = uses
    return found | {"settings": {key: plain(value) for key, value in settings.items()}}


def _used(name: str, kind: str) -> Iterable[str]:
    """The names of the systems that a system uses."""
    if KINDS[kind].uses:
        return cast(list[str], referred(KINDS[kind].uses)(locate(name).folder))
    return SYSTEMS[name].uses if name in SYSTEMS else ()


def plain(value: object) -> object:
    """A setting as JSON: a file or vocabulary by its content, a list of phrases by its length and digest."""
    if isinstance(value, Path):
        return {"sha256": sha256(value)}
    if isinstance(value, ControlledVocabulary):
        return {"concepts": len(value), "sha256": hashlib.sha256(safetensors.numpy.save(value.arrays())).hexdigest()}
    if isinstance(value, tuple | list):
        return {"phrases": len(value), "sha256": hashlib.sha256(json.dumps(value).encode()).hexdigest()}
    return value


def _digest(folder: Path) -> str:
    """The digest of a folder, recomputed only if the size or modification time of a file has changed."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    statuses = [(file, file.stat()) for file in files]
    return _computed(folder, tuple((file, status.st_size, status.st_mtime_ns) for file, status in statuses))


@lru_cache
def _computed(folder: Path, _state: tuple[tuple[Path, int, int], ...]) -> str:
    return sha256(folder)
