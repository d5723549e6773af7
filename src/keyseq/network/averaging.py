"""One network of several: the weighted mean of their weights.

Networks that began with the same weights and then learnt different things lie close enough together for a point between
them to know some of each (Wortsman et al., 2022). It costs nothing to run.
"""

from collections.abc import Mapping
from pathlib import Path

from keyseq.errors import KeyseqError
from keyseq.files import open_binary
from keyseq.network.storage import VOCABULARY, WEIGHTS, Stored, load_network, load_weights


def average(shares: Mapping[Path, float]) -> Stored:
    """The mean of the networks in these folders, each with its share; settings that do not shape it are the first's."""
    first, *others = shares
    total = sum(shares.values())
    mean = load_network(first)
    summed = {name: tensor * (shares[first] / total) for name, tensor in mean.network.state_dict().items()}
    for folder in others:
        if _words(folder) != _words(first):
            raise KeyseqError(f"{folder}: has another vocabulary than {first}, so their weights stand for other words")
        load_weights(mean.network, folder / WEIGHTS)  # refuses those of another shape
        for name, tensor in mean.network.state_dict().items():
            summed[name] += tensor * (shares[folder] / total)
    mean.network.load_state_dict(summed)
    return mean


def _words(folder: Path) -> bytes:
    with open_binary(folder / VOCABULARY) as file:
        return file.read()
