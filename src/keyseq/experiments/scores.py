"""A table of scores: every system on every test set, with intervals, and tests against the best baseline."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

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
from keyseq.experiments.training import ready
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
    """A line's scores on a test set, with the files of its gold and its predictions."""

    scores: Scores
    gold: Path
    predictions: Path

    def command(self, metric: str) -> str:
        """The command that recomputes a score from the stored predictions."""
        return shlex.join(["keyseq", "evaluate", str(self.gold), str(self.predictions), "--metrics", metric])


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
    phrases = {label: partial(iter, one.phrases) for label, one in predicted.items() if not isinstance(one, str)}
    scores = SystemOutputs(test.name, lambda: documents, phrases).scores(metrics=experiment.metrics)
    return {
        label: one if isinstance(one, str) else Measured(scores[label], test.path, one.file)
        for label, one in predicted.items()
    }


def _predicted(line: Line, corpus: str, documents: Sequence[Document], workspace: Workspace) -> CachedPredictions | str:
    try:
        system = ready(line.subject, corpus, workspace)
    except MissingPartError as error:
        return str(error)
    return predict(system, line.subject.name, line.decoding, documents, workspace)


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
        signature=found.scores.signature(result.metric),
        command=found.command(result.metric),
        baseline=baseline,
        differs=bool(corrected) and all(p < LEVEL for p in corrected.values()),
        p={test: number(p) for test, p in corrected.items()},
    )
