"""A grid search over two settings: a network for every pair of values, scored on validation documents."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from keyseq.evaluation import evaluate
from keyseq.experiments.budget import FEWEST_TESTED
from keyseq.experiments.corpora import training
from keyseq.experiments.definition import Experiment, Subject
from keyseq.experiments.prediction_cache import predict
from keyseq.experiments.published import numbers
from keyseq.experiments.table import Section, Value
from keyseq.experiments.training import ready
from keyseq.experiments.workspace import MissingPartError, Workspace


def sections(experiment: Experiment, workspace: Workspace) -> Iterator[Section]:
    """The table of each training corpus: a row for each value of one setting, a column for each of the other."""
    budget = workspace.scale.budget * experiment.analysis.budget
    smaller = replace(workspace, scale=replace(workspace.scale, budget=budget))
    for corpus in dict.fromkeys(experiment.test_sets.values()):
        values = list(_values(experiment, corpus, smaller))
        yield Section(
            title=f"{experiment.metrics[0]} on the validation documents of the training corpus ({corpus})",
            values=values,
            corner=" \\ ".join(experiment.grid),
            notes=[
                f"{experiment.analysis.budget:.0%} of the budget for each network. {smaller.scale.told()}",
                *_best(values),
                *_published(),
            ],
        )


def _values(experiment: Experiment, corpus: str, workspace: Workspace) -> Iterator[Value]:
    [subject] = experiment.systems
    (first, rows), (second, columns) = experiment.grid.items()
    for row, column in product(rows, columns):
        name, changes = f"{subject.name}-{row:g}-{column:g}", (f"{first}={row}", f"{second}={column}")
        try:
            network = replace(subject, name=name, settings=(*subject.settings, *changes))
            measured, signature = _score(experiment, network, corpus, workspace)
            yield Value(row=f"{row:g}", column=f"{column:g}", measured=measured, signature=signature)
        except MissingPartError as error:
            yield Value(row=f"{row:g}", column=f"{column:g}", missing=str(error))


def _score(experiment: Experiment, network: Subject, corpus: str, workspace: Workspace) -> tuple[float, str]:
    """The network's score in percent, and its signature."""
    valid = training(corpus, workspace).valid
    documents = valid.documents(workspace.scale.of(experiment.analysis.documents, FEWEST_TESTED))
    predicted = predict(ready(network, corpus, workspace), network.name, experiment.decodings[0], documents, workspace)
    [metric] = experiment.metrics
    scores = evaluate(documents, predicted.phrases, metrics=[metric], name=valid.name)
    return 100 * scores.aggregate(metric), scores.signature(metric)


def _best(values: list[Value]) -> list[str]:
    known = [value for value in values if value.measured is not None]
    if not known:
        return []
    best = max(known, key=lambda value: value.measured or 0.0)
    return [f"Best: {best.row} and {best.column}, {best.shown}."]


def _published() -> list[str]:
    weights = numbers()["lambdas"].items()
    chosen = ", ".join(f"{what} {chosen['orthogonal']:g} and {chosen['semantic']:g}" for what, chosen in weights)
    return [f"Chosen in the paper (orthogonal and semantic): {chosen}."]
