"""Typed settings: every default in one place, TOML on disk, dotted overrides, unknown keys rejected."""

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
