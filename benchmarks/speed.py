"""The speed of keyseq in one table: beside plain implementations, beside an earlier checkout, and beside the processor.

Everything is measured in processes of its own, which take turns, so that whatever else the machine does disturbs all of
them; a figure is the median of its runs. `--only WORD` measures only the work whose name has that word.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.figures import Figure
from benchmarks.startup import HERE
from keyseq.errors import KeyseqError

ROUNDS = 5
KEYSEQ, PLAIN, BEFORE = "keyseq", "plain", "before"
SMALL = ("model.vocabulary=2000", "model.encoder_size=20", "model.hidden_size=20")
SEARCHED = ("model.vocabulary=2000",)
BEAM, LENGTH = 50, 40  # of an exhaustive search

Options = Mapping[str, Any]
Measure = tuple[str, Options]  # a function of the worker, and its options


@dataclass(frozen=True, kw_only=True)
class Trial:
    """A kind of work, how it is measured, and how an earlier checkout and a plain implementation do it.

    `operations` are those of the matrix products of a document, if the work is little else.
    """

    work: str
    measure: Measure
    plain: tuple[str, Measure] | None = None  # with its name
    before: Measure | None = None  # by default the same as now
    cores: int = 0  # that a process may use; 0 for all
    operations: float = 0.0


@dataclass
class Runs:
    """The figures of a trial by contestant and unit, of all rounds."""

    trial: Trial
    values: dict[str, dict[str, list[float]]] = field(default_factory=dict)

    def add(self, contestant: str, found: Mapping[str, float]) -> None:
        """Keep what one process found."""
        for unit, value in found.items():
            self.values.setdefault(contestant, {}).setdefault(unit, []).append(value)

    def median(self, contestant: str, unit: str) -> float | None:
        """The median of the runs, if there are any."""
        values = self.values.get(contestant, {}).get(unit)
        return statistics.median(values) if values else None


def run(quick: bool = False, before: Path | None = None, only: str = "") -> list[Figure]:
    """Measure all trials, each as many rounds as there are, and every contestant once a round."""
    with tempfile.TemporaryDirectory() as folder:
        trials = [trial for trial in _trials(Path(folder), quick) if only in trial.work]
        if not trials:
            raise KeyseqError(f"no work has '{only}' in its name")
        peaks = _peaks() if any(trial.operations for trial in trials) else {}
        found = [_measured(trial, before, 1 if quick else ROUNDS) for trial in trials]
    limits = [
        Figure(name="one large matrix product, float32", value=peak / 1e9, unit=f"Gflop/s, cores: {cores}")
        for cores, peak in peaks.items()
    ]
    return [*limits, *(figure for runs in found for figure in _figures(runs, peaks))]


def _trials(folder: Path, quick: bool) -> Iterator[Trial]:
    yield from _training(quick)
    yield from _decoding(folder, quick)
    yield from _evaluation(quick)
    few = 12 if quick else 200
    yield Trial(work="default, two cores", measure=("default", {"count": few, "threads": 2}), cores=2)
    shared = {"count": 256 if quick else 1_000, "workers": 2}
    yield Trial(work="default, two cores, two workers", measure=("by_workers", shared), cores=2)
    yield Trial(work="default, one core", measure=("default", {"count": few, "threads": 1}), cores=1)
    for strategy, count in (("distinct", 4 * few), ("exhaustive", few // 6)):
        options = {"strategy": strategy, "count": count, "threads": 1}
        yield Trial(work=f"scholar-network, {strategy}, one core", measure=("network", options), cores=1)
    for name, plain in (("textrank", "yake"), ("tfidf", "plain RAKE")):
        measure = "extracting", {"name": name, "count": few}
        beside = "plain_extracting", {"name": plain, "count": few}
        yield Trial(work=f"{name}, one core", measure=measure, plain=(plain, beside), cores=1)
    yield Trial(work="cold start", measure=("starting", {}), plain=("import torch", ("importing_torch", {})), cores=1)
    yield Trial(work="server", measure=("serving", {"seconds": 0.5 if quick else 4.0}))


def _training(quick: bool) -> Iterator[Trial]:
    """catSeq with 50,000 output words: on one core, by two processes, and by one process on two cores."""
    sizes = SMALL if quick else ()
    rounded = (*sizes, "training.precision=bfloat16")
    for batch in (8,) if quick else (64, 128):
        task = {"settings": "catseq", "overrides": sizes, "steps": 1 if quick else 3, "documents": batch, "threads": 1}
        alone: Measure = "training", {"task": task, "processes": 1}
        plain = "plain torch", ("training", {"task": {**task, "plain": True, "steps": 1}, "processes": 1})
        trial = partial(Trial, cores=1, operations=_operations(sizes))
        yield trial(work=f"training, batch {batch}, one core", measure=alone, plain=plain)
        if _has_bfloat16():
            measure = "training", {"task": {**task, "overrides": rounded}, "processes": 1}
            yield trial(work=f"training, batch {batch}, one core, bfloat16", measure=measure, before=alone)
        if batch > 64:
            continue
        share, whole = {**task, "documents": batch // 2}, {**task, "threads": 2}
        for name, part, processes in (("two processes", share, 2), ("one process", whole, 1)):
            measure = "training", {"task": part, "processes": processes}
            yield Trial(work=f"training, batch {batch}, two cores, {name}", measure=measure)


def _decoding(folder: Path, quick: bool) -> Iterator[Trial]:
    """Searches of catSeqD's sizes by random weights, which run to their full length, on one core."""
    sizes = SEARCHED if quick else ()
    counts = {"greedy": (64, 64), "exhaustive": (4, 1)}
    for strategy, (many, few) in counts.items():
        plain = "plain torch", ("plain_decoding", {"strategy": strategy, "count": few, "overrides": sizes})
        for storage in ("float32", "int8"):
            network = {"folder": str(folder), "storage": storage, "overrides": sizes}
            options = {"network": network, "strategy": strategy, "count": 2 if quick else many}
            operations = _searched(sizes) if (strategy, storage) == ("exhaustive", "float32") else 0.0
            yield Trial(
                work=f"{strategy}, one core, {storage}",
                measure=("decoding", options),
                plain=plain,
                cores=1,
                operations=operations,
            )


