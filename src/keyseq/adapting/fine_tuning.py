"""Fine-tune a network on a corpus in one command: validation part, recipe, training, export and calibration."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from keyseq.calibration.fitting import calibrate
from keyseq.data.formats import read_documents, write_documents
from keyseq.data.held_out import divide
from keyseq.errors import DataError
from keyseq.files import make_folder, write_whole
from keyseq.systems.hub import CHECKPOINT, EXPORTED, VALID
from keyseq.systems.networks import carry_out, prepare_training, starting_network
from keyseq.systems.training_job import TrainingJob, TrainingOutcome
from keyseq.types import Document

if TYPE_CHECKING:
    from keyseq.training.start import Outcome

RESULT = "result.json"
SCORES = {"all.f1@m": "F1@M", "present.f1@m": "present F1@M", "absent.f1@m": "absent F1@M", "loss": "loss"}
CALIBRATED = 200  # documents of the validation part that the exported network is calibrated on, at most


@dataclass(frozen=True, slots=True)
class _Parts:
    """What a run learns from and is validated on."""

    valid: Path
    documents: int  # to learn from
    held_out: bool  # whether the validation part is taken from the training files


def fine_tune(job: TrainingJob) -> TrainingOutcome:
    """Fine-tune the network of `--from`, or resume such a run; then export its best checkpoint and calibrate it.

    The settings are those of the network, and the recipe's for training. The folder of the run is then that of a
    system; `result.json` in it has the scores before and after.
    """
    prepare_training()
    from keyseq.network.storage import SETTINGS
    from keyseq.training.fine_tuning_settings import fine_tuning_settings

    start = starting_network(job)
    parts = _parts(job)
    settings = fine_tuning_settings(start / SETTINGS, parts.documents, job.overrides)
    done = carry_out(job, settings, {"valid": parts.valid, "start": start, "held_out": parts.held_out}, fine_tunes=True)
    record = {"out": str(job.out), "documents": parts.documents} | _gain(job.out, done)
    if done.is_main_process:
        if not _is_current(job.out, record):
            _finish(job, parts.valid, record)
        job.progress.note(_told(job.out, record))
    return TrainingOutcome(record=record, skipped_count=done.skipped, reports=done.is_main_process)


def _parts(job: TrainingJob) -> _Parts:
    """The given validation part, or a tenth of the corpus, which is stored in the folder of the run."""
    if job.valid is not None:
        count = sum(1 for document in _corpus(job.train, job) if document.keyphrases)
        if not count:
            raise DataError(f"{_names(job)}: no document has keyphrases to learn from")
        return _Parts(job.valid, count, held_out=False)
    valid = job.out / VALID
    division = divide(lambda: _corpus(job.train, job), _names(job))
    if not valid.is_file() or not (job.out / CHECKPOINT).is_dir():
        make_folder(job.out)
        write_documents(division.held_out, valid)
    job.progress.note(
        f"no --valid: {len(division.held_out):,} of the documents are held out for validation, in {valid};"
        f" {division.others:,} to learn from"
    )
    return _Parts(valid, division.others, held_out=True)


def _corpus(files: Iterable[Path], job: TrainingJob) -> Iterator[Document]:
    for file in files:
        yield from job.progress.track(read_documents(file, skipped=[] if job.skip_bad else None), str(file))


def _names(job: TrainingJob) -> str:
    return ", ".join(map(str, job.train))


def _gain(out: Path, done: "Outcome") -> dict[str, Any]:
    """The scores of the validation part before the first step and at the best one, from the log."""
    from keyseq.training.logs import LOG, read_log

    by_step = {line["step"]: line for line in read_log(out / LOG) if line["kind"] == "valid"}
    scores = {
        when: {name: by_step[step][name] for name in SCORES if name in by_step.get(step, {})}
        for when, step in (("before", 0), ("after", done.progress.best_step))
    }
    progress = done.progress
    return {"step": progress.step, "best_step": progress.best_step, "seconds": round(progress.seconds, 1), **scores}


def _is_current(out: Path, record: dict[str, Any]) -> bool:
    """Whether the best checkpoint was exported already."""
    try:
        stored = json.loads((out / RESULT).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return False
    return bool(stored.get("best_step") == record["best_step"]) and (out / EXPORTED).is_dir()


def _finish(job: TrainingJob, valid: Path, record: dict[str, Any]) -> None:
    """Export the best checkpoint, calibrate it on the validation part, and store the result."""
    from itertools import islice

    from keyseq.network.storage import load_network
    from keyseq.runtime.exporting import export
    from keyseq.training.checkpoint import replaced
    from keyseq.training.loop import BEST

    documents = (document for document in read_documents(valid, skipped=[]) if document.keyphrases)
    with replaced(job.out / EXPORTED) as folder:
        export(load_network(job.out / BEST), folder, "int8")
        calibrate(folder, islice(documents, CALIBRATED), job.progress.track)
    with write_whole(job.out / RESULT) as file:
        file.write(json.dumps(record, indent=2) + "\n")


def _told(out: Path, record: dict[str, Any]) -> str:
    """The improvement, in a sentence."""
    before, after = record["before"], record["after"]
    names = [name for name in SCORES if name in before and name in after]
    told = ", ".join(f"{SCORES[name]} {_shown(name, before)} → {_shown(name, after)}" for name in names)
    if not record["best_step"]:
        return f"no improvement on the validation part ({told}); {out} holds the network as it was"
    return (
        f"on the validation part (greedy decoding): {told}; best of {record['step']:,} steps: {record['best_step']:,};"
        f" keyseq generate --system {out} uses it"
    )


def _shown(name: str, scores: dict[str, float]) -> str:
    return f"{scores[name]:.3f}" if name == "loss" else f"{100 * scores[name]:.1f}"
