"""The field names of a record: those of published corpora, or those given by the user."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

from keyseq.errors import DataError, nearest, shown

Role = Literal["id", "title", "text", "keyphrases"]

ALIASES: dict[Role, tuple[str, ...]] = {
    "id": ("id", "doc_id", "docid", "paper_id", "document_id"),
    "title": ("title",),
    "text": ("abstract", "question", "body", "text"),
    "keyphrases": ("keywords", "keyword", "keyphrases", "tags"),
}


class Fields(NamedTuple):
    """The field names of a record by role; None where a role has no field."""

    id: str | None
    title: str | None
    text: str | None
    keyphrases: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """The names of the columns, or JSON fields, to read.

    Where no name is given, the first of `ALIASES` that exists is read.
    """

    id: str | None = None
    title: str | None = None
    text: str | None = None
    keyphrases: str | None = None
    separator: str = ";"

    def __post_init__(self) -> None:
        if not self.separator:
            raise DataError("the separator of keyphrases must not be empty")

    def fields(self, names: Iterable[str], place: str) -> Fields:
        """The field names of a record by role."""
        found = _fields(self, tuple(names))
        if isinstance(found, str):
            raise DataError(f"{place}: {found}")
        return found

    def split(self, phrases: str) -> tuple[str, ...]:
        """Split a text into keyphrases; empty ones are dropped."""
        return tuple(phrase for part in phrases.split(self.separator) if (phrase := part.strip()))

    def join(self, phrases: Collection[str], id: str) -> str:
        """Join keyphrases into one text; none of them may contain the separator."""
        for phrase in phrases:
            if self.separator in phrase:
                raise DataError(
                    f"document '{shown(id)}': the keyphrase '{shown(phrase)}' contains '{self.separator}'; "
                    "choose another --separator, or write jsonl"
                )
        return self.separator.join(phrases)


def split_list(phrases: str) -> tuple[str, ...]:
    """Split a list of keyphrases whose separator is not known: at semicolons, or at commas if there are none."""
    parts = phrases.split(";" if ";" in phrases else ",")
    return tuple(phrase for part in parts if (phrase := " ".join(part.split())))


@lru_cache
def _fields(columns: Columns, names: tuple[str, ...]) -> Fields | str:
    """The fields, or an error message. Cached, since most records of a corpus have the same fields."""
    found = []
    lowered = {name.lower(): name for name in reversed(names)}
    for role, aliases in ALIASES.items():
        wanted: str | None = getattr(columns, role)
        candidates = aliases if wanted is None else (wanted,)
        exact = (name for name in candidates if name in names)
        alike = (lowered[name.lower()] for name in candidates if name.lower() in lowered)
        found.append(next(exact, None) or next(alike, None))
        if wanted is not None and found[-1] is None:
            return f"has no field '{wanted}'{nearest(wanted, names)}"
    fields = Fields(*found)
    if fields.title is None and fields.text is None:
        listed = shown(", ".join(names)) or "none"
        return f"has no text; of its fields ({listed}) choose one with --title-column or --text-column"
    return fields
