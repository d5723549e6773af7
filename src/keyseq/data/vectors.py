"""Pretrained word vectors, to initialise embeddings.

Read from text with a word and its numbers per line, as word2vec, GloVe and fastText write them.
"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from keyseq.data.vocabulary import Vocabulary
from keyseq.errors import DataError
from keyseq.files import open_binary

Floats = NDArray[np.float32]
SPREAD = 0.1 / 3**0.5  # standard deviation of random embeddings, uniform between -0.1 and 0.1


def read_vectors(path: Path, vocabulary: Vocabulary) -> tuple[list[int], Floats]:
    """The ids of the words in both file and vocabulary, and their vectors (words, dimensions)."""
    vectors: dict[int, Floats] = {}
    with open_binary(path) as file:
        for number, line in enumerate(file, 1):
            word, *values = line.decode("utf-8", "replace").split()
            if (number == 1 and len(values) == 1) or word not in vocabulary:  # word2vec's first line holds the sizes
                continue
            vectors[vocabulary.id(word)] = _vector(values, f"{path}:{number}")
    if not vectors:
        raise DataError(f"{path}: no word of the corpus is in it; it must be text, a word and its numbers per line")
    if len({len(vector) for vector in vectors.values()}) > 1:
        raise DataError(f"{path}: its vectors differ in length; every line must have the same number of values")
    return list(vectors), np.stack(list(vectors.values()))


def fitted(vectors: Floats, size: int) -> Floats:
    """The first `size` principal components of vectors, scaled to the variance of random embeddings."""
    if vectors.shape[1] < size:
        raise DataError(f"the vectors have {vectors.shape[1]} dimensions; set model.embedding_size to that or less")
    centred = vectors - vectors.mean(axis=0)
    _, directions = np.linalg.eigh(centred.T @ centred)  # the largest come last
    components = centred @ directions[:, : -size - 1 : -1]
    scaled: Floats = (components * (SPREAD / components.std())).astype(np.float32)
    return scaled


def _vector(values: list[str], place: str) -> Floats:
    try:
        vector = np.array(values, dtype=np.float32)
    except ValueError:
        raise DataError(f"{place}: not a word and its numbers") from None
    if not vector.size or not np.isfinite(vector).all():
        raise DataError(f"{place}: a vector must consist of finite numbers")
    return vector
