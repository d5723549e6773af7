"""Processes that train side by side, each on its part of the documents."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def train_side_by_side(task: Mapping[str, Any], processes: int, checkout: Path) -> list[dict[str, Any]]:
    """Start the processes of a task by the worker of a checkout, and return what each measured."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "benchmarks.training_worker", json.dumps(task)]
    started = [
        subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, cwd=checkout, env=_environment(rank, processes, port)
        )
        for rank in range(processes)
    ]
    return [json.loads(process.communicate()[0]) for process in started]


def _environment(rank: int, processes: int, port: int) -> dict[str, str]:
    if processes == 1:
        return dict(os.environ)
    place = {"RANK": str(rank), "WORLD_SIZE": str(processes), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
    return os.environ | place
