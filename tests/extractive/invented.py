"""Invented documents whose keyphrases can be learnt: early, repeated, and rare in the others."""

from itertools import product

from keyseq.types import Document

KINDS = ["solar", "copper", "paper", "glass", "wooden", "rubber"]
THINGS = ["bridges", "lamps", "boats", "clocks", "kites", "drums", "wheels"]
SCENES = ["the old harbour", "a quiet street", "the village market", "a narrow valley"]


def documents():
    """Forty-two documents, each of a subject of its own that it begins with and comes back to."""
    for number, (kind, thing) in enumerate(product(KINDS, THINGS)):
        scene = SCENES[number % len(SCENES)]
        yield Document(
            id=str(number),
            title=f"On {kind} {thing}",
            body=f"Many people in {scene} saw the evening light. They talked of {kind} {thing} and of warm weather.",
            keyphrases=(f"{kind} {thing}", "craft"),
        )
