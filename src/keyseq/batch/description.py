"""All that decides what a run's phrases will be, as JSON: the content of files that are named included."""

import hashlib
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from keyseq.batch.content import content_key
from keyseq.systems import DEFAULT, SYSTEMS
from keyseq.systems.recipe import Recipe
from keyseq.systems.registry import settings_class


def describe(recipe: Recipe) -> dict[str, Any]:
    """The system, a network by its content, with its settings and options."""
    settings_class(recipe.system)  # refuses a name that is none
    name = DEFAULT if recipe.system is None else recipe.system
    described: dict[str, Any] = {
        "system": name,
        "settings": {key: _plain(value) for key, value in recipe.settings.items()},
        "options": {key: _plain(value) for key, value in asdict(recipe.options).items()},
    }
    if name not in SYSTEMS or SYSTEMS[name].is_network:
        from keyseq.systems.hub import locate

        described["network"] = content_key(locate(name).folder)
    return described


def _plain(value: object) -> object:
    """A file by its content; a list of phrases, which may be long, by its length and digest."""
    if isinstance(value, Path):
        return content_key(value)
    if isinstance(value, tuple):
        return {"phrases": len(value), "sha256": hashlib.sha256(json.dumps(value).encode()).hexdigest()}
    return value
