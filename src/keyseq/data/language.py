"""Whether a text is English."""

from functools import cache
from typing import Any

from keyseq.imports import require

ENOUGH = 300  # characters that tell the language of most texts
COMMON = 0.1  # share of the commonest words that no text in another language has

_COMMONEST = frozenset(("the", "of", "and"))


def is_english(text: str) -> bool:
    """Tell by the beginning of a text, and where that seems foreign (a title, a quotation) by all of it.

    Where English's commonest words are common there is nothing to ask the model, which is slow.
    """
    words = text[:ENOUGH].split()
    if sum(map(_COMMONEST.__contains__, words)) >= COMMON * len(words) > 0:
        return True
    return _language(text[:ENOUGH]) == "en" or (len(text) > ENOUGH and _language(text) == "en")


def _language(text: str) -> str:
    # a headline in capitals looks like no language that the model has seen
    return str(_py3langid().classify(text.lower() if text.isupper() else text)[0])


@cache
def _py3langid() -> Any:  # noqa: ANN401  # a module
    return require("py3langid", "clean")
