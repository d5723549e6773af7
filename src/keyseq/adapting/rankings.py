"""What a system answers to documents: the list that a user gets, and the whole ranking behind it."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from keyseq.data.parallel import Track, chunked, untracked
from keyseq.systems.auto import AutoSystem
from keyseq.systems.combined import CombinedSystem
from keyseq.systems.registry import reconfigured
from keyseq.types import Document, Phrase, System

BATCH = 64
ALL = 1_000  # phrases of a whole ranking
NEVER = 1e-6  # the probability of concepts that a whole ranking may lack


class Answer(NamedTuple):
    """The phrases that a document gets, and all of its candidates in the same order."""

    given: list[Phrase]
    ranking: list[Phrase]


def answers(system: System, documents: Sequence[Document], track: Track = untracked, label: str = "") -> list[Answer]:
    """Ask a system; a combined one finds the candidates of a document only once."""
    return [
        answer
        for batch in chunked(track(documents, label or system.name, len(documents)), BATCH)
        for answer in _answered(system, batch)
    ]


def _answered(system: System, documents: list[Document]) -> list[Answer]:
    if isinstance(system, AutoSystem):
        found: dict[int, Answer] = {}
        for chosen, numbers in system.routed(documents):
            found |= dict(zip(numbers, _answered(chosen, [documents[number] for number in numbers]), strict=True))
        return [found[number] for number in range(len(documents))]
    if isinstance(system, CombinedSystem):
        return list(_combined(system, documents))
    rankings = reconfigured(system, top=ALL).predict(documents)
    return [Answer(*pair) for pair in zip(system.predict(documents), rankings, strict=True)]


def _combined(system: CombinedSystem, documents: list[Document]) -> Iterator[Answer]:
    least = {"min_score": NEVER} if system.gives_concepts else {}
    whole = system.with_settings(**vars(system.settings) | {"top": ALL} | least)
    for pool in system.pools(documents):
        yield Answer(system.phrases(pool), whole.phrases(pool))
