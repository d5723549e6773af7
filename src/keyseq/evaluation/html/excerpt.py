"""The documents that a report shows, and why these."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from keyseq.evaluation.metrics import Floats
from keyseq.evaluation.scoring import Scores
from keyseq.predictions.pairing import Pair
from keyseq.types import Document

SEED = 12345


@dataclass(frozen=True)
class SampledDocument:
    """A document and what each system said of it; `place` counts the corpus from 0."""

    place: int
    document: Document
    predictions: Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class Sample:
    """Which documents of a corpus to show, told in words."""

    places: tuple[int, ...]
    words: str


def choose(systems: Mapping[str, Scores], metric: str, limit: int) -> Sample:
    """Choose documents: all if they are few; else a third each of worst, best and any for one system, and half each
    of those that the systems differ most in and any for several.
    """
    values = np.array([scores.values[metric] for scores in systems.values()])
    documents = len(next(iter(systems.values())).ids)
    if documents <= limit:
        return Sample(
            tuple(range(documents)), "The only document." if documents == 1 else f"All {documents:,} documents."
        )
    if len(systems) == 1:
        wanted = {f"with the lowest {metric}": values[0], f"with the highest {metric}": -values[0]}
    else:
        wanted = {f"in which the systems differ most in {metric}": -np.ptp(values, axis=0)}
    chosen: list[int] = []
    told = []
    for words, ranking in [*wanted.items(), ("at random", np.random.default_rng(SEED).random(documents))]:
        number = limit - len(chosen) if words == "at random" else limit // (len(wanted) + 1)
        found = _first(ranking, number, chosen)
        chosen += found
        told.append(f"{len(found):,} {words}")
    return Sample(tuple(sorted(chosen)), f"{limit:,} of {documents:,} documents: {', '.join(told)}.")


def _first(keys: Floats, number: int, taken: Sequence[int]) -> list[int]:
    """The places of the smallest keys that are numbers and not taken yet."""
    order = [place for place in np.argsort(keys, kind="stable").tolist() if not np.isnan(keys[place])]
    free = set(order) - set(taken)
    return [place for place in order if place in free][:number]


def gather(pairs: Mapping[str, Iterable[Pair]], places: Iterable[int]) -> list[SampledDocument]:
    """Read the chosen documents, and what each system (by its stream of pairs) said of them."""
    wanted = set(places)
    documents: dict[int, Document] = {}
    said: dict[int, dict[str, Sequence[str]]] = {place: {} for place in sorted(wanted)}
    for system, stream in pairs.items():
        for place, (document, phrases) in enumerate(stream):
            if place in wanted:
                documents[place] = document
                said[place][system] = phrases
    return [SampledDocument(place, documents[place], predictions) for place, predictions in said.items()]
