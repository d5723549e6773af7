"""A setting: its default, the sentence that explains it, its type and its range; wrong values refused."""

import dataclasses
import math
from collections.abc import Iterable
from typing import Any, Literal, cast, get_args, get_origin, get_type_hints

from keyseq.errors import KeyseqError
from keyseq.errors import nearest as nearest

Value = bool | int | float | str


def setting(default: Any, doc: str, *, least: float | None = None, below: float | None = None) -> Any:
    """A field with the sentence that explains it and the range it must lie in: `least` ≤ value < `below`."""
    return dataclasses.field(default=default, metadata={"doc": doc, "least": least, "below": below})


def piece(default: Any, doc: str, adds: str, reads: Iterable[str] = ()) -> Any:
    """A setting that adds a piece to the network unless it is false, 0 or "none".

    `adds` is the piece's class as "module:class", so that settings can be read without importing it; `reads` are the
    inputs it needs beside the source: names of `keyseq.data.inputs.INPUTS`, or others as "module:name".
    """
    metadata = {"doc": doc, "least": None, "below": None, "adds": adds, "reads": tuple(reads)}
    return dataclasses.field(default=default, metadata=metadata)


def check(section: str, settings: Any) -> None:  # an instance of a section's class
    """Refuse a value of another type than its setting's, or out of its range."""
    types = get_type_hints(type(settings))
    for field in dataclasses.fields(settings):
        value, wanted, place = getattr(settings, field.name), types[field.name], f"{section}.{field.name}"
        if wanted is float and type(value) is int:  # TOML's `dropout = 0`
            value = float(value)
            object.__setattr__(settings, field.name, value)
        if not _is_a(value, wanted):
            raise KeyseqError(f"{place} must be {name_type(wanted)}, not {value!r}")
        least, below = field.metadata["least"], field.metadata["below"]
        if least is not None and value < least:
            raise KeyseqError(f"{place} must be at least {least}, not {value}")
        if below is not None and value >= below:
            raise KeyseqError(f"{place} must be below {below}, not {value}")


def _is_a(value: object, wanted: Any) -> bool:
    if get_origin(wanted) is Literal:
        return value in get_args(wanted)
    return type(value) is wanted and (wanted is not float or math.isfinite(cast(float, value)))


def name_type(wanted: Any) -> str:
    """What a value of a type is called in a message."""
    if get_origin(wanted) is Literal:
        return f"one of {', '.join(get_args(wanted))}"
    return {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}[wanted]


def parse(text: str, wanted: Any) -> Value:
    """Read a value of a type as the command line gives it; ValueError if it is none."""
    if wanted is bool:
        return {"true": True, "false": False}.get(text.lower(), text)
    return int(text) if wanted is int else float(text) if wanted is float else text
