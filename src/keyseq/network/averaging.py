"""Weight averaging: the weighted mean of the weights of several networks.

Networks fine-tuned from the same weights lie close enough in weight space for their mean to combine what they learnt
(model soups, Wortsman et al., 2022), at the inference cost of one network.
"""

from collections.abc import Mapping
from pathlib import Path

from keyseq.errors import KeyseqError
from keyseq.files import open_binary
from keyseq.network.storage import VOCABULARY, WEIGHTS, Stored, load_network, load_weights


def average(shares: Mapping[Path, float]) -> Stored:
    """The weighted mean of the networks in these folders; settings other than the architecture are the first's."""
    first, *others = shares
    total = sum(shares.values())
    mean = load_network(first)
    summed = {name: tensor * (shares[first] / total) for name, tensor in mean.network.state_dict().items()}
    for folder in others:
        if _words(folder) != _words(first):
            raise KeyseqError(f"{folder}: has a different vocabulary than {first}, so their weights cannot be averaged")
        load_weights(mean.network, folder / WEIGHTS)  # rejects other shapes
        for name, tensor in mean.network.state_dict().items():
            summed[name] += tensor * (shares[folder] / total)
    mean.network.load_state_dict(summed)
    return mean


def _words(folder: Path) -> bytes:
    with open_binary(folder / VOCABULARY) as file:
        return file.read()
