"""Flags generated from settings, so that the command line, Python and HTTP share descriptions and ranges."""

from dataclasses import fields
from typing import Any

import typer

from keyseq.systems.combined_settings import CombinedSettings
from keyseq.systems.neural_settings import NeuralSettings

_SETTINGS = {field.name: field for kind in (CombinedSettings, NeuralSettings) for field in fields(kind)}


def flag(setting: str, *names: str, **more: Any) -> Any:
    """The option of a setting; `names` are its flags, by default its name."""
    about = _SETTINGS[setting].metadata
    told = f"{about['doc'][0].upper()}{about['doc'][1:]}."
    return typer.Option(*names, min=about["least"], max=about["most"], help=told, **more)
