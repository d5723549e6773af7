"""Whether an exported network still says what the trained one says: engines and storages on real documents.

python -m benchmarks.parity RUN… --data DIR [--dataset kp20k_1000] [--documents 500] [--storages float32]

A RUN may also be the name of a system, such as tg-net, for a small network of it with random weights, or all, for every
system.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import numpy as np
import torch

from keyseq.config import load_settings
from keyseq.config.loading import available
from keyseq.data.datasets import find
from keyseq.data.formats import read_documents
from keyseq.data.network_inputs import NEIGHBOURS, RETRIEVED, NetworkInput, SourceWindow, network_input
from keyseq.data.slots import slot_words, start_words
from keyseq.data.vocabulary import DIVIDER, EOS, SEP, Vocabulary
from keyseq.decoding.policies import POLICIES
from keyseq.errors import KeyseqError
from keyseq.evaluation import evaluate
from keyseq.network.seq2seq import Seq2Seq
from keyseq.network.storage import Stored, find_network, load_network
from keyseq.retrieval.phrase_retriever import open_retriever, write_index
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
WORDS = 2_000  # that an untrained network knows
SIZES = ("embedding_size", "encoder_size", "attention_size", "output_size", "switch_size")
SMALL = (*(f"model.{name}=24" for name in SIZES), "model.hidden_size=48", "model.target_encoder_size=48")


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


def untrained(system: str, documents: Sequence[Document], folder: Path) -> Stored:
    """A small network of a system with large random weights, which knows the words of the documents."""
    settings = load_settings(system, SMALL)
    target, analyzer = settings.target, Analyzer.of(settings.target)
    known = dict.fromkeys(word for document in documents for word in analyzer.words(document.text))
    further = [*slot_words(target), *([DIVIDER] if target.divided else [])]
    vocabulary = Vocabulary.from_words([*further, *list(known)[:WORDS]])
    torch.manual_seed(1)
    network = Seq2Seq(settings.model, len(vocabulary)).eval()
    with torch.no_grad():
        for weight in network.parameters():
            weight.mul_(3)
        network.pointer.vocabulary.bias[EOS : SEP + 1] += 1.0  # so that sequences have several phrases, and an end
    index = None
    if RETRIEVED in settings.model.reads:
        index = folder / NEIGHBOURS
        write_index(documents, analyzer, index)
    return Stored(network, settings, vocabulary, index)


def networks(runs: Sequence[str], documents: Sequence[Document], folder: Path) -> Iterator[tuple[str, Stored]]:
    """The networks of runs, or of systems by their names, one at a time."""
    names = [name for name in available() if name != "tiny"] if "all" in runs else runs
    for name in names:
        is_system = name in available() and not Path(name).is_dir()
        yield name, untrained(name, documents, folder) if is_system else load_network(find_network(Path(name)))


def rows(found: Sequence[Engine], documents: Sequence[Document]) -> Iterator[list[Cell]]:
    """Scores, phrases per document, and the share of documents with the same ones in the same order as torch's."""
    texts = [[phrase.text for phrase in phrases] for phrases in found[0].phrases]
    for engine in found:
        scores = evaluate(documents, engine.phrases, metrics=METRICS)
        pairs = zip(engine.phrases, texts, strict=True)
        same = np.mean([[phrase.text for phrase in mine] == theirs for mine, theirs in pairs])
        yield [
            engine.name,
            *(f"{100 * scores.aggregate(metric):.2f}" for metric in METRICS),
            f"{np.mean([len(mine) for mine in engine.phrases]):.1f}",
            f"{100 * same:.1f}",
            None if engine.difference is None else f"{engine.difference:.1e}",
        ]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser("python -m benchmarks.parity", description=__doc__)
    parser.add_argument("runs", nargs="+", metavar="RUN", help="folders of networks, such as RUN/best, systems, or all")
    parser.add_argument("--data", type=Path, help="the folder of the corpora; else KEYSEQ_DATA")
    parser.add_argument("--dataset", default="kp20k_1000")
    parser.add_argument("--documents", type=int, default=500)
    parser.add_argument("--storages", nargs="+", choices=STORAGES, default=STORAGES)
    arguments = parser.parse_args()
    try:
        path = find(arguments.dataset, "test", arguments.data)
        documents = list(islice(read_documents(path), arguments.documents))
        print(f"{len(documents)} documents of {arguments.dataset}, greedy, yuan2020\n")
        table: list[list[Cell]] = []
        with tempfile.TemporaryDirectory() as folder:
            for name, stored in networks(arguments.runs, documents, Path(folder)):
                stored.network.eval()
                found = list(engines(stored, documents, arguments.storages))
                table += [[name, *row] for row in rows(found, documents)]
    except KeyseqError as error:
        sys.exit(f"{error}")
    columns = ["network", "engine", *METRICS, "phrases", "same phrases, %", "log-probabilities within"]
    print(render(columns, table, "markdown"))


if __name__ == "__main__":
    main()
