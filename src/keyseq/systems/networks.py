"""Networks as a kind of system: loaded from an exported folder, trained into the folder of a run."""

import os
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from keyseq.errors import KeyseqError, nearest
from keyseq.imports import require
from keyseq.systems.training_job import TrainingJob, TrainingOutcome
from keyseq.types import System

START = "start"  # in the folder of a run, the restored network that it fine-tunes


def load_network(name: str, settings: Mapping[str, Any]) -> System:
    """Load a network of the package, from a folder, or from the hub."""
    from keyseq.systems.neural import NeuralSystem

    return NeuralSystem.from_pretrained(name, **settings)


def train_network(job: TrainingJob) -> TrainingOutcome:
    """Train a network, or resume an interrupted run; its checkpoints can then be exported."""
    from keyseq.config import load_settings
    from keyseq.config.loading import available
    from keyseq.systems.registry import TRAINABLE

    if job.system not in available() and not Path(job.system).is_file():
        known = [*available(), *TRAINABLE]
        raise KeyseqError(f"no system '{job.system}' to train, nor such a TOML file{nearest(job.system, known)}")
    settings = load_settings(job.system, job.overrides)
    if job.valid is None:
        raise KeyseqError("training a network needs --valid FILE, which selects the best checkpoint")
    # idle threads that spin slow down other processes on the same cores; read when torch loads
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    for module in ("torch", "accelerate", "pyarrow", "safetensors", "tensorboard"):
        require(module, "train")
    from keyseq.data.parallel import Work
    from keyseq.training.start import Files, RunOptions, train

    given = job.options
    start = _checkpoint(given["from"], job.out) if given.get("from") else None
    files = Files(
        train=job.train,
        valid=job.valid,
        out=job.out,
        corpus=given.get("corpus"),
        start=start,
        vectors=given.get("vectors"),
    )
    processes = given.get("processes") or os.cpu_count() or 1
    work = Work(processes=processes, track=job.progress.track, skip_bad=job.skip_bad)
    with job.progress.training(settings.training.steps) as report:
        done = train(settings, files, RunOptions(work=work, report=report, new_words=given.get("new-words", 0)))
    record = asdict(done.progress) | {"out": str(job.out)}
    return TrainingOutcome(record=record, skipped_count=done.skipped, reports=done.is_main_process)


def network_of(name: str) -> str:
    """The network of a name or folder; for a combined system, that which it uses."""
    from keyseq.systems.combined import MARK, read_settings
    from keyseq.systems.hub import locate

    folder = locate(name).folder
    if not (folder / MARK).is_file():
        return name
    network = read_settings(folder).network
    if not network:
        raise KeyseqError(f"{name}: a combined system without a network; name a network, such as scholar-network")
    return str(folder / network) if (folder / network).is_dir() else network


def _checkpoint(name: str, out: Path) -> Path:
    """The folder of the network to fine-tune; an exported one is restored into the folder of the run."""
    from filelock import FileLock

    from keyseq.files import make_folder, write_whole_folder
    from keyseq.network.storage import WEIGHTS, save_network
    from keyseq.runtime.restoring import restored
    from keyseq.systems.hub import locate

    place = locate(network_of(name))
    if (place.folder / WEIGHTS).is_file():
        return place.folder
    unpacked = out / START
    make_folder(out)
    with FileLock(out / f".{START}.lock"):  # one of several processes restores it for all
        if not unpacked.exists():
            with write_whole_folder(unpacked) as partial:
                save_network(restored(*place), partial)
    return unpacked
