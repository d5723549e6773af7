"""Tiny corpora that a tiny network can learn, and a run on them."""

import json
import random
import string
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import pytest

from keyseq.config import load_settings
from keyseq.data.parallel import Work
from keyseq.training.start import Files, RunOptions, train

WORDS = [a + b + c for a in "bdfk" for b in "aeiou" for c in "lmnrst"]
TOPICS = {
    f"{first} {second}": WORDS[6 * n : 6 * n + 6]
    for n, (first, second) in enumerate(
        zip(
            ("graph", "machine", "speech", "data", "image", "code"),
            ("theory", "translation", "synthesis", "mining", "analysis", "generation"),
            strict=True,
        )
    )
}


def copy_document(chance: random.Random) -> dict[str, object]:
    """A text in which "the" announces each keyphrase, which has to be copied; some of its words are rare."""
    keyphrases = [_rare(chance) if chance.random() < 0.3 else chance.choice(WORDS) for _ in range(3)]
    body = []
    for keyphrase in dict.fromkeys(keyphrases):
        body += [*chance.choices(WORDS, k=3), "the", keyphrase]
    return {"title": "", "abstract": " ".join(body), "keywords": list(dict.fromkeys(keyphrases))}


def topics_document(chance: random.Random) -> dict[str, object]:
    """A text of the words of two topics, whose names are the keyphrases and are never in it."""
    topics = sorted(chance.sample(sorted(TOPICS), 2))
    body = [chance.choice(TOPICS[topic]) for topic in topics for _ in range(3)]
    chance.shuffle(body)
    return {"title": "", "abstract": " ".join(body), "keywords": topics}


def _rare(chance: random.Random) -> str:
    return "".join(chance.choices(string.ascii_lowercase, k=7))


@dataclass(frozen=True)
class Task:
    train: Path
    valid: Path

    def run(self, out, *overrides, name="tiny", drawn=False, **options):
        """Train into a folder on one thread, so that equal runs have equal sums; curves take longer than short runs."""
        settings = load_settings(name, ["training.threads=1", "training.patience=0", *overrides])
        places = {name: options.pop(name, None) for name in ("start", "vectors", "titles")}
        places = {name: place for name, place in places.items() if place}
        files = Files(train=[self.train], valid=self.valid, out=out, **places)
        with nullcontext() if drawn else patch("keyseq.training.start.draw_curves"):
            return train(settings, files, RunOptions(work=Work(processes=1), **options))


def _task(folder, document, count):
    chance = random.Random(1)
    for name, documents in (("train", count), ("valid", 60)):
        lines = [json.dumps({"id": str(number), **document(chance)}) for number in range(documents)]
        (folder / f"{name}.jsonl").write_text("\n".join(lines) + "\n")
    return Task(folder / "train.jsonl", folder / "valid.jsonl")


@pytest.fixture(scope="session")
def copying(tmp_path_factory):
    return _task(tmp_path_factory.mktemp("copying"), copy_document, 1000)


@pytest.fixture(scope="session")
def topics(tmp_path_factory):
    return _task(tmp_path_factory.mktemp("topics"), topics_document, 1000)
