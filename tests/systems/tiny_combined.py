"""A combined system small enough to be trained for tests."""

import json
import random
import shutil

from typer.testing import CliRunner

from keyseq.cli import app

TOPICS = {
    "machine learning": ("gradient descent", "neural network", "training data", "loss function"),
    "assistive technology": ("voice recognition", "social robot", "spoken commands", "older people"),
    "urban planning": ("public transport", "bicycle lane", "city centre", "traffic light"),
}
TEXT = (
    "Voice recognition for a social robot\n\n"
    "A social robot follows spoken commands by voice recognition. Older people use spoken commands."
)
QUESTION = f"How do I install voice recognition in Ubuntu? {TEXT} I get an error, please help!"


def train_tiny(folder, documents=90, trees=8):
    """Train it on generated documents: each has a topic that it never names, and two phrases that it does."""
    chance = random.Random(7)
    rows = []
    for number in range(documents):
        topic = list(TOPICS)[number % len(TOPICS)]
        first, second, third = chance.sample(TOPICS[topic], 3)
        body = f"We study the {first} and a {second}. The {first} is compared with the {second} and the {third}."
        rows.append(
            {"id": str(number), "title": f"On the {first}", "abstract": body, "keywords": [first, second, topic]}
        )
    corpus, out = folder / "train.jsonl", folder / "tiny"
    corpus.write_text("".join(json.dumps(row) + "\n" for row in rows))
    changes = (f"trees={trees}", "leaves=4", "leaf=5", "held_out=0.4", "contained=2")
    flags = [part for change in changes for part in ("--set", f"combined.{change}")]
    ran = CliRunner().invoke(app, ["train", "combined", "--train", str(corpus), "--out", str(out), *flags])
    assert ran.exit_code == 0, ran.output
    return out


def package_tiny(folder):
    """A folder like that of the package's systems, in which each that the default chooses from is the tiny one."""
    trained = train_tiny(folder)
    for name in ("scholar", "questions", "general"):
        shutil.copytree(trained, folder / name)
    return folder
