"""A folder of invented corpora, and an experiment that was run on them."""

import json
import random
from dataclasses import replace

import pytest

from keyseq.experiments.budget import Scale
from keyseq.experiments.definition import load
from keyseq.experiments.run import run
from keyseq.experiments.workspace import Workspace
from keyseq.systems.training_job import ProgressDisplay

TOPICS = ("graph", "speech", "image", "code", "music", "cell")
THINGS = ("theory", "synthesis", "analysis", "mining", "search")
TINY = Scale(0.0001)  # the fewest steps and documents


def document(number: int, chance: random.Random) -> dict[str, object]:
    """A text with two keyphrases in it and one that it only means."""
    topics = chance.sample(TOPICS, 2)
    phrases = [f"{topic} {chance.choice(THINGS)}" for topic in topics]
    body = f"we study {phrases[0]} by means of {phrases[1]} and find that it helps a lot"
    return {"id": f"d{number}", "title": f"On {phrases[0]}", "abstract": body, "keywords": [*phrases, "informatics"]}


def write(folder, split, name, size, seed):
    (folder / split).mkdir(parents=True, exist_ok=True)
    chance = random.Random(seed)
    lines = [json.dumps(document(number, chance)) for number in range(size)]
    (folder / split / f"{name}.jsonl").write_text("\n".join(lines) + "\n")


@pytest.fixture(scope="session")
def data(tmp_path_factory):
    """Krapivin, nus and semeval are not there; kp20k is stood in for."""
    folder = tmp_path_factory.mktemp("data")
    for seed, (split, name, size) in enumerate(
        [
            ("train", "scholar", 400),
            ("valid", "scholar", 40),
            ("test", "inspec", 30),
            ("valid", "inspec", 20),
            ("test", "kp20k_1000", 30),
            ("valid", "kp20k_1000", 120),
        ]
    ):
        write(folder, split, name, size, seed)
    return folder


def greedily(experiment):
    """The same with the fastest decoding."""
    return replace(experiment, decodings=("greedy",))


class Listener:
    """Remembers what an experiment tells."""

    def __init__(self):
        self.told = []
        self.progress = ProgressDisplay(note=self.told.append)


@pytest.fixture(scope="session")
def finished(data, tmp_path_factory):
    """The ablation with two of its networks, trained for a few steps: the workspace, what was told, the outcome."""
    listener = Listener()
    out = tmp_path_factory.mktemp("out")
    workspace = Workspace(data=data, out=out, scale=TINY, progress=listener.progress)
    experiment = greedily(load("ablation").only(["catseq", "catseqd"]))
    outcome = run(experiment, workspace, "keyseq experiment ablation")
    return workspace, listener.told, outcome
