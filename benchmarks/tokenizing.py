"""Tokens per second of both tokenizers, beside the three regular expressions of the released code."""

import random
import re

from benchmarks.figures import Figure, fastest
from keyseq.text.analyzer import ENGLISH
from keyseq.text.tokenize import words

_BREAKS = re.compile(r"[\r\n\t]")
_MARKS = re.compile(r"[_<>,\(\)\.\'%]")
_OTHERS = re.compile(r"[^a-zA-Z0-9_<>,#&\+\*\(\)\.\']")
_NUMBER = re.compile(r"^\d{2,}$")


def released(text: str) -> list[str]:
    """Tokenize in the steps that the released code takes, digits and case included."""
    text = _MARKS.sub(r" \g<0> ", _BREAKS.sub(" ", text))
    return ["<digit>" if _NUMBER.match(word) else word.lower() for word in _OTHERS.split(text) if word]


def _text(count: int) -> str:
    draw = random.Random(17)
    vocabulary = ["".join(draw.choices("etaoinshrdlu", k=draw.randint(2, 11))) for _ in range(5_000)]
    marks = [" ", " ", " ", " ", ", ", ". ", "-", " (", ") ", " 2020 "]
    return "".join(draw.choice(vocabulary) + draw.choice(marks) for _ in range(count))


def run(quick: bool = False) -> list[Figure]:
    """Measure on generated text."""
    text = _text(20_000 if quick else 500_000)
    count = len(words(text))
    baseline = count / fastest(lambda: released(text))
    figures = [Figure(name="tokenize: released steps", value=baseline, unit="tokens/s")]
    for name in ("meng17", "unicode"):
        rate = count / fastest(lambda name=name: words(text, name))  # type: ignore[misc]
        figures.append(
            Figure(
                name=f"tokenize: {name}", value=rate, unit="tokens/s", baseline="released steps", ratio=rate / baseline
            )
        )
    tokens = words(text)
    rate = count / fastest(lambda: ENGLISH.stems(tokens))
    figures.append(Figure(name="stem, memo warm", value=rate, unit="tokens/s"))
    return figures
