"""Names of settings and weights in earlier versions, so that folders written by those still load."""

from collections.abc import Iterable, Mapping
from typing import TypeVar

Stored = TypeVar("Stored")

_SETTINGS = {"model": {"said": "generated_words"}}

_WEIGHTS = {
    "target_encoder.": "pieces.target_encoder.",
    "decoder.attention.covered.": "pieces.coverage.energy.",
    "decoder.attention.said.": "pieces.generated_words.gate.",
    "decoder.readout.gate.said.": "decoder.readout.gate.target.",
}


def renamed_keys(section: str, values: Mapping[str, Stored]) -> dict[str, Stored]:
    """The settings of a section under their current names."""
    names = _SETTINGS.get(section, {})
    return {names.get(key, key): value for key, value in values.items()}


def renamed_weights(weights: Mapping[str, Stored]) -> dict[str, Stored]:
    """The weights of a network under their current names."""
    return {_replaced(name, _WEIGHTS): value for name, value in weights.items()}


def earlier_name(weight: str) -> str:
    """The former name of a weight, or its name if it was never renamed."""
    return _replaced(weight, {now: before for before, now in _WEIGHTS.items()})


def _replaced(name: str, prefixes: Mapping[str, str]) -> str:
    for old, new in prefixes.items():
        if name.startswith(old):
            return new + name.removeprefix(old)
    return name


# The blocks of a network in the order in which earlier versions numbered their weights
_BLOCKS = (
    "embedding.",
    "encoder.",
    "decoder.bridge.",
    "decoder.gru.",
    "decoder.attention.",
    "decoder.readout.",
    "pointer.",
    "target_encoder.",
)


def earlier_order(weights: Iterable[str]) -> list[str]:
    """The names of a network's weights in the order in which earlier versions numbered them."""
    return sorted(weights, key=lambda name: [earlier_name(name).startswith(block) for block in _BLOCKS].index(True))
