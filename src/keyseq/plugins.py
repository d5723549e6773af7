"""Tables that other packages can extend by entry points; built-in items are found without searching for those."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from keyseq.errors import KeyseqError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

Item = TypeVar("Item")


class Table(Mapping[str, Item]):
    """Items by name: those of keyseq, then those of installed packages in an entry point group.

    Looking up a built-in name is as cheap as in a dict. A plug-in is imported when its item is used; one that cannot be
    imported, or has another type, is a `KeyseqError`. Built-in names cannot be overridden.
    """

    def __init__(self, group: str, kind: type[Item], items: dict[str, Item]) -> None:
        self.group, self._kind, self.built_in = group, kind, items
        self._loaded: dict[str, Item] = {}

    def __getitem__(self, name: str) -> Item:
        if name in self.built_in:
            return self.built_in[name]
        if name not in self._loaded:
            self._loaded[name] = self._load(self._offered[name])
        return self._loaded[name]

    def __contains__(self, name: object) -> bool:
        return name in self.built_in or name in self._offered

    def __iter__(self) -> Iterator[str]:
        yield from self.built_in
        yield from self._offered

    def __len__(self) -> int:
        return len(self.built_in) + len(self._offered)

    def working(self) -> dict[str, Item]:
        """All items except plug-ins that cannot be loaded: for suggestions and for recognising files."""
        return {**self.built_in, **{name: self[name] for name in self._offered if self.problem(name) is None}}

    def problem(self, name: str) -> str | None:
        """Why a plug-in cannot be loaded; None if it can."""
        try:
            self[name]
        except KeyseqError as error:
            return str(error)
        return None

    def origin(self, name: str) -> str | None:
        """The package and version of a plug-in, such as `keyseq-shout 1.0`; None for a built-in name."""
        return None if name in self.built_in else _origin(self._offered[name])

    @cached_property
    def _offered(self) -> "dict[str, EntryPoint]":
        from importlib.metadata import entry_points  # 0.05 s, not needed for built-in names

        return {point.name: point for point in entry_points(group=self.group) if point.name not in self.built_in}

    def _load(self, point: "EntryPoint") -> Item:
        where = f"plug-in '{point.name}' of {_origin(point)} ({self.group})"
        try:
            item = point.load()
        except Exception as error:  # third-party modules may raise anything
            reason = " ".join(f"{type(error).__name__}: {error}".split())
            raise KeyseqError(f"{where} cannot be loaded ({reason}); update or uninstall it") from error
        if not isinstance(item, self._kind):
            wanted = f"{self._kind.__module__}.{self._kind.__qualname__}"
            raise KeyseqError(f"{where}: {point.value} is of type {type(item).__name__}, and must be a {wanted}")
        return item


def _origin(point: "EntryPoint") -> str:
    return f"{point.dist.name} {point.dist.version}" if point.dist else point.value
