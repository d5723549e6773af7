"""Networks as a kind of system: loaded from an exported folder, trained into the folder of a run."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from keyseq.errors import KeyseqError, nearest
from keyseq.imports import referred, require
from keyseq.systems.training_job import TrainingJob, TrainingOutcome
from keyseq.types import System

if TYPE_CHECKING:
    from keyseq.config import Settings
    from keyseq.training.start import Outcome

START, ORIGIN = "start", "network.txt"  # in the folder of a run, the restored network that it fine-tunes; its name


def load_network(name: str, settings: Mapping[str, Any]) -> System:
    """Load a network of the package, from a folder, or from the hub."""
    from keyseq.systems.neural import NeuralSystem

    return NeuralSystem.from_pretrained(name, **settings)


def train_network(job: TrainingJob) -> TrainingOutcome:
    """Train a network, or resume an interrupted run; its checkpoints can then be exported."""
    from keyseq.config import load_settings
    from keyseq.config.loading import available
    from keyseq.systems.kinds import KINDS
    from keyseq.systems.registry import SYSTEMS, TRAINABLE

    if job.system in SYSTEMS:
        if not KINDS[SYSTEMS[job.system].kind].network:
            raise KeyseqError(
                f"{job.system}: needs no training; keyseq train makes {', '.join(TRAINABLE)} or a network"
            )
        raise KeyseqError(f"{job.system}: is trained already; keyseq train --from {job.system} fine-tunes its network")
    if job.system not in available() and not Path(job.system).is_file():
        known = [*available(), *TRAINABLE]
        raise KeyseqError(f"no system '{job.system}' to train, nor such a TOML file{nearest(job.system, known)}")
    settings = load_settings(job.system, job.overrides)
    if job.valid is None:
        without = f"; without {job.system}, --from takes it from the corpus" if job.options.get("from") else ""
        raise KeyseqError(f"training a network needs --valid FILE, which selects the best checkpoint{without}")
    prepare_training()
    start = starting_network(job) if job.options.get("from") else None
    done = carry_out(job, settings, {"valid": job.valid, "start": start})
    record = asdict(done.progress) | {"out": str(job.out)}
    return TrainingOutcome(record=record, skipped_count=done.skipped, reports=done.is_main_process)


def prepare_training() -> None:
    """Require what training imports, and set what torch reads when it loads."""
    # idle threads that spin slow down other processes on the same cores
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    for module in ("torch", "accelerate", "onnx", "pyarrow", "safetensors", "tensorboard"):
        require(module, "train")


def carry_out(job: TrainingJob, settings: "Settings", files: Mapping[str, Any], fine_tunes: bool = False) -> "Outcome":
    """Train or resume the network of a job; `files` are further fields of `Files`."""
    from keyseq.data.parallel import Work
    from keyseq.training.start import Files, RunOptions, train

    given = job.options
    further = {"corpus": given.get("corpus"), "vectors": given.get("vectors"), "titles": given.get("titles", ())}
    every = Files(train=job.train, out=job.out, **further, **files)
    processes = given.get("processes") or os.cpu_count() or 1
    work = Work(processes=processes, track=job.progress.track, skip_bad=job.skip_bad)
    with job.progress.training(settings.training.steps) as report:
        options = RunOptions(work=work, report=report, new_words=given.get("new-words", 0), fine_tunes=fine_tunes)
        return train(settings, every, options)


def network_of(name: str) -> str:
    """The network of a name or folder; for a combined system, that which it uses."""
    from keyseq.systems.hub import locate
    from keyseq.systems.kinds import KINDS, recognised
    from keyseq.systems.registry import SYSTEMS, TRAINABLE

    entry = SYSTEMS[name] if name in SYSTEMS else TRAINABLE.get(name)
    if entry is not None and not KINDS[entry.kind].network:
        raise KeyseqError(f"{name}: {_not_a_network(entry.uses)}")
    if entry is not None and name in TRAINABLE:
        raise KeyseqError(f"{name}: must be trained first; {_NAME_ONE}")
    folder = locate(name).folder
    kind = KINDS[recognised(folder) or "network"]  # the folder of a run has no mark
    if not kind.network:
        raise KeyseqError(f"{name}: {kind.description}, without a network; {_NAME_ONE}")
    return cast(str, referred(kind.network)(name, folder))


def same_network(name: str, _folder: Path) -> str:
    """The network of a system that is one."""
    return name


def combined_network(name: str, folder: Path) -> str:
    """The network of a combined system: a folder inside its own, or the name of a network of the package."""
    from keyseq.systems.combined import read_settings

    network = read_settings(folder).network
    if not network:
        raise KeyseqError(f"{name}: a combined system without a network; {_NAME_ONE}")
    return str(folder / network) if (folder / network).is_dir() else network


_NAME_ONE = "name a network, such as scholar-network"


def _not_a_network(uses: Sequence[str]) -> str:
    if uses:
        return f"chooses between the systems {', '.join(uses)}; name one of them, or a network, such as scholar-network"
    return f"a method without a network; {_NAME_ONE}"


def starting_network(job: TrainingJob) -> Path:
    """The folder of the network that a job fine-tunes; an exported one is restored into the folder of the run."""
    from filelock import FileLock

    from keyseq.files import make_folder, write_whole_folder
    from keyseq.network.storage import CHECKPOINTS, WEIGHTS, save_network
    from keyseq.runtime.restoring import restored
    from keyseq.systems.hub import locate

    name = job.options["from"]
    for checkpoint in CHECKPOINTS:
        if (Path(name).expanduser() / checkpoint / WEIGHTS).is_file():
            return Path(name).expanduser() / checkpoint
    network = network_of(name)
    unpacked = job.out / START
    make_folder(job.out)
    with FileLock(job.out / f".{START}.lock"):  # one of several processes restores it for all
        if not unpacked.exists():
            with write_whole_folder(unpacked) as partial:
                save_network(restored(*locate(network)), partial)
                (partial / ORIGIN).write_text(network, encoding="utf-8")
    origin = (unpacked / ORIGIN).read_text(encoding="utf-8") if (unpacked / ORIGIN).is_file() else network
    if origin != network:
        raise KeyseqError(f"{job.out}: is a run that fine-tunes {origin}, not {network}; choose another folder")
    return unpacked
