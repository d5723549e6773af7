"""Supervised rankers as a kind of system: loading and training, without PyTorch."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from keyseq.errors import DataError
from keyseq.systems.kinds import ENOUGH
from keyseq.systems.registry import TRAINABLE, Entry
from keyseq.systems.training_job import TrainingJob, TrainingOutcome
from keyseq.types import Document, System

if TYPE_CHECKING:
    from keyseq.extractive.trained import TrainedRanker

METRICS = ("present.f1@5", "present.f1@10", "present.f1@o")


def load_ranker(name: str, settings: Mapping[str, Any]) -> System:
    """Load a ranker from its folder."""
    folder = Path(name).expanduser()
    ranker = describe_ranker(folder).reference("system").load(folder)
    ranker.name = name
    return cast(System, ranker.with_settings(**settings))


def describe_ranker(folder: Path) -> Entry:
    """The entry of the ranker in a folder."""
    from keyseq.extractive.trained import trained_system

    known = [name for name, entry in TRAINABLE.items() if entry.kind == "ranker"]
    return TRAINABLE[trained_system(folder, known)]


def train_ranker(job: TrainingJob) -> TrainingOutcome:
    """Train a ranker by its name, and write it into a new folder, atomically."""
    from keyseq.files import make_folder, write_whole_folder

    entry, skipped = TRAINABLE[job.system], cast(list[str], [])
    settings = settings_of(job.system, job.overrides)
    taken = skipped if job.skip_bad else None
    more = {} if "vocabulary" not in job.options else {"vocabulary": _vocabulary(job)}
    make_folder(job.out.parent)
    with write_whole_folder(job.out) as partial:  # first, so that an existing folder is refused before the work
        documents = _documents(job.train, job, taken)
        ranker = entry.trainer()(documents, settings, track=job.progress.track, **more)
        ranker.write(partial)
    record: dict[str, Any] = {"system": job.system, "documents": ranker.frequencies.documents, "out": str(job.out)}
    job.progress.note(
        f"{job.system} was trained on {record['documents']:,} documents; use it with keyseq generate --system {job.out}"
    )
    if job.valid is not None:
        record["valid"] = _scores(ranker, job.valid, job, taken)
        told = (f"{metric} {100 * value:.2f}" for metric, value in record["valid"].items())
        job.progress.note(f"{job.valid}: {', '.join(told)}")
    return TrainingOutcome(record=record, skipped=skipped, skipped_count=len(skipped))


def settings_of(system: str, overrides: Iterable[str]) -> Any:
    """The settings to train a ranker with: its defaults, overridden by `system.key=value`."""
    from keyseq.config.single import overridden

    return overridden(system, TRAINABLE[system].reference("settings"), overrides)


def _vocabulary(job: TrainingJob) -> Any:
    from keyseq.vocabularies.vocabulary_file import read_vocabulary

    vocabulary = read_vocabulary(job.options["vocabulary"])
    for remark in vocabulary.remarks:
        job.progress.note(remark)
    return vocabulary


def _documents(paths: Iterable[Path], job: TrainingJob, skipped: list[str] | None) -> Iterator[Document]:
    from keyseq.data.formats import read_documents

    for path in paths:
        for document in job.progress.track(read_documents(path, skipped=skipped), str(path)):
            if document.keyphrases is None:
                raise DataError(f"{path}: document '{document.id}' has no keyphrases to learn from")
            yield document


def _scores(ranker: "TrainedRanker[Any]", path: Path, job: TrainingJob, skipped: list[str] | None) -> dict[str, float]:
    from keyseq.evaluation import evaluate, protocols

    documents = list(_documents([path], job, skipped))
    system = ranker.with_settings(top=ENOUGH)
    shown = job.progress.track(documents, path.name, len(documents))
    predicted = [[phrase.text for phrase in system.predict([one])[0]] for one in shown]
    protocol = protocols.find(protocols.DEFAULT, {"language": ranker.analyzer.language})
    scores = evaluate(documents, predicted, protocol=protocol, metrics=METRICS, processes=1)
    return {metric: scores.aggregate(metric) for metric in METRICS}
