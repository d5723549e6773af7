"""One section of settings, such as those of a ranker: from values and overrides, and to TOML."""

import dataclasses
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from keyseq.config.bounded_toml import parse_toml
from keyseq.config.fields import name_type, nearest, parse, types_of
from keyseq.config.renamed import renamed_keys
from keyseq.errors import KeyseqError

Kind = TypeVar("Kind")


def build(section: str, kind: type[Kind], values: Mapping[str, Any]) -> Kind:
    """Build settings from values by key, which may have their former names; the others keep their defaults."""
    values = renamed_keys(section, values)
    for key in values:
        _type_of(section, kind, key)
    return kind(**values)


def read_toml(path: Path, section: str, kind: type[Kind], system: str) -> Kind:
    """Read the settings that `to_toml` wrote for a system, such as "a combined system"."""
    try:
        return build(section, kind, parse_toml(path.read_text(encoding="utf-8"))[section])
    except (OSError, ValueError, KeyError, TypeError, AttributeError, KeyseqError) as error:
        raise KeyseqError(f"{path}: not the settings of {system} ({error})") from None


def to_toml(section: str, settings: Any) -> str:  # an instance of a section's class
    """A section as TOML, each setting with its description as a comment."""
    # strings, numbers and booleans of JSON are valid TOML
    lines = (
        f"{field.name} = {json.dumps(getattr(settings, field.name))}  # {field.metadata['doc']}"
        for field in dataclasses.fields(settings)
    )
    return "\n".join([f"[{section}]", *lines, ""])


def overridden(section: str, kind: type[Kind], overrides: Iterable[str]) -> Kind:
    """The defaults of a section, changed by `section.key=value`."""
    return build(section, kind, override_values(section, kind, overrides))


def override_values(section: str, kind: type, overrides: Iterable[str]) -> dict[str, Any]:
    """The values that `section.key=value` give, by key."""
    parsed = (parse_override(override, {section: kind}) for override in overrides)
    return {key: value for _, key, value in parsed}


def parse_override(override: str, sections: Mapping[str, Any]) -> tuple[str, str, Any]:
    """Parse `section.key=value`, the value by the type of the setting in the class of its section."""
    place, equals, value = override.partition("=")
    section, dot, key = place.strip().partition(".")
    if not (equals and dot):
        raise KeyseqError(f"'{override}' is not a setting; use section.key=value, such as {_example(sections)}")
    [key] = renamed_keys(section, {key: None})
    wanted = _type_of(section, section_class(section, sections), key)
    try:
        return section, key, parse(value.strip(), wanted)
    except ValueError:
        raise KeyseqError(f"{section}.{key} must be {name_type(wanted)}, not '{value.strip()}'") from None


def section_class(section: str, sections: Mapping[str, Any]) -> Any:
    """The class of a section's settings, by its name."""
    if section not in sections:
        raise KeyseqError(f"unknown section of settings '{section}'{nearest(section, sections)}")
    return sections[section]


def _example(sections: Mapping[str, Any]) -> str:
    section, kind = next(iter(sections.items()))
    fields = dataclasses.fields(kind)
    field = next((one for one in fields if isinstance(one.default, int | float | str)), fields[0])
    return f"{section}.{field.name}={field.default}"


def _type_of(section: str, kind: type, key: str) -> Any:  # a type: int, float, bool, str or a Literal
    names = [field.name for field in dataclasses.fields(kind)]
    if key not in names:
        raise KeyseqError(f"unknown setting '{section}.{key}'{nearest(key, names)}")
    return types_of(kind)[key]
