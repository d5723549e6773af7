"""Everything that a job's phrases depend on, as JSON, including the content of the files it names."""

from dataclasses import asdict
from typing import Any

from keyseq.systems import DEFAULT
from keyseq.systems.fingerprint import fingerprint, plain
from keyseq.systems.recipe import Recipe


def describe(recipe: Recipe) -> dict[str, Any]:
    """The system by its name and content, with its settings and options."""
    return {
        "system": DEFAULT if recipe.system is None else recipe.system,
        **fingerprint(recipe.system, recipe.settings),
        "options": {key: plain(value) for key, value in asdict(recipe.options).items()},
    }
