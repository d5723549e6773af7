"""Settings of one section alone, such as those of a ranker: from overrides, from TOML, and back."""

import dataclasses
import json
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar, get_type_hints

from keyseq.config.fields import Value, name_type, nearest, parse
from keyseq.errors import KeyseqError

Kind = TypeVar("Kind")


def build(section: str, kind: type[Kind], values: Mapping[str, Any]) -> Kind:
    """Make settings from values by key; the rest keeps its default."""
    for key in values:
        _type_of(section, kind, key)
    return kind(**values)


def to_toml(section: str, settings: Any) -> str:  # an instance of a section's class
    """A section as TOML, each setting with the comment that explains it."""
    # JSON's texts, numbers and truth values are TOML's too
    lines = (
        f"{field.name} = {json.dumps(getattr(settings, field.name))}  # {field.metadata['doc']}"
        for field in dataclasses.fields(settings)
    )
    return "\n".join([f"[{section}]", *lines, ""])


def overridden(section: str, kind: type[Kind], overrides: Iterable[str]) -> Kind:
    """The defaults, changed by `section.key=value`."""
    return build(section, kind, dict(_parsed(section, kind, override) for override in overrides))


def _parsed(section: str, kind: type, override: str) -> tuple[str, Value]:
    place, equals, value = override.partition("=")
    given, _, key = place.strip().partition(".")
    if not equals or given != section:
        raise KeyseqError(f"'{override}' is not a setting of {section}; use {section}.key=value")
    wanted = _type_of(section, kind, key)
    try:
        return key, parse(value.strip(), wanted)
    except ValueError:
        raise KeyseqError(f"{section}.{key} must be {name_type(wanted)}, not '{value.strip()}'") from None


def _type_of(section: str, kind: type, key: str) -> Any:  # a type: int, float, bool, str or a Literal
    names = [field.name for field in dataclasses.fields(kind)]
    if key not in names:
        raise KeyseqError(f"unknown setting '{section}.{key}'{nearest(key, names)}")
    return get_type_hints(kind)[key]
