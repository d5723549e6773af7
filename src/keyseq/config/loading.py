"""Settings on disk: the shipped systems by name, TOML files, and `section.key=value` overrides."""

import tomllib
from collections.abc import Iterable
from importlib import resources
from pathlib import Path
from typing import Any

from keyseq.config.fields import Value, name_type, parse
from keyseq.config.renamed import renamed_keys
from keyseq.config.settings import Settings, setting_type
from keyseq.errors import KeyseqError


def available() -> list[str]:
    """The names of the settings that keyseq brings along."""
    return sorted(file.name.removesuffix(".toml") for file in _shipped().iterdir() if file.name.endswith(".toml"))


def load_settings(name_or_path: str | Path, overrides: Iterable[str] = ()) -> Settings:
    """Read settings by the name of a system or from a TOML file, and apply `section.key=value` overrides."""
    try:
        values = _read(name_or_path)
        Settings.from_mapping(values)  # before it is changed, so that what is wrong is told of the file
    except KeyseqError as error:
        raise KeyseqError(f"{name_or_path}: {error}") from None
    values = {section: renamed_keys(section, keys) for section, keys in values.items()}
    for override in overrides:  # before defaults, as some depend on others: a language decides on its stemmer
        section, key, value = _parse_override(override)
        values.setdefault(section, {})[key] = value
    return Settings.from_mapping(values)


def _shipped() -> Any:  # importlib's Traversable moved between Python versions
    return resources.files("keyseq") / "configs"


def _read(name_or_path: str | Path) -> dict[str, Any]:
    if str(name_or_path) in available():
        file = _shipped() / f"{name_or_path}.toml"
    elif (file := Path(name_or_path)).is_file():
        pass
    else:
        raise KeyseqError(f"no such settings; give a TOML file or one of {', '.join(available())}")
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:  # TOML's own and UTF-8's
        raise KeyseqError(f"not TOML: {error}") from None


def _parse_override(text: str) -> tuple[str, str, Value]:
    """Read `section.key=value`, the value by the type of its setting."""
    place, equals, value = text.partition("=")
    section, dot, key = place.strip().partition(".")
    if not (equals and dot):
        raise KeyseqError(f"'{text}' is not a setting; use section.key=value, such as model.hidden_size=200")
    [key] = renamed_keys(section, {key: None})
    wanted = setting_type(section, key)
    try:
        return section, key, parse(value.strip(), wanted)
    except ValueError:
        raise KeyseqError(f"{section}.{key} must be {name_type(wanted)}, not '{value.strip()}'") from None
