"""Training logs: JSON lines and TensorBoard."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from torch.utils.tensorboard import SummaryWriter

from keyseq.files import write_whole

LOG, TENSORBOARD = "log.jsonl", "tensorboard"


def read_log(path: Path) -> Iterator[dict[str, Any]]:
    """The entries of a log; a truncated last line, like any invalid one, is skipped."""
    if not path.is_file():
        return
    for line in path.read_bytes().splitlines():
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(entry, dict) and isinstance(entry.get("step"), int):
            yield entry


class Logs:
    """The logs of a run in its folder, resumed at a step: later entries of an earlier run are removed."""

    def __init__(self, folder: Path, step: int) -> None:
        path = folder / LOG
        kept = [line for line in read_log(path) if step and line["step"] <= step]  # a new run may validate at step 0
        with write_whole(path) as file:
            file.writelines(f"{json.dumps(line)}\n" for line in kept)
        self._lines = path.open("a", encoding="utf-8", buffering=1)
        self._points = SummaryWriter(str(folder / TENSORBOARD), purge_step=step + 1)

    def write(self, kind: str, step: int, values: Mapping[str, float]) -> None:
        """Log values of a `kind`, "train" or "valid"."""
        self._lines.write(json.dumps({"step": step, "kind": kind, **values}) + "\n")
        for name, value in values.items():
            self._points.add_scalar(f"{kind}/{name}", value, step)

    def close(self) -> None:
        """Flush and close."""
        self._lines.close()
        self._points.close()
