"""The networks and rankers of an experiment: trained once, and then found by their key."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice
from pathlib import Path

from keyseq.config import Settings
from keyseq.data.formats import read_documents
from keyseq.errors import KeyseqError
from keyseq.experiments.budget import FEWEST_LEARNT, FEWEST_TESTED, LEARNT, VALIDATED
from keyseq.experiments.corpora import Training, training
from keyseq.experiments.definition import Subject
from keyseq.experiments.workspace import MissingPartError, Workspace, content, key
from keyseq.files import sha256
from keyseq.imports import require
from keyseq.systems import SYSTEMS
from keyseq.systems.kinds import KINDS, Kind, recognised
from keyseq.systems.rankers import settings_of
from keyseq.systems.registry import TRAINABLE, kind_named
from keyseq.systems.training_job import ProgressDisplay, TrainingJob

# Settings that do not affect the trained network
_FREE = ("log_every", "checkpoint_every", "checkpoint_minutes", "threads")


@dataclass(frozen=True, slots=True)
class Ready:
    """A system that can be loaded from `place`, a name or a folder."""

    place: str

    @property
    def kind(self) -> Kind:
        """The kind of the system."""
        return KINDS[kind_named(self.place)]


def ready(subject: Subject, corpus: str, workspace: Workspace) -> Ready:
    """Find a system, or train it on a corpus; raises `MissingPartError` with the text for its row."""
    given = _given(subject, corpus, workspace.networks)
    if given is not None:
        found = _from_folder(subject.name, given, workspace)
        if not subject.combined or not found.kind.decodes:  # what has been combined already is used as it is
            return found
        return _combined(subject, found, training(corpus, workspace), workspace)
    try:
        return _made(subject, corpus, workspace)
    except MissingPartError:
        raise
    except KeyseqError as error:  # a failed training must not prevent the other rows
        raise MissingPartError(f"not measured: {error}") from None


def _made(subject: Subject, corpus: str, workspace: Workspace) -> Ready:
    if subject.learns:
        return _ranker(subject.learns, subject.settings, training(corpus, workspace), workspace)
    if subject.config is None:
        return _named(subject.name)
    learned, scale = training(corpus, workspace), workspace.scale
    start = None
    if subject.start:
        start = _trained(subject.start, learned, scale.settings(subject.start, ()), workspace)
        scale = replace(scale, budget=scale.budget * subject.budget)
    settings = scale.settings(subject.config, subject.settings)
    name = subject.config if subject.combined else subject.name
    network = _network(name, learned, settings, workspace, start)
    return _combined(subject, network, learned, workspace) if subject.combined else network


def is_trained(subject: Subject, corpus: str, workspace: Workspace) -> bool:
    """Whether a network is trained here, which can be repeated with other seeds."""
    return subject.config is not None and _given(subject, corpus, workspace.networks) is None


def _given(subject: Subject, corpus: str, networks: Mapping[str, Path]) -> Path | None:
    return networks.get(f"{subject.name}@{corpus}") or networks.get(subject.name)


def _named(name: str) -> Ready:
    """A system that comes with keyseq."""
    if name not in SYSTEMS:
        raise MissingPartError(f"no system: {name}")
    return Ready(name)


def _ranker(name: str, overrides: Sequence[str], learned: Training, workspace: Workspace) -> Ready:
    """Train KEA or Maui on the first documents of a corpus."""
    settings = settings_of(name, overrides)
    number = workspace.scale.of(LEARNT, FEWEST_LEARNT)
    digest = key(name, asdict(settings), number, content(learned.train.path), KINDS["ranker"].revision)
    folder = workspace.folder("rankers") / f"{name}-{digest}"
    with workspace.alone(folder):
        if not folder.is_dir():
            workspace.progress.note(f"training {name} on the first {number:,} documents of {learned.train.name}")
            documents = islice(read_documents(learned.train.path), number)
            TRAINABLE[name].trainer()(documents, settings, track=workspace.progress.track).save(folder)
    return Ready(str(folder))


def _combined(subject: Subject, network: Ready, learned: Training, workspace: Workspace) -> Ready:
    """Make a combined system with a network, from the validation documents that select a checkpoint.

    The network has not learnt from them. It decodes all of them, a few a second.
    """
    from keyseq.systems.combined_training import train_combined

    sample = workspace.scale.of(VALIDATED, FEWEST_TESTED)
    overrides = (f"combined.sample={sample}", *subject.combined)
    digest = key(Path(network.place).name, overrides, content(learned.valid.path), KINDS["merged"].revision)
    folder = workspace.folder("combined") / f"{subject.name}-{digest}"
    with workspace.alone(folder):
        if not folder.is_dir():
            workspace.progress.note(f"combining {subject.name} on validation documents of {learned.valid.name}")
            job = TrainingJob(
                system="combined",
                train=[learned.valid.path],
                out=folder,
                overrides=overrides,
                options={"network": network.place},
                progress=ProgressDisplay(track=workspace.progress.track),
            )
            train_combined(job)
    return Ready(str(folder))


def _trained(name: str, learned: Training, settings: Settings, workspace: Workspace) -> Path:
    """The best checkpoint of a network that another one starts from."""
    _network(name, learned, settings, workspace)
    return workspace.folder("runs") / f"{name}-{network_key(learned, settings)}" / "best"


def _network(
    name: str, learned: Training, settings: Settings, workspace: Workspace, start: Path | None = None
) -> Ready:
    digest = network_key(learned, settings, start)
    run, exported = (workspace.folder(kind) / f"{name}-{digest}" for kind in ("runs", "networks"))
    with workspace.alone(exported):
        if not exported.is_dir():
            for module in ("torch", "accelerate", "pyarrow", "tensorboard", "onnx"):
                require(module, "train")
            workspace.progress.note(f"training {name} on {learned.train.name}, into {run}")
            _train(learned, settings, run, workspace, start)
            _export(run / "best", exported)
    return Ready(str(exported))


def network_key(learned: Training, settings: Settings, start: Path | None = None) -> str:
    """The cache key of a network: its settings, the content of its corpora, and the run that it starts from."""
    values = asdict(settings)
    del values["order"]  # not part of training
    values["training"] = {name: value for name, value in values["training"].items() if name not in _FREE}
    parts = [start.parent.name] if start else []
    return key(values, content(learned.train.path), content(learned.valid.path), *parts)


def _train(learned: Training, settings: Settings, run: Path, workspace: Workspace, start: Path | None = None) -> None:
    """Train a network, or resume its training."""
    from keyseq.data.parallel import Work
    from keyseq.training.start import Files, RunOptions, train

    progress = workspace.progress
    corpora = workspace.folder("corpora")
    files = Files(train=[learned.train.path], valid=learned.valid.path, out=run, corpus=corpora, start=start)
    with progress.training(settings.training.steps) as report:
        train(settings, files, RunOptions(work=Work(track=progress.track), report=report))


def _from_folder(name: str, folder: Path, workspace: Workspace) -> Ready:
    """A system that was trained elsewhere; the checkpoint of a network is exported here first."""
    if recognised(folder):
        return Ready(str(folder))
    require("torch", "train")
    from keyseq.network.storage import SETTINGS, VOCABULARY, WEIGHTS, find_network

    checkpoint = find_network(folder)
    digest = key([sha256(checkpoint / file) for file in (WEIGHTS, SETTINGS, VOCABULARY)])
    exported = workspace.folder("networks") / f"{name}-{digest}"
    with workspace.alone(exported):
        if not exported.is_dir():
            workspace.progress.note(f"exporting {checkpoint}")
            _export(checkpoint, exported)
    return Ready(str(exported))


def _export(checkpoint: Path, folder: Path) -> None:
    for module in ("torch", "onnx"):
        require(module, "train")
    from keyseq.network.storage import load_network
    from keyseq.runtime.exporting import export

    export(load_network(checkpoint), folder)
