"""Whether an exported network still says what the trained one says: engines and storages on real documents.

python -m benchmarks.parity RUN --data DIR [--dataset kp20k_1000] [--documents 500]
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np

from keyseq.data.datasets import find
from keyseq.data.formats import read_documents
from keyseq.data.network_inputs import SourceWindow, network_input
from keyseq.decoding.policies import POLICIES
from keyseq.errors import KeyseqError
from keyseq.evaluation import evaluate
from keyseq.network.storage import Stored, load_network
from keyseq.runtime.engine import GraphStepper
from keyseq.runtime.exporting import Storage, export
from keyseq.runtime.onnx import ExportedNetwork
from keyseq.runtime.parity import compare
from keyseq.runtime.torch import torch_stepper
from keyseq.systems.neural import Model, NeuralSystem
from keyseq.systems.neural_settings import NeuralSettings
from keyseq.tables import Cell, render
from keyseq.text.tokenize import words
from keyseq.types import Document, Phrase

STORAGES: tuple[Storage, ...] = ("float32", "float16", "int8")
METRICS = ("present.f1@m", "present.f1@o")


@dataclass(frozen=True)
class Engine:
    """What runs a network, its phrases for all documents, and how far its log-probabilities are from torch's."""

    name: str
    phrases: list[list[Phrase]]
    difference: float | None = None


def engines(stored: Stored, documents: Sequence[Document]) -> Iterator[Engine]:
    """Torch, then every storage on ONNX Runtime."""
    reference = torch_stepper(stored.network)
    yield Engine("torch float32", _said(Model(reference, stored.vocabulary, stored.settings.target), documents))
    limit = stored.settings.target.source_words
    windows = [
        SourceWindow(document, words(document.text)[:limit], stored.vocabulary, stored.settings.target)
        for document in documents
    ]
    sources = [network_input(window, reference.fields)[0] for window in windows]
    with tempfile.TemporaryDirectory() as folder:
        for storage in STORAGES:
            export(stored, Path(folder, storage), storage)
            stepper = GraphStepper(ExportedNetwork(Path(folder, storage)))
            parity = compare(reference, stepper, sources, POLICIES["greedy"]["one2seq"])
            said = _said(Model(stepper, stored.vocabulary, stored.settings.target), documents)
            yield Engine(f"onnx {storage}", said, parity.difference)


def _said(model: Model, documents: Sequence[Document]) -> list[list[Phrase]]:
    return NeuralSystem("measured", model, NeuralSettings(decoding="greedy", cut=True)).predict(documents)


def rows(found: Sequence[Engine], documents: Sequence[Document]) -> Iterator[list[Cell]]:
    """Scores, and the share of documents with the same phrases in the same order as torch's."""
    texts = [[phrase.text for phrase in phrases] for phrases in found[0].phrases]
    for engine in found:
        scores = evaluate(documents, engine.phrases, metrics=METRICS)
        pairs = zip(engine.phrases, texts, strict=True)
        same = np.mean([[phrase.text for phrase in mine] == theirs for mine, theirs in pairs])
        yield [
            engine.name,
            *(f"{100 * scores.aggregate(metric):.2f}" for metric in METRICS),
            f"{100 * same:.1f}",
            None if engine.difference is None else f"{engine.difference:.1e}",
        ]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser("python -m benchmarks.parity", description=__doc__)
    parser.add_argument("run", type=Path, help="the folder of a network, such as RUN/best")
    parser.add_argument("--data", type=Path, help="the folder of the corpora; else KEYSEQ_DATA")
    parser.add_argument("--dataset", default="kp20k_1000")
    parser.add_argument("--documents", type=int, default=500)
    arguments = parser.parse_args()
    try:
        stored = load_network(arguments.run)
        path = find(arguments.dataset, "test", arguments.data)
        documents = list(islice(read_documents(path), arguments.documents))
    except KeyseqError as error:
        sys.exit(f"{error}")
    stored.network.eval()
    found = list(engines(stored, documents))
    columns = ["engine", *METRICS, "same phrases, %", "log-probabilities within"]
    print(f"{len(documents)} documents of {arguments.dataset}, greedy, yuan2020")
    print(render(columns, list(rows(found, documents)), "markdown"))


if __name__ == "__main__":
    main()
