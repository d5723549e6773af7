"""The training loop: when a run logs, validates, saves and stops."""

import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import Literal

from accelerate import Accelerator

from keyseq.data.batching import Batches
from keyseq.training.checkpoint import Checkpoint, Progress
from keyseq.training.logs import Logs
from keyseq.training.policy_gradient import PolicySteps, PolicyTerms
from keyseq.training.steps import NotFiniteError, Steps, Terms
from keyseq.training.tasks import TitleBatches
from keyseq.training.validation_scores import Validation, selection

LAST, BEST = "last", "best"
Kind = Literal["begin", "step", "valid", "saved"]


@dataclass(frozen=True, slots=True)
class Event:
    """An event of a run for its progress display: start, step, validation or checkpoint."""

    kind: Kind
    progress: Progress
    values: Mapping[str, float]
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """The parts of a run; its checkpoint is the state that it starts from.

    A run that fine-tunes validates the network that it starts from too, which is the best one until another is better.
    """

    checkpoint: Checkpoint
    steps: Steps | PolicySteps
    batches: Batches
    validation: Validation
    accelerator: Accelerator
    out: Path
    report: Callable[[Event], None]
    fine_tunes: bool = False
    titles: TitleBatches | None = None


class Loop:
    """Carries out a run."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.progress = run.checkpoint.progress
        self._settings = run.checkpoint.stored.settings.training
        self._begun = time.monotonic() - self.progress.seconds
        self._saved = _Moment(self.progress.step)
        self._window = _Window()
        self._logs = Logs(run.out, self.progress.step) if run.accelerator.is_main_process else None

    def complete(self) -> Progress:
        """Train until the last step, or until early stopping."""
        self._report("begin", {}, self._opening())
        try:
            if self.run.fine_tunes and self.progress.step == 0:
                self._validate()
            while not self._finished:
                self._epoch()
        except NotFiniteError as error:
            raise NotFiniteError(self._explained(error)) from None
        finally:
            if self._logs:
                self._logs.close()
        return self.progress

    @property
    def _finished(self) -> bool:
        patience = self._settings.patience
        return self.progress.step >= self._settings.steps or 0 < patience <= self.progress.stale

    def _epoch(self) -> None:
        for members in self.run.batches.plan(self.progress.epoch)[self.progress.place :]:
            self._learn_titles()
            if self._finished:
                return
            batch = self.run.batches.batch(members, self.progress.epoch)
            terms = self.run.steps.take(batch, self.progress.step + 1)
            self._advance(terms, len(members))
            if self._finished:
                return
        self.progress = replace(self.progress, epoch=self.progress.epoch + 1, place=0)

    def _learn_titles(self) -> None:
        """Take the steps of titles that are due."""
        titles, steps = self.run.titles, self.run.steps
        while isinstance(steps, Steps) and titles and titles.is_due(self.progress.step + 1) and not self._finished:
            batch = titles.batch(self.progress.step + 1)
            self._advance(steps.take_titles(batch, self.progress.step + 1), len(batch), titles=True)

    def _advance(self, terms: Terms | PolicyTerms, documents: int, titles: bool = False) -> None:
        """Count a step, then log, validate and save if due."""
        step, place = self.progress.step + 1, self.progress.place + (not titles)
        self.progress = replace(self.progress, step=step, place=place, seconds=time.monotonic() - self._begun)
        self._window.add(terms, documents, titles)
        self._report("step", asdict(terms) | {"documents": documents})
        if step % self._settings.log_every == 0:
            self._log("train", self._window.means())
            self._window = _Window()
        if step % self._settings.validate_every == 0 or step == self._settings.steps:
            self._validate()
        if self._finished or self._saved.is_over(
            step, self._settings.checkpoint_every, self._settings.checkpoint_minutes
        ):
            self._save()

    def _validate(self) -> None:
        values = self.run.validation(self.run.checkpoint.stored.network, self.run.accelerator)
        self.progress = self.progress.after_validation(selection(values, self.run.fine_tunes))
        self._log("valid", values)
        self._report("valid", values)
        if self.progress.best_step == self.progress.step and self.run.accelerator.is_main_process:
            replace(self.run.checkpoint, progress=self.progress).save_network(self.run.out / BEST)

    def _save(self) -> None:
        self._saved = _Moment(self.progress.step)
        if self.run.accelerator.is_main_process:
            replace(self.run.checkpoint, progress=self.progress).save(self.run.out / LAST)
            self._report("saved", {})

    def _log(self, kind: str, values: Mapping[str, float]) -> None:
        if self._logs:
            self._logs.write(kind, self.progress.step, values)

    def _report(self, kind: Kind, values: Mapping[str, float], note: str = "") -> None:
        if self.run.accelerator.is_main_process:
            self.run.report(Event(kind, self.progress, values, note))

    def _opening(self) -> str:
        step, stored = self.progress.step, self.run.checkpoint.stored
        weights = sum(weight.numel() for weight in stored.network.parameters())
        trained = sum(weight.numel() for weight in stored.network.parameters() if weight.requires_grad)
        share = f" ({trained:,} of them trained)" if trained < weights else ""
        network = f"{weights:,} weights{share}, {len(stored.vocabulary):,} words"
        begun = f"{'finished at' if self._finished else 'resumed at'} step {step:,}" if step else "a new run"
        return f"{self.run.batches.corpus.report}; {network}; {begun}"

    def _explained(self, error: NotFiniteError) -> str:
        kept = f"the checkpoint of step {self._saved.step} is kept in {self.run.out / LAST}"
        return (
            f"stopped before step {self.progress.step + 1}: {error};"
            f" {kept if self._saved.step else 'there is no checkpoint yet'};"
            " try a lower training.learning_rate or training.clip"
        )


class _Moment:
    """Step and time of the last checkpoint."""

    def __init__(self, step: int) -> None:
        self.step = step
        self._time = time.monotonic()

    def is_over(self, step: int, steps: int, minutes: float) -> bool:
        late = 0 < 60 * minutes <= time.monotonic() - self._time
        return late or (steps > 0 and step % steps == 0)


class _Window:
    """The steps since the last log entry."""

    def __init__(self) -> None:
        self._terms: list[dict[str, float]] = []
        self._titles: list[float] = []
        self._documents = 0
        self._begun = time.monotonic()

    def add(self, terms: Terms | PolicyTerms, documents: int, titles: bool) -> None:
        if titles:
            self._titles.append(asdict(terms)["nll"])
        else:
            self._terms.append(asdict(terms))
        self._documents += documents

    def means(self) -> dict[str, float]:
        names = self._terms[0] if self._terms else ()
        means = {name: fmean(terms[name] for terms in self._terms) for name in names}
        means |= {"titles": fmean(self._titles)} if self._titles else {}
        return means | {"documents_per_second": self._documents / (time.monotonic() - self._begun)}
