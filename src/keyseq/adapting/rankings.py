"""The output of a system for evaluation: the list that a user gets, and the whole ranking."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import NamedTuple

from keyseq.data.parallel import Track, chunked, untracked
from keyseq.systems.auto import AutoSystem
from keyseq.systems.combined import GROUP, CombinedSystem
from keyseq.systems.neural import cores
from keyseq.systems.registry import reconfigured
from keyseq.types import Document, Phrase, System

BATCH = 64
ALL = 1_000  # phrases of a whole ranking
NEVER = 1e-6  # the probability of concepts that a whole ranking may lack


class Answer(NamedTuple):
    """The phrases that a document gets, and all of its candidates in the same order; some without evidence."""

    given: list[Phrase]
    ranking: list[Phrase]


def answers(system: System, documents: Sequence[Document], track: Track = untracked, label: str = "") -> list[Answer]:
    """Run a system; a combined one scores the candidates of a document only once."""
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
        with ThreadPoolExecutor(cores()) as threads:  # one searches with a network while another ranks
            groups = threads.map(partial(_combined, system), chunked(documents, GROUP))
            return [answer for group in groups for answer in group]
    rankings = reconfigured(system, top=ALL).predict(documents)
    return [Answer(*pair) for pair in zip(system.predict(documents), rankings, strict=True)]


def _combined(system: CombinedSystem, documents: list[Document]) -> list[Answer]:
    least = {"min_score": NEVER} if system.gives_concepts else {}
    whole = system.with_settings(**vars(system.settings) | {"top": ALL} | least)
    judged = (system.judged(pool, explained=False) for pool in system.pools(documents))
    return [Answer(system.listed(one), whole.listed(one)) for one in judged]
