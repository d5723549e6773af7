"""Whether a text is English."""

from functools import cache
from typing import Any

from keyseq.imports import require

ENOUGH = 300  # characters by which the model tells the language of most texts
COMMON = 0.05  # share of the words below that no text in another language has, and nearly every English one

_COMMONEST = frozenset((
    "the", "and", "to", "that", "this", "with", "from", "which", "what", "how", "does", "have", "are", "by", "can",
    "it", "not", "these",
))  # fmt: skip


def is_english(text: str) -> bool:
    """Tell by English's commonest words, and where they are rare by a model.

    The model is slow, and takes code, formulas and names of species for other languages, so it is asked last: about
    the beginning of a text, and where that seems foreign (a quotation) about all of it.
    """
    words = [word for word in text.lower().split() if word.isalpha()]
    if sum(map(_COMMONEST.__contains__, words)) >= COMMON * len(words):
        return True
    return _language(text[:ENOUGH]) == "en" or _language(text) == "en"


def _language(text: str) -> str:
    # a headline in capitals looks like no language that the model has seen
    return str(_py3langid().classify(text.lower() if text.isupper() else text)[0])


@cache
def _py3langid() -> Any:  # a module
    return require("py3langid", "clean")
