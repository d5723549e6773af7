"""Whether a text is English."""

from functools import cache
from typing import Any

from keyseq.imports import require

ENOUGH = 300  # characters that suffice for the model on most texts
COMMON = 0.05  # fraction of these words that nearly every English text exceeds, and no text in another language

_COMMONEST = frozenset((
    "the", "and", "to", "that", "this", "with", "from", "which", "what", "how", "does", "have", "are", "by", "can",
    "it", "not", "these",
))  # fmt: skip


def is_english(text: str) -> bool:
    """Decide by the most frequent English words, and where they are rare by a language identification model.

    The model is slow, and mistakes code, formulas and species names for other languages, so it is used last: on the
    beginning of a text and, where that seems foreign (a quotation), on all of it.
    """
    words = [word for word in text.lower().split() if word.isalpha()]
    if sum(map(_COMMONEST.__contains__, words)) >= COMMON * len(words):
        return True
    return _language(text[:ENOUGH]) == "en" or _language(text) == "en"


def _language(text: str) -> str:
    # the model does not know text in capitals
    return str(_py3langid().classify(text.lower() if text.isupper() else text)[0])


@cache
def _py3langid() -> Any:  # a module
    return require("py3langid", "clean")
