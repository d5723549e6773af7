"""The diversity of networks: unique phrases of an exhaustive search, decoder states, and repetition."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from keyseq import figures
from keyseq.analysis import repetition, separators
from keyseq.analysis.clusters import chance, embedded, frequent, purity, silhouette
from keyseq.analysis.drawing import COLOURED, Panel, draw_cosines, draw_states
from keyseq.evaluation import Scores, evaluate
from keyseq.experiments.budget import FEWEST_STATES
from keyseq.experiments.corpora import held_out, locate
from keyseq.experiments.definition import Experiment
from keyseq.experiments.prediction_cache import predict
from keyseq.experiments.published import numbers
from keyseq.experiments.table import Section, Value
from keyseq.experiments.training import Ready, ready
from keyseq.experiments.workspace import MissingPartError, Workspace
from keyseq.imports import require
from keyseq.text.tokenize import words

if TYPE_CHECKING:
    from keyseq.analysis.states import Trace
    from keyseq.network.storage import Stored

EXACT, STEMS = "unique phrases, beam 50", "unique stems, beam 50"
UNIQUE = "predictions.unique"
SEPARATORS = 7  # of a sequence of eight phrases

NOTES = (
    "Unique phrases of exhaustive search on test documents are counted by words, as published, or by stems.",
    "Repetition and states: validation documents, decoded greedily; k is the number of steps since the last separator.",
    "Silhouettes are over the states of the ten most frequent words.",
    "Purity is the fraction of the ten nearest states that emit the same word; chance is its expected value at random.",
    "Cosines are of the states that emit separators, with teacher forcing, where the penalty is defined.",
)

Vectors = Mapping[str, NDArray[np.float32]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Portrait:
    """The analysis of one network: values by measure, embedded states by k, cosines."""

    measures: Mapping[str, float]
    signatures: Mapping[str, str]
    panels: Mapping[int, Panel]
    cosines: NDArray[np.float64]


def run(experiment: Experiment, workspace: Workspace) -> tuple[Section, dict[str, Path]]:
    """Analyse every network: the table, and the figures by title. A missing network gets a row with the reason."""
    require("sklearn", figures.EXTRA)
    figures.matplotlib()
    for module in ("torch", "pyarrow", "onnx"):
        require(module, "train")
    [(test_set, corpus)] = experiment.test_sets.items()
    values: list[Value] = []
    found: dict[str, Portrait] = {}
    for subject in experiment.systems:
        published = numbers()[experiment.published].get(subject.name)
        try:
            system = ready(subject, corpus, workspace)
            found[subject.name] = _portrait(experiment, subject.name, system, workspace)
            values += _values(subject.name, found[subject.name], published)
        except MissingPartError as error:
            values.append(Value(row=EXACT, column=subject.name, published=published, missing=str(error)))
    notes = [*_stand_in(test_set, workspace), *NOTES]
    return Section(title=test_set, values=values, corner="measure", notes=notes), _figures(found, workspace.out)


def _stand_in(test_set: str, workspace: Workspace) -> list[str]:
    with suppress(MissingPartError):
        return locate(test_set, "test", workspace.data).told
    return []


def _values(name: str, portrait: Portrait, published: float | None) -> Iterator[Value]:
    for row, measured in portrait.measures.items():
        yield Value(
            row=row,
            column=name,
            measured=None if np.isnan(measured) else measured,
            published=published if row == EXACT else None,
            signature=portrait.signatures.get(row),
            digits=2 if measured >= 1 else 3,
        )


def _portrait(experiment: Experiment, name: str, system: Ready, workspace: Workspace) -> Portrait:
    """Compute all measures of a network."""
    from keyseq.analysis.states import as_decoded, as_taught, separator_states
    from keyseq.runtime.restoring import restored
    from keyseq.systems.hub import locate as network

    [test_set] = experiment.test_sets
    stored = restored(*network(system.place))
    vectors = _vectors(stored)
    searched, scores = _searched(name, system, test_set, vectors, workspace)
    documents = locate(test_set, "valid", workspace.data).documents(_size(experiment, workspace))
    traces = list(as_decoded(stored, documents, workspace.progress.track))
    panels = _panels(experiment, traces, workspace)
    taught = as_taught(stored, documents, workspace.progress.track)
    matrices = [separators.cosines(separator_states(trace)) for trace in taught]
    cosine = repetition.mean([separators.off_diagonal(matrix) for matrix in matrices])
    return Portrait(
        measures={**searched, **_greedy(traces, vectors), **_ordered(panels), "cosine of separators": cosine},
        signatures={STEMS: scores.signature(UNIQUE)},
        panels=panels,
        cosines=separators.mean_matrix(matrices, SEPARATORS)[0],
    )


def _vectors(stored: "Stored") -> Vectors:
    """The embeddings of the network by word."""
    return dict(zip(stored.vocabulary.words, stored.network.embedding.weight.detach().numpy(), strict=True))


def _size(experiment: Experiment, workspace: Workspace) -> int:
    """The number of states to sample, and of documents to find them in."""
    return workspace.scale.of(experiment.analysis.states, FEWEST_STATES)


def _searched(
    name: str, system: Ready, test_set: str, vectors: Vectors, workspace: Workspace
) -> tuple[dict[str, float], Scores]:
    """Measures of exhaustive search on test documents."""
    test = held_out(test_set, workspace)
    documents = test.documents()
    predicted = predict(system, name, "exhaustive", documents, workspace).phrases
    scores = evaluate(documents, predicted, metrics=[UNIQUE], name=test.name)
    measures = {EXACT: float(np.mean([len(phrases) for phrases in predicted])), STEMS: scores.aggregate(UNIQUE)}
    phrases = [[words(phrase) for phrase in document] for document in predicted]
    return measures | _repeated(phrases, vectors, "beam 50"), scores


def _greedy(traces: Sequence["Trace"], vectors: Vectors) -> dict[str, float]:
    """Measures of greedy decoding, repetitions included."""
    documents = [trace.phrases() for trace in traces]
    return {
        "phrases, greedy": repetition.mean([float(len(phrases)) for phrases in documents]),
        "duplicate phrases, greedy": repetition.mean(list(map(repetition.duplicate_phrases, documents))),
        **_repeated(documents, vectors, "greedy"),
    }


def _repeated(documents: Sequence[Sequence[Sequence[str]]], vectors: Vectors, how: str) -> dict[str, float]:
    """Repetition measures, averaged over documents."""
    return {
        f"duplicate tokens, {how}": repetition.mean(list(map(repetition.duplicate_tokens, documents))),
        f"similarity of phrases, {how}": repetition.mean(
            [repetition.similarity(phrases, vectors) for phrases in documents]
        ),
    }


def _panels(experiment: Experiment, traces: Sequence["Trace"], workspace: Workspace) -> dict[int, Panel]:
    from keyseq.analysis.states import after_separator, sampled

    size, seed, steps = _size(experiment, workspace), experiment.analysis.seed, experiment.analysis.steps
    panels = {}
    for k in workspace.progress.track(steps, "t-SNE", len(steps)):
        sample = sampled(after_separator(traces, k), size, seed)
        top = sample.of(frequent(sample.words, COLOURED))
        panels[k] = Panel(
            places=embedded(sample.states, seed),
            words=sample.words,
            silhouette=silhouette(top.states, top.words),
            purity=purity(sample.states, sample.words),
            chance=chance(sample.words),
        )
    return panels


def _ordered(panels: Mapping[int, Panel]) -> dict[str, float]:
    return {
        f"{measure}, k = {k}": getattr(panel, measure)
        for k, panel in panels.items()
        for measure in ("silhouette", "purity", "chance")
    }


def _figures(found: Mapping[str, Portrait], out: Path) -> dict[str, Path]:
    if not found:
        return {}
    states, cosines = (out / f"diversity-{name}.png" for name in ("states", "cosines"))
    draw_states({name: portrait.panels for name, portrait in found.items()}, states)
    draw_cosines({name: portrait.cosines for name, portrait in found.items()}, cosines)
    return {"Decoder states after a separator": states, "Cosines of the states that emit separators": cosines}
