"""Whether a text is English."""

from keyseq.languages import ENGLISH
from keyseq.text.detection import detect, is_plainly_english


def is_english(text: str) -> bool:
    """Decide by the most frequent English words, and where they are rare by a language identification model.

    The model mistakes code, formulas and species names for other languages, so it is used last.
    """
    return is_plainly_english(text) or detect(text).code == ENGLISH
