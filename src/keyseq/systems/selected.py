"""A system under settings: those of its own, and the selection that any system can be asked for."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, Protocol, runtime_checkable

from keyseq.errors import KeyseqError, nearest
from keyseq.text.analyzer import ENGLISH
from keyseq.text.selection import Selection
from keyseq.types import Document, Phrase, System

_SELECTION = tuple(field.name for field in fields(Selection))


@runtime_checkable
class Adjustable(Protocol):
    """A system that can be reconfigured without being loaded again."""

    def with_settings(self, **settings: Any) -> System:  # fields of the system's settings
        """The same, under other settings."""
        ...


class SelectedSystem:
    """A system of whose phrases only some are wanted."""

    def __init__(self, system: System, selection: Selection) -> None:
        self.name, self._system, self._selection = system.name, system, selection

    def predict(self, documents: Sequence[str | Document]) -> list[list[Phrase]]:
        """Return the ranked phrases of each document."""
        analyzer = getattr(self._system, "analyzer", ENGLISH)  # of the language that the system was made for
        return [self._selection.select(phrases, analyzer) for phrases in self._system.predict(documents)]


def selected(system: System, selection: Selection) -> System:
    """The system with a selection; without one where all its phrases are wanted."""
    return system if selection == Selection() else SelectedSystem(system, selection)


def divided(name: str, kind: Any, settings: Mapping[str, Any]) -> tuple[dict[str, Any], Selection]:
    """Settings of a system whose class of settings is `kind`, and what is left to be selected of its phrases.

    A network selects its phrases itself. Rankers only know how many they give, and give as many more as may be denied.
    """
    own = [field.name for field in fields(kind)]
    known = list(dict.fromkeys((*own, *_SELECTION)))
    for setting in settings:
        if setting not in known:
            raise KeyseqError(f"{name} has no setting '{setting}'{nearest(setting, known)}")
    if issubclass(kind, Selection):
        return dict(settings), Selection()
    selection = Selection(**{setting: value for setting, value in settings.items() if setting in _SELECTION})
    rest = {setting: value for setting, value in settings.items() if setting not in _SELECTION}
    if selection.top is None or "top" not in own:
        return rest, selection
    rest["top"] = selection.top + len(selection.deny)
    return rest, Selection() if replace(selection, top=None) == Selection() else selection
