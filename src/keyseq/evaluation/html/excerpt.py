"""Which documents a report shows, and how they were selected."""

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
    """A document and the predictions of each system; `place` is its index in the corpus."""

    place: int
    document: Document
    predictions: Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class DocumentSelection:
    """The documents of a corpus to show, by index, and a sentence on how they were selected."""

    places: tuple[int, ...]
    words: str


def choose(systems: Mapping[str, Scores], metric: str, limit: int) -> DocumentSelection:
    """Select documents: all if they are few; else, for one system, a third each of the worst, the best and random ones;
    for several, half those on which they differ most and half random ones.
    """
    values = np.array([scores.values[metric] for scores in systems.values()])
    documents = len(next(iter(systems.values())).ids)
    if documents <= limit:
        return DocumentSelection(
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
    return DocumentSelection(tuple(sorted(chosen)), f"{limit:,} of {documents:,} documents: {', '.join(told)}.")


def _first(keys: Floats, number: int, taken: Sequence[int]) -> list[int]:
    """The indices of the smallest keys that are not NaN and not taken yet."""
    order = [place for place in np.argsort(keys, kind="stable").tolist() if not np.isnan(keys[place])]
    free = set(order) - set(taken)
    return [place for place in order if place in free][:number]


def gather(pairs: Mapping[str, Iterable[Pair]], places: Iterable[int]) -> list[SampledDocument]:
    """Read the selected documents, and the predictions of each system from its stream of pairs."""
    wanted = set(places)
    documents: dict[int, Document] = {}
    predicted: dict[int, dict[str, Sequence[str]]] = {place: {} for place in sorted(wanted)}
    for system, stream in pairs.items():
        for place, (document, phrases) in enumerate(stream):
            if place in wanted:
                documents[place] = document
                predicted[place][system] = phrases
    return [SampledDocument(place, documents[place], predictions) for place, predictions in predicted.items()]
