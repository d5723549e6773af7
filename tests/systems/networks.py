"""Untrained networks that speak of what they read, and texts for them."""

import itertools
import random

import torch

from keyseq.config import load_settings
from keyseq.data.vocabulary import Vocabulary
from keyseq.network.seq2seq import Seq2Seq
from keyseq.network.storage import Stored

WORDS = [f"{a}{b}{c}" for a, b, c in itertools.product("bdfgklmnprst", "aeiou", "lmnrst")][:345]
WINDOW = 60


def made(paradigm="one2seq") -> Stored:
    """An untrained network that speaks of what it reads, a few phrases at a time."""
    torch.manual_seed(5)
    words = len(WORDS) + 5
    overrides = [f"model.vocabulary={words}", f"target.source_words={WINDOW}", f"target.paradigm={paradigm}"]
    settings = load_settings("tiny", overrides)
    network = Seq2Seq(settings.model, words).eval()
    with torch.no_grad():
        for weight in network.parameters():
            weight.mul_(2)
        network.pointer.vocabulary.weight.mul_(3)
        network.pointer.vocabulary.bias[3:5] += 4
        network.pointer.switch.squash.bias -= 0.5  # copies more than it generates
    return Stored(network, settings, Vocabulary.from_words(WORDS))


def texts(count, longest=80):
    draw = random.Random(9)
    return [
        " ".join(draw.choices([*WORDS, "unseen", "Word-like", "x.y,"], k=draw.randint(1, longest)))
        for _ in range(count)
    ]
