"""Everything that a job's phrases depend on, as JSON, including the content of the files it names."""

from typing import Any

from keyseq.systems import DEFAULT
from keyseq.systems.fingerprint import fingerprint
from keyseq.systems.recipe import Recipe


def describe(recipe: Recipe) -> dict[str, Any]:
    """The system by its name and content, with its settings."""
    name = DEFAULT if recipe.system is None else recipe.system
    return {"system": name, **fingerprint(name, recipe.settings)}
