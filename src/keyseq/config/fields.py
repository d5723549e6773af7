"""A setting: default, description, type and range; invalid values are rejected."""

import dataclasses
import math
import reprlib
from collections.abc import Iterable, Mapping
from functools import cache
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from keyseq.errors import KeyseqError
from keyseq.errors import nearest as nearest

Value = bool | int | float | str


def setting(
    default: Any, doc: str, *, least: float | None = None, most: float | None = None, below: float | None = None
) -> Any:
    """A dataclass field with a description and a range: `least` ≤ value ≤ `most`, value < `below`."""
    return dataclasses.field(default=default, metadata={"doc": doc, "least": least, "most": most, "below": below})


def with_default(kind: type, name: str, default: Any) -> Any:
    """A setting of a base class with another default; its description and range stay."""
    [inherited] = [field for field in dataclasses.fields(kind) if field.name == name]
    return dataclasses.field(default=default, metadata=inherited.metadata)


def piece(default: Any, doc: str, adds: str, reads: Iterable[str] = (), learns: Iterable[str] = ()) -> Any:
    """A setting that adds a piece to the network unless it is false, 0 or "none".

    `adds` is the class of the piece as "module:class", so that settings can be read without importing it; `reads` are
    the inputs it needs besides the source: names of `keyseq.data.network_inputs.INPUTS`, or others as "module:name";
    `learns` are names of `TARGET_FIELDS` or `LABELS` in `keyseq.data.target_fields`, which only training needs.
    """
    metadata: dict[str, Any] = {"doc": doc, "least": None, "most": None, "below": None}
    metadata |= {"adds": adds, "reads": tuple(reads), "learns": tuple(learns)}
    return dataclasses.field(default=default, metadata=metadata)


@cache
def types_of(kind: type) -> dict[str, Any]:
    """The types of the settings of a class, by name."""
    return get_type_hints(kind)


def check(section: str, settings: Any) -> None:  # an instance of a section's class
    """Reject a value of the wrong type or out of range."""
    types = types_of(settings.__class__)
    for field in dataclasses.fields(settings):
        value, wanted = getattr(settings, field.name), types[field.name]
        place = f"{section}.{field.name}" if section else field.name
        if value is None and (wanted is Any or type(None) in get_args(wanted)):
            continue
        fitting = _fitted(value, without_none(wanted))
        if fitting is None:
            raise KeyseqError(f"{place} must be {name_type(wanted)}, not {value!r}")
        object.__setattr__(settings, field.name, fitting)
        _check_range(fitting, field.metadata, place)


def changed(settings: Any) -> dict[str, Any]:  # an instance of a section's class
    """The settings that differ from their defaults."""
    usual = type(settings)()
    values = {field.name: getattr(settings, field.name) for field in dataclasses.fields(settings)}
    return {name: value for name, value in values.items() if value != getattr(usual, name)}


def described(system: object, settings: Any, *first: str) -> str:
    """The repr of a system: its class, and the settings that differ from their defaults."""
    told = (f"{name}={reprlib.repr(value)}" for name, value in changed(settings).items())
    return f"{type(system).__name__}({', '.join([*first, *told])})"


def _check_range(value: Any, bounds: Mapping[str, Any], place: str) -> None:
    if bounds["least"] is not None and value < bounds["least"]:
        raise KeyseqError(f"{place} must be at least {bounds['least']}, not {value}")
    if bounds["most"] is not None and value > bounds["most"]:
        raise KeyseqError(f"{place} must be at most {bounds['most']}, not {value}")
    if bounds["below"] is not None and value >= bounds["below"]:
        raise KeyseqError(f"{place} must be below {bounds['below']}, not {value}")


def without_none(wanted: Any) -> Any:
    """The type inside an `X | None`; any other type unchanged."""
    if get_origin(wanted) not in (Union, UnionType):
        return wanted
    [given] = [one for one in get_args(wanted) if one is not type(None)]
    return given


def _fitted(value: Any, wanted: Any) -> Any:
    """The value converted to the type of its setting; None if it has another type."""
    if wanted is Any:  # checked elsewhere
        return value
    if get_origin(wanted) is Literal:
        return value if value in get_args(wanted) else None
    if get_origin(wanted) is tuple:  # of texts
        return _texts(value)
    if wanted is float and type(value) is int:  # TOML's `dropout = 0`
        value = float(value)
    return value if type(value) is wanted and (wanted is not float or math.isfinite(value)) else None


def _texts(value: Any) -> tuple[str, ...] | None:
    if isinstance(value, str) or not isinstance(value, Iterable):
        return None
    texts = tuple(value)
    return texts if all(isinstance(text, str) for text in texts) else None


def name_type(wanted: Any) -> str:
    """The name of a type in messages."""
    wanted = without_none(wanted)
    if get_origin(wanted) is Literal:
        return f"one of {', '.join(get_args(wanted))}"
    if get_origin(wanted) is tuple:
        return "a list of texts"
    return {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}[wanted]


def parse(text: str, wanted: Any) -> Any:  # of the type
    """Parse a command-line value of a type, a list of texts at its commas; ValueError if it is invalid."""
    wanted = without_none(wanted)
    if get_origin(wanted) is tuple:
        return tuple(part.strip() for part in text.split(",") if part.strip())
    if wanted is bool:
        return {"true": True, "false": False}.get(text.lower(), text)
    return int(text) if wanted is int else float(text) if wanted is float else text
