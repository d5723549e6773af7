"""The model card of an exported network, in the format of the Hugging Face hub."""

from keyseq.config import Settings
from keyseq.languages import find
from keyseq.runtime.parity import Parity
from keyseq.version import __version__

CARD = "README.md"


def card(settings: Settings, words: int, storage: str, parity: Parity) -> str:
    """What the network is, how to run it, and how it was checked."""
    model, target = settings.model, settings.target
    generable = 0 if model.pointer_only else model.generable(words)
    rows = {
        "trained for": f"{target.paradigm}, phrases in the order `{target.order}`",
        "network": f"GRUs of 2 × {model.encoder_size} and {model.hidden_size}, embeddings of {model.embedding_size}",
        "also": ", ".join(model.pieces).replace("_", " ") or "nothing",
        "vocabulary": f"{words:,} words, of which {generable:,} can be generated; any word of the source can be copied",
        "source": f"{target.source_words} words, longer texts in windows; tokenizer `{target.tokenizer}`",
        "language": f"{find(target.language).name}; stemmer `{target.stemmer}`",
        "weights": storage,
        "checked on export": f"{parity.same:.0%} of random sources with the same sequences as in PyTorch,"
        f" log-probabilities within {parity.difference:.1e}",
    }
    table = "\n".join(f"| {name} | {value} |" for name, value in rows.items())
    return _TEXT.format(version=__version__, table=table)


_TEXT = """---
library_name: keyseq
tags: [keyphrase-generation, keyphrase-extraction]
---

# A keyphrase generator

    import keyseq
    [phrases] = keyseq.load("FOLDER").predict(["A text …"])

or `keyseq generate --system FOLDER paper.txt`, with keyseq {version} or newer and without torch.

| | |
|---|---|
{table}

All settings are in `settings.toml`. The files contain numbers and text, no code.
"""
