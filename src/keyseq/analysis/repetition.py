"""How much a document's phrases repeat each other, in words and in meaning."""

from collections.abc import Mapping, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from keyseq.analysis.separators import cosines, off_diagonal

Phrase = Sequence[str]


def duplicate_tokens(phrases: Sequence[Phrase]) -> float:
    """The fraction of words that occurred before; NaN without words."""
    words = list(chain.from_iterable(phrases))
    return 1 - len(set(words)) / len(words) if words else float("nan")


def duplicate_phrases(phrases: Sequence[Phrase]) -> float:
    """The fraction of phrases that were generated before; NaN without phrases."""
    return 1 - len({tuple(phrase) for phrase in phrases}) / len(phrases) if phrases else float("nan")


def similarity(phrases: Sequence[Phrase], vectors: Mapping[str, NDArray[np.floating]]) -> float:
    """The mean pairwise cosine of phrases, each the mean of its word vectors.

    Words without a vector are skipped, and so are phrases without any; NaN with fewer than two phrases.
    """
    known = ([vectors[word] for word in phrase if word in vectors] for phrase in phrases)
    means = [np.mean(found, axis=0) for found in known if found]
    return off_diagonal(cosines(np.array(means))) if len(means) > 1 else float("nan")


def mean(values: Sequence[float]) -> float:
    """The mean over the documents that have a value; NaN if none has."""
    known = [value for value in values if not np.isnan(value)]
    return float(np.mean(known)) if known else float("nan")
