"""A table of scores: every system on every test set, with intervals, and tests against the best baseline."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

from keyseq.data.parallel import Track
from keyseq.evaluation import Scores
from keyseq.evaluation.metrics import parse
from keyseq.evaluation.report import number
from keyseq.evaluation.significance import Result, compare
from keyseq.evaluation.system_outputs import SystemOutputs
from keyseq.experiments.corpora import LocatedCorpus, held_out
from keyseq.experiments.definition import Experiment, Subject
from keyseq.experiments.prediction_cache import CachedPredictions, predict
from keyseq.experiments.published import Question, score
from keyseq.experiments.table import Section, Value
from keyseq.experiments.training import is_trained, ready
from keyseq.experiments.workspace import MissingPartError, Workspace
from keyseq.types import Document

LEVEL = 0.05  # p below which a difference is significant


@dataclass(frozen=True, slots=True)
class Line:
    """A row of a table: a system and its decoding; its label is the name alone where there is one decoding."""

    subject: Subject
    decoding: str
    label: str


@dataclass(frozen=True, slots=True)
class Measured:
    """A line's scores on a test set, one for each seed, with the files of its gold and its predictions."""

    runs: Sequence[Scores]
    gold: Path
    predictions: Sequence[Path]

    @property
    def scores(self) -> Scores:
        """The scores, of several seeds their means for each document."""
        first = self.runs[0]
        if len(self.runs) == 1:
            return first
        means = {name: np.mean([one.values[name] for one in self.runs], axis=0) for name in first.values}
        return replace(first, values=means)

    def command(self, metric: str) -> str:
        """The command that recomputes a score, or those of several seeds, from the stored predictions."""
        commands = (["keyseq", "evaluate", str(self.gold), str(file), "--metrics", metric] for file in self.predictions)
        return " && ".join(map(shlex.join, commands))

    def signature(self, metric: str) -> str:
        """Everything needed to reproduce the number."""
        count = len(self.runs)
        return self.runs[0].signature(metric) + (f"|seeds:{count}" if count > 1 else "")


def sections(experiment: Experiment, workspace: Workspace) -> Iterator[Section]:
    """The table of each test set."""
    for name, corpus in experiment.test_sets.items():
        yield _section(experiment, name, corpus, workspace)


def lines(experiment: Experiment) -> list[Line]:
    """Every system with every decoding."""
    several = len(experiment.decodings) > 1
    return [
        Line(subject, decoding, f"{subject.name}, {decoding}" if several else subject.name)
        for decoding in experiment.decodings
        for subject in experiment.systems
    ]


def _section(experiment: Experiment, name: str, corpus: str, workspace: Workspace) -> Section:
    found: dict[str, Measured | str] = {}
    notes: list[str] = []
    first = experiment.first.get(name)
    try:
        test = held_out(name, workspace, first)
        found = measured(experiment, corpus, test, workspace)
        notes = test.told + ([f"{test.name}: at most the first {first:,} documents."] if first else [])
    except MissingPartError as error:
        found = {line.label: str(error) for line in lines(experiment)}
    values = list(_values(experiment, name, found, workspace.progress.track))
    return Section(title=name, values=values, notes=notes)


def measured(
    experiment: Experiment, corpus: str, test: LocatedCorpus, workspace: Workspace
) -> dict[str, Measured | str]:
    """The scores of every line on a test set by its label, or the reason why there are none."""
    documents = test.documents()
    predicted = {line.label: _predicted(line, corpus, documents, workspace) for line in lines(experiment)}
    phrases = {
        f"{label} {number}": partial(iter, one.phrases)
        for label, found in predicted.items()
        if not isinstance(found, str)
        for number, one in enumerate(found)
    }
    scores = SystemOutputs(test.name, lambda: documents, phrases).scores(metrics=experiment.metrics)
    return {
        label: found if isinstance(found, str) else _scored(label, found, scores, test.path)
        for label, found in predicted.items()
    }


def _scored(label: str, found: Sequence[CachedPredictions], scores: Mapping[str, Scores], gold: Path) -> Measured:
    runs = [scores[f"{label} {number}"] for number in range(len(found))]
    return Measured(runs, gold, [one.file for one in found])


def _predicted(
    line: Line, corpus: str, documents: Sequence[Document], workspace: Workspace
) -> list[CachedPredictions] | str:
    """The predictions with each seed; systems that are not trained here have one."""
    seeds = workspace.scale.seeds if is_trained(line.subject, corpus, workspace) else 1
    places = [workspace.for_seed(number) for number in range(seeds)]
    try:
        systems = [ready(line.subject, corpus, place) for place in places]
    except MissingPartError as error:
        return str(error)
    return [predict(system, line.subject.name, line.decoding, documents, workspace) for system in systems]


def _values(experiment: Experiment, name: str, found: Mapping[str, Measured | str], track: Track) -> Iterator[Value]:
    known = {label: result for label, result in found.items() if isinstance(result, Measured)}
    for metric in experiment.metrics:
        results = _compared(experiment, metric, known, track)
        baseline = next(iter(results), None)
        for line in lines(experiment):
            question = Question(line.subject.published or line.subject.name, name, metric, line.decoding)
            published = score(experiment.published, question)
            result = found[line.label]
            if isinstance(result, str):
                yield Value(row=line.label, column=metric, published=published, missing=result)
            else:
                yield _value(results[line.label], result, published, baseline)
        for other in experiment.others:
            published = score(experiment.published, Question(other, name, metric))
            if published is not None:
                yield Value(row=f"{other} (paper only)", column=metric, published=published)


def _compared(experiment: Experiment, metric: str, known: Mapping[str, Measured], track: Track) -> dict[str, Result]:
    """Results by label, the best baseline first; without a baseline, the best of all."""
    baselines = [line.label for line in lines(experiment) if line.subject.baseline and line.label in known]
    candidates = baselines or list(known)
    if not candidates:
        return {}
    best = max(candidates, key=lambda label: known[label].scores.aggregate(metric))
    ordered = {best: known[best].scores} | {label: result.scores for label, result in known.items()}
    return {result.system: result for result in compare(ordered, [metric], progress=track).results}


def _value(result: Result, found: Measured, published: float | None, baseline: str | None) -> Value:
    scale = 100 if parse(result.metric).definition.share else 1
    measured = number(result.score)
    corrected = result.difference.corrected if result.difference else {}
    return Value(
        row=result.system,
        column=result.metric,
        measured=None if measured is None else scale * measured,
        interval=None if measured is None else (scale * result.interval.low, scale * result.interval.high),
        published=published,
        missing="no document has such phrases" if measured is None else None,
        signature=found.signature(result.metric),
        runs=tuple(scale * one.aggregate(result.metric) for one in found.runs) if len(found.runs) > 1 else (),
        command=found.command(result.metric),
        baseline=baseline,
        differs=bool(corrected) and all(p < LEVEL for p in corrected.values()),
        p={test: number(p) for test, p in corrected.items()},
    )
