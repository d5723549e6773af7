"""Settings on disk: the shipped systems by name, TOML files, and `section.key=value` overrides."""

from collections.abc import Iterable
from importlib import resources
from pathlib import Path
from typing import Any

from keyseq.config.bounded_toml import parse_toml
from keyseq.config.renamed import renamed_keys
from keyseq.config.settings import SECTIONS, Settings
from keyseq.config.single import parse_override
from keyseq.errors import KeyseqError


def available() -> list[str]:
    """The names of the settings that come with keyseq."""
    return sorted(file.name.removesuffix(".toml") for file in _shipped().iterdir() if file.name.endswith(".toml"))


def load_settings(name_or_path: str | Path, overrides: Iterable[str] = ()) -> Settings:
    """Read settings by the name of a system or from a TOML file, and apply `section.key=value` overrides."""
    try:
        values = _read(name_or_path)
        stored = Settings.from_mapping(values)  # before overrides, so that an error of the file is reported as such
    except KeyseqError as error:
        raise KeyseqError(f"{name_or_path}: {error}") from None
    if not (overrides := list(overrides)):
        return stored
    values = {section: renamed_keys(section, keys) for section, keys in values.items()}
    for override in overrides:  # before defaults are filled in, since some depend on others: stemmer on language
        section, key, value = parse_override(override, SECTIONS)
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
        return parse_toml(file.read_text(encoding="utf-8"))
    except ValueError as error:  # of TOML or of UTF-8
        raise KeyseqError(f"not TOML: {error}") from None
