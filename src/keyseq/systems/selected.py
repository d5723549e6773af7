"""Split settings into those of a system and a selection that works for any system."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, make_dataclass, replace
from typing import Any, Protocol, runtime_checkable

from keyseq.config.fields import described
from keyseq.errors import KeyseqError, nearest
from keyseq.text.analyzer import ENGLISH
from keyseq.text.selection import Selection
from keyseq.types import Document, Phrase, System

SOME = 3  # systems that a message names

_SELECTION = tuple(field.name for field in fields(Selection))


@runtime_checkable
class Adjustable(Protocol):
    """A system that can be reconfigured without reloading."""

    def with_settings(self, **settings: Any) -> System:  # fields of the system's settings
        """The same system under other settings."""
        ...


class SelectedSystem:
    """A system with a selection of its phrases."""

    def __init__(self, system: System, selection: Selection) -> None:
        self.name, self._system, self._selection = system.name, system, selection

    def __repr__(self) -> str:
        return described(self, self._selection, repr(self._system))

    def predict(self, documents: Sequence[str | Document]) -> list[list[Phrase]]:
        """Return the ranked phrases of each document."""
        analyzer = getattr(self._system, "analyzer", ENGLISH)  # the language of the system
        return [self._selection.select(phrases, analyzer) for phrases in self._system.predict(documents)]


def selected(system: System, selection: Selection) -> System:
    """The system with a selection; the system itself if the selection is empty."""
    return system if selection == Selection() else SelectedSystem(system, selection)


def selectable(kind: type) -> type:
    """A class with the fields of a system's settings and of a selection; only its names and types are used."""
    return (
        kind if issubclass(kind, Selection) else make_dataclass(kind.__name__, (), bases=(kind, Selection), frozen=True)
    )


def _instead(setting: str, known: Sequence[str]) -> str:
    """The end of a message about a setting that a system lacks: the systems that have it, or its right name."""
    from keyseq.systems.registry import systems_with

    others = systems_with(setting)
    some = ", ".join(others[:SOME]) + (", …" if len(others) > SOME else "")
    return f"; systems with it: {some}" if others else nearest(setting, known)


def divided(name: str, kind: Any, settings: Mapping[str, Any]) -> tuple[dict[str, Any], Selection]:
    """The settings for a system, whose class of settings is `kind`, and the remaining selection.

    A network selects its phrases itself. Rankers only have `top`, which is raised by the number of denied phrases.
    """
    accepted = [field.name for field in fields(kind)]
    known = list(dict.fromkeys((*accepted, *_SELECTION)))
    for setting in settings:
        if setting not in known:
            raise KeyseqError(f"{name} has no setting '{setting}'{_instead(setting, known)}")
    if issubclass(kind, Selection):
        return dict(settings), Selection()
    selection = Selection(**{setting: value for setting, value in settings.items() if setting in _SELECTION})
    rest = {setting: value for setting, value in settings.items() if setting not in _SELECTION}
    if selection.top is None or "top" not in accepted:
        return rest, selection
    rest["top"] = selection.top + len(selection.deny)
    return rest, Selection() if replace(selection, top=None) == Selection() else selection
