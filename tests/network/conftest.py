import numpy as np
import pytest
import torch

from keyseq.config import ModelSettings, load_settings
from keyseq.data.batching import collate
from keyseq.data.vocabulary import SEP
from keyseq.network.seq2seq import Seq2Seq

torch.set_num_threads(1)  # the tensors are tiny: a second thread would only spin

WORDS = 20  # of the vocabulary; ids from 20 on are the documents' own words

SIZES = {
    "vocabulary": WORDS,
    "embedding_size": 5,
    "encoder_size": 4,
    "hidden_size": 8,
    "attention_size": 6,
    "output_size": 7,
    "switch_size": 3,
    "target_encoder_size": 8,
}


def model_settings(name="catseqd", **changes) -> ModelSettings:
    sizes = [f"model.{key}={value}" for key, value in {**SIZES, **changes}.items()]
    return load_settings(name, sizes).model


def make_network(settings, seed=0, dtype=torch.float64) -> Seq2Seq:
    """A network in inference mode with weights large enough for its non-linear parts to matter."""
    torch.manual_seed(seed)
    network = Seq2Seq(settings, WORDS).to(dtype).eval()
    with torch.no_grad():
        for weight in network.parameters():
            weight.copy_(torch.randn_like(weight) * 0.6)
    return network


SOURCES = [
    [6, 7, 8, 6, 20, 9, 20, 21],  # two words outside the vocabulary, one of them twice
    [10, 11, 19],
    [12, 13, 14, 20, 12],
]
TARGETS = [
    [6, 20, SEP, 15, SEP, 21, 7],  # copied or generated, copied only, generated only
    [16],
    [1, SEP, 12],  # begins with a word that is nowhere to be found
]
TITLES = [[6, 7], [], [14, 13, 16]]  # the second text has none
RETRIEVED = [[15, 3, 9, 6, 3], [], [12, 3]]  # nothing is like the second text


def further(numbers):
    """The further inputs of some documents, of which a network takes what it reads."""
    near = np.zeros((len(numbers), *[max(len(SOURCES[number]) for number in numbers)] * 2))
    for row, number in zip(near, numbers, strict=True):
        row[: len(SOURCES[number]), : len(SOURCES[number])] = nearness(number)
    return {
        "near": near,
        **lines("title", [TITLES[number] for number in numbers]),
        **lines("retrieved", [RETRIEVED[number] for number in numbers]),
    }


def lines(name, rows):
    """Rows of their own lengths, as a network reads them."""
    table = np.zeros((len(rows), max(1, *map(len, rows), 0)), dtype=np.int64)
    for line, row in zip(table, rows, strict=True):
        line[: len(row)] = row
    return {name: table, f"{name}_lengths": np.array([len(row) for row in rows])}


def nearness(number):
    """Any matrix over the words of a source."""
    size = len(SOURCES[number])
    return np.triu(np.random.default_rng(number).random((size, size)), k=1)


def collated(*numbers):
    """A batch of some documents."""
    sources, targets = ([np.array(rows[number]) for number in numbers] for rows in (SOURCES, TARGETS))
    return collate(sources, targets, WORDS, further(numbers))


@pytest.fixture
def batch():
    """Three documents of different lengths, not sorted."""
    return collated(0, 1, 2)
