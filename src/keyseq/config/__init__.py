"""Typed settings: every default in one place, TOML on disk, dotted overrides, unknown keys rejected."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from keyseq.config.loading import available, load_settings
    from keyseq.config.settings import (
        EndingSettings,
        LossSettings,
        ModelSettings,
        OrderSettings,
        Settings,
        TargetSettings,
        TrainingSettings,
    )

__all__ = [
    "EndingSettings",
    "LossSettings",
    "ModelSettings",
    "OrderSettings",
    "Settings",
    "TargetSettings",
    "TrainingSettings",
    "available",
    "load_settings",
]


def __getattr__(name: str) -> Any:
    """Import the settings of networks when they are first needed: rankers read other modules of this package."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = "settings" if name.endswith("Settings") else "loading"
    return getattr(import_module(f"{__name__}.{module}"), name)
