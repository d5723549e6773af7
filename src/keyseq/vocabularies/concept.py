"""A concept of a controlled vocabulary as files describe it: a URI, labels, and relations to other concepts."""

from dataclasses import dataclass
from typing import NamedTuple

PREFERRED, ALTERNATIVE, HIDDEN = range(3)
LABEL_KINDS = ("preferred", "alternative", "hidden")
BROADER, NARROWER, RELATED = range(3)
RELATION_KINDS = ("broader", "narrower", "related")
INVERSE = (NARROWER, BROADER, RELATED)


class ConceptLabel(NamedTuple):
    """A name of a concept; `kind` is one of `LABEL_KINDS` by its number, `language` a code such as "en", or empty."""

    text: str
    kind: int = PREFERRED
    language: str = ""


@dataclass(frozen=True, slots=True)
class Concept:
    """A concept: `uri` may be empty, and `relations` are pairs of a kind and the URI or preferred label of another."""

    uri: str
    labels: tuple[ConceptLabel, ...]
    relations: tuple[tuple[int, str], ...] = ()
    place: str = ""  # where it was read, for messages