def _evaluation(quick: bool) -> Iterator[Trial]:
    count = 1_000 if quick else 20_000
    plain = "plain evaluation", ("plain_evaluating", {"count": count})
    for processes, place in ((1, "memory"), (1, "files"), (2, "files")):
        options = {"count": count, "processes": processes, "place": place}
        work = f"evaluation, {place}, processes: {processes}"
        yield Trial(work=work, measure=("evaluating", options), plain=plain, cores=processes)
    measure = "evaluate_command", {"count": count}
    yield Trial(work="evaluation, the whole command, one core", measure=measure, plain=plain, cores=1)


def _operations(overrides: Sequence[str]) -> float:
    """Of the matrix products of a document that is trained on."""
    from benchmarks.training import DOCUMENTS, products
    from benchmarks.training_worker import documents
    from keyseq.config import load_settings

    model = load_settings("catseq", overrides).model
    batch = documents(DOCUMENTS, model.vocabulary)
    source, target = (float(lengths.float().mean()) for lengths in (batch.source_lengths, batch.target_lengths))
    return sum(products(model, source, target).values())


def _searched(overrides: Sequence[str]) -> float:
    """Of the output layer in an exhaustive search of one document, if every product is done."""
    from keyseq.config import load_settings

    model = load_settings("catseqd", overrides).model
    return 2.0 * BEAM * LENGTH * (model.output_size + 1) * model.vocabulary


def _has_bfloat16() -> bool:
    from keyseq.training.bfloat16 import bfloat16_problem

    return bfloat16_problem() is None


def _peaks() -> dict[int, float]:
    """Floating-point operations per second of one large matrix product, by the cores it may use."""
    from benchmarks.training import gemm_peak

    return {cores: gemm_peak(cores) for cores in (1,)}


def _measured(trial: Trial, before: Path | None, rounds: int) -> Runs:
    """The contestants in turn, as many rounds as asked for."""
    contestants = {KEYSEQ: (trial.measure, HERE)}
    if before is not None:
        contestants[BEFORE] = trial.before or trial.measure, before
    if trial.plain is not None:
        contestants[PLAIN] = trial.plain[1], HERE
    runs = Runs(trial)
    for _ in range(rounds):
        for name, (measure, checkout) in contestants.items():
            runs.add(name, _found(measure, trial.cores, checkout))
    sys.stderr.write(f"{trial.work}: {json.dumps(runs.values)}\n")
    return runs


def _found(measure: Measure, cores: int, checkout: Path) -> dict[str, float]:
    """What a process of its own measures on a checkout's keyseq; nothing where that cannot do such work."""
    command = [sys.executable, "-m", "benchmarks.speed_worker", json.dumps([*measure, cores])]
    environment = os.environ | {"PYTHONPATH": str((checkout / "src").resolve())}
    process = subprocess.run(command, capture_output=True, text=True, cwd=HERE, env=environment, check=False)
    if process.returncode:
        if checkout == HERE:
            raise KeyseqError(f"{measure[0]} cannot be measured: {process.stderr}")
        sys.stderr.write(f"{checkout} cannot do this: {process.stderr.strip().splitlines()[-1:]}\n")
        return {}
    found: dict[str, float] = json.loads(process.stdout.splitlines()[-1])
    return found


def _figures(runs: Runs, peaks: Mapping[int, float]) -> Iterator[Figure]:
    """A figure for each unit of a trial; ratios say how many times better it is than the others."""
    trial = runs.trial
    for unit, values in runs.values[KEYSEQ].items():
        value = statistics.median(values)
        plain, before = (runs.median(name, unit) for name in (PLAIN, BEFORE))
        share = value * trial.operations / peaks[trial.cores] if trial.operations else None
        yield Figure(
            name=trial.work,
            value=value,
            unit=unit,
            baseline=trial.plain[0] if trial.plain and plain else "",
            ratio=_times(value, plain, unit),
            before=_times(value, before, unit),
            share=share,
            runs={name: found[unit] for name, found in runs.values.items() if unit in found},
        )


def _times(value: float, other: float | None, unit: str) -> float | None:
    """How many times better a figure is than another: of speeds the higher, of seconds and megabytes the lower."""
    if other is None:
        return None
    return value / other if unit.startswith(("documents/s", "of direct")) else other / value
