"""Checkpoints: everything needed to resume a run exactly, written atomically."""

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.optim import Optimizer

from keyseq.config import Settings
from keyseq.config.renamed import earlier_order, renamed_keys
from keyseq.errors import KeyseqError
from keyseq.files import sync, write_whole_folder
from keyseq.network.storage import WEIGHTS, Stored, load_weights, read_tensors, save_network, write_tensors
from keyseq.version import __version__

OPTIMIZER, STATE = "optimizer.safetensors", "state.json"
LAYOUT = 2
BY_NUMBER = 1  # the layout whose optimizer state is keyed by the numbers of weights

# Settings that may change when a run is resumed: they do not affect the steps already taken
_FREE = ("steps", "patience", "log_every", "checkpoint_every", "checkpoint_minutes", "threads")


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """The progress of a run; together with the seed it determines all later random choices."""

    step: int = 0  # steps done
    epoch: int = 0
    place: int = 0  # batches of the epoch done
    best: float | None = None  # best validation score
    best_step: int = 0
    stale: int = 0  # validations since the best
    seconds: float = 0.0

    def after_validation(self, score: float) -> "Progress":
        """Update with the score of a validation."""
        if self.best is None or score > self.best:
            return replace(self, best=score, best_step=self.step, stale=0)
        return replace(self, stale=self.stale + 1)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The state of a run between two steps. `corpus` is the key of its corpus, `scaler` the gradient scaler, if any."""

    stored: Stored
    optimizer: Optimizer
    progress: Progress
    corpus: str
    scaler: "torch.amp.GradScaler | None" = None

    def save(self, folder: Path) -> None:
        """Write everything, replacing an earlier checkpoint."""
        with replaced(folder) as new:
            save_network(self.stored, new)
            tensors, rest = _flat(self.optimizer.state_dict(), self._trained())
            write_tensors(tensors, new / OPTIMIZER)
            scaler = self.scaler.state_dict() if self.scaler else None
            _write_state(new, self._state() | {"optimizer": rest, "scaler": scaler})

    def save_network(self, folder: Path) -> None:
        """Write the network without the optimizer."""
        with replaced(folder) as new:
            save_network(self.stored, new)
            _write_state(new, self._state())

    def _state(self) -> dict[str, Any]:
        return {
            "layout": LAYOUT,
            "keyseq": __version__,
            "torch": torch.__version__,
            "corpus": self.corpus,
            "progress": asdict(self.progress),
            "settings": self.stored.settings.to_mapping(),
        }

    def restored(self, folder: Path) -> "Checkpoint":
        """Load the state of a folder, which must be of a run with the same settings and corpus."""
        state = _read_state(folder)
        self._check_same_run(state, folder)
        load_weights(self.stored.network, folder / WEIGHTS)
        tensors = read_tensors(folder / OPTIMIZER)
        try:
            self.optimizer.load_state_dict(_nested(self._by_name(tensors, state), state, self._trained()))
            if self.scaler and state["scaler"]:
                self.scaler.load_state_dict(state["scaler"])
            return replace(self, progress=Progress(**state["progress"]))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise KeyseqError(f"{folder}: damaged checkpoint ({error}); delete it to start over") from None

    def _trained(self) -> list[str]:
        """The names of trained weights, in the order of the optimizer."""
        return [name for name, weight in self.stored.network.named_parameters() if weight.requires_grad]

    def _by_name(self, tensors: Mapping[str, Tensor], state: Mapping[str, Any]) -> Mapping[str, Tensor]:
        """The optimizer state by names of weights, whichever layout it was stored in."""
        if state["layout"] != BY_NUMBER:
            return tensors
        names = earlier_order(self._trained())
        numbered = (name.partition(".") for name in tensors)
        return {f"{names[int(number)]}.{slot}": tensors[f"{number}.{slot}"] for number, _, slot in numbered}

    def _check_same_run(self, state: Mapping[str, Any], folder: Path) -> None:
        differing = list(_differences(state["settings"], self.stored.settings.to_mapping()))
        if differing:
            what = "; ".join(differing)
            raise KeyseqError(f"{folder}: belongs to a run with other settings: {what}; choose another folder")
        if state["corpus"] != self.corpus:
            raise KeyseqError(f"{folder}: belongs to a run on another corpus; choose another folder")


def latest(folder: Path) -> Path | None:
    """The complete checkpoint: `folder`, or the previous one if a run was killed while replacing it."""
    return next((place for place in (folder, _earlier(folder)) if place.is_dir()), None)


def clear(folder: Path) -> None:
    """Remove partial checkpoints of a run that was killed."""
    for partial in folder.glob(".*.new.*"):
        shutil.rmtree(partial, ignore_errors=True)


@contextmanager
def replaced(folder: Path) -> Iterator[Path]:
    """Write a folder that replaces an earlier one only when it is complete and synced to disk."""
    new, earlier = folder.with_name(f"{folder.name}.new"), _earlier(folder)
    shutil.rmtree(new, ignore_errors=True)
    try:
        with write_whole_folder(new) as partial:
            yield partial
    except KeyseqError as error:
        raise KeyseqError(f"{error}; the previous checkpoint is kept" if folder.is_dir() else str(error)) from error
    try:
        if folder.is_dir():
            shutil.rmtree(earlier, ignore_errors=True)
            folder.rename(earlier)
        new.rename(folder)
        sync(folder.parent)
        shutil.rmtree(earlier, ignore_errors=True)
    except OSError as error:
        raise KeyseqError(f"{folder}: cannot be replaced ({error.strerror or error})") from None


def _earlier(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}.old")


def _write_state(folder: Path, state: Mapping[str, Any]) -> None:
    (folder / STATE).write_text(json.dumps(state, indent=2) + "\n", encoding="utf-8")


def _read_state(folder: Path) -> dict[str, Any]:
    try:
        state: dict[str, Any] = json.loads((folder / STATE).read_text(encoding="utf-8"))
        layout = state["layout"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        raise KeyseqError(f"{folder / STATE}: missing or damaged; delete {folder} to start over") from None
    if layout not in (BY_NUMBER, LAYOUT):
        raise KeyseqError(f"{folder}: written by another version of keyseq ({state.get('keyseq')})")
    return state


def _differences(theirs: Mapping[str, Any], ours: Mapping[str, Any]) -> Iterator[str]:
    defaults = Settings().to_mapping()  # for settings added since
    for section, settings in ours.items():
        stored = defaults[section] | renamed_keys(section, theirs.get(section, {}))
        for key, value in settings.items():
            there = stored[key]
            if there != value and not (section == "training" and key in _FREE):
                yield f"{section}.{key} is {there} there and {value} here"


def _flat(state: Mapping[str, Any], names: Sequence[str]) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """Split an optimizer's state into tensors, by names of weights and slots, and a JSON-serialisable rest."""
    slots = ((names[number], slot, value) for number, of in state["state"].items() for slot, value in of.items())
    return {f"{name}.{slot}": value for name, slot, value in slots}, {"param_groups": state["param_groups"]}


def _nested(tensors: Mapping[str, Tensor], state: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    numbers = {name: number for number, name in enumerate(names)}
    nested: dict[int, dict[str, Tensor]] = {}
    for place, tensor in tensors.items():
        name, _, slot = place.rpartition(".")
        nested.setdefault(numbers[name], {})[slot] = tensor
    return {"state": nested, "param_groups": state["optimizer"]["param_groups"]}
