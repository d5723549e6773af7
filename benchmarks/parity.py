"""Whether an exported network still says what the trained one says: engines and storages on real documents.

python -m benchmarks.parity RUN… --data DIR [--dataset kp20k_1000] [--documents 500] [--storages float32]
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import numpy as np

from keyseq.data.datasets import find
from keyseq.data.formats import read_documents
from keyseq.data.network_inputs import NetworkInput, SourceWindow, network_input
from keyseq.data.slots import start_words
from keyseq.decoding.policies import POLICIES
from keyseq.errors import KeyseqError
from keyseq.evaluation import evaluate
from keyseq.network.storage import Stored, find_network, load_network
from keyseq.retrieval.phrase_retriever import open_retriever
from keyseq.runtime.engine import GraphStepper
from keyseq.runtime.exporting import Storage, export
from keyseq.runtime.onnx import ExportedNetwork
from keyseq.runtime.parity import compare
from keyseq.runtime.torch import torch_stepper
from keyseq.systems.neural import Model, NeuralSystem
from keyseq.systems.neural_settings import NeuralSettings
from keyseq.tables import Cell, render
from keyseq.text.analyzer import Analyzer
from keyseq.types import Document, Phrase

STORAGES: tuple[Storage, ...] = ("float32", "float16", "int8")
METRICS = ("present.f1@m", "present.f1@o")


@dataclass(frozen=True)
class Engine:
    """What runs a network, its phrases for all documents, and how far its log-probabilities are from torch's."""

    name: str
    phrases: list[list[Phrase]]
    difference: float | None = None


def engines(stored: Stored, documents: Sequence[Document], storages: Sequence[Storage] = STORAGES) -> Iterator[Engine]:
    """Torch, then every storage on ONNX Runtime."""
    target, reference = stored.settings.target, torch_stepper(stored.network)
    retriever = open_retriever(stored.neighbours, Analyzer.of(target)) if stored.neighbours else None
    model = Model(reference, stored.vocabulary, target, retriever=retriever)
    yield Engine("torch float32", _said(model, documents))
    sources = [_source(model, document) for document in documents]
    starts, separators = start_words(target, stored.vocabulary), stored.vocabulary.separators
    policy = replace(POLICIES["greedy"][target.paradigm], starts=starts, separators=separators)
    with tempfile.TemporaryDirectory() as folder:
        for storage in storages:
            export(stored, Path(folder, storage), storage)
            stepper = GraphStepper(ExportedNetwork(Path(folder, storage)))
            parity = compare(reference, stepper, sources, policy)
            yield Engine(f"onnx {storage}", _said(model._replace(stepper=stepper), documents), parity.difference)


def _source(model: Model, document: Document) -> NetworkInput:
    """What a network reads of a document."""
    words = model.analyzer.words(document.text)[: model.target.source_words]
    retrieved = model.retriever.texts(document) if model.retriever else ()
    window = SourceWindow(document, words, model.vocabulary, model.target, retrieved)
    return network_input(window, model.stepper.fields)[0]


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
    parser.add_argument("runs", type=Path, nargs="+", metavar="RUN", help="the folders of networks, such as RUN/best")
    parser.add_argument("--data", type=Path, help="the folder of the corpora; else KEYSEQ_DATA")
    parser.add_argument("--dataset", default="kp20k_1000")
    parser.add_argument("--documents", type=int, default=500)
    parser.add_argument("--storages", nargs="+", choices=STORAGES, default=STORAGES)
    arguments = parser.parse_args()
    try:
        networks = {run: load_network(find_network(run)) for run in arguments.runs}
        path = find(arguments.dataset, "test", arguments.data)
        documents = list(islice(read_documents(path), arguments.documents))
    except KeyseqError as error:
        sys.exit(f"{error}")
    columns = ["engine", *METRICS, "same phrases, %", "log-probabilities within"]
    for run, stored in networks.items():
        stored.network.eval()
        found = list(engines(stored, documents, arguments.storages))
        print(f"{run}: {len(documents)} documents of {arguments.dataset}, greedy, yuan2020\n")
        print(render(columns, list(rows(found, documents)), "markdown"))


if __name__ == "__main__":
    main()
