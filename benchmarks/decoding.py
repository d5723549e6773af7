"""Decoding at the paper's sizes: ONNX Runtime and torch beside a plain beam search in torch, one thread each.

The weights are random, so that sequences run to their full length: figures of a trained network, whose sequences end
by themselves, are higher.
"""

import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch

from benchmarks.figures import Figure, fastest
from benchmarks.generate import documents
from benchmarks.plain_beam import plain_beam
from benchmarks.plain_greedy import plain_greedy
from keyseq.config import load_settings
from keyseq.data.batching import Batch, collate
from keyseq.data.network_inputs import NetworkInput
from keyseq.data.vocabulary import SPECIALS, Vocabulary
from keyseq.decoding.policies import POLICIES
from keyseq.decoding.search import search
from keyseq.network.seq2seq import Seq2Seq
from keyseq.network.storage import Stored
from keyseq.runtime.engine import GraphStepper
from keyseq.runtime.exporting import Storage, export, restricted
from keyseq.runtime.onnx import ExportedNetwork
from keyseq.runtime.torch import torch_stepper
from keyseq.systems.neural import Model, NeuralSystem
from keyseq.systems.neural_settings import DecodingName, NeuralSettings
from keyseq.text.tokenize import words

WORDS = 230  # of a source
PLAIN, BATCHED = "plain torch", "plain torch in batches"
BATCH = 64  # documents of such a batch
SMALL = ("model.vocabulary=2000",)
FEWER = 0.4  # of the output words, in the order of their frequency in keyphrases: 20,000 of 50,000
COUNTS = {"greedy": (96, 30), "beam": (12, 12), "exhaustive": (2, 6)}  # documents for rate and for latency

Decode = Callable[[Sequence[str]], object]


@dataclass(frozen=True)
class Subject:
    """A network in all its forms, and texts to decode."""

    stored: Stored
    folders: dict[str, Path]
    texts: list[str]


def run(quick: bool = False) -> list[Figure]:
    """Measure every strategy on every engine, then memory, the output layer's share, and a cold start."""
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        subject = _subject(Path(folder), SMALL if quick else ())
        figures = [*_rates(subject, quick), *_memory(subject)]
        figures += [*_output_layer(subject), *_cold_start(subject, quick)]
    return figures


def untrained(texts: Sequence[str], overrides: Sequence[str] = ()) -> Stored:
    """A network of the paper's sizes with random weights, which knows the words of the texts."""
    settings = load_settings("catseqd", overrides)
    size = settings.model.vocabulary
    known = dict.fromkeys(word for text in texts for word in words(text))
    fillers = (f"filler{number}" for number in range(size))
    vocabulary = Vocabulary.from_words([*known, *fillers][: size - len(SPECIALS)])
    torch.manual_seed(0)
    return Stored(Seq2Seq(settings.model, size).eval(), settings, vocabulary)


def _subject(folder: Path, overrides: Sequence[str]) -> Subject:
    texts = [document.text for document in documents(100, seed=3, words=WORDS)]
    stored = untrained(texts, overrides)
    fewer = int(FEWER * stored.settings.model.vocabulary)
    exports: dict[str, tuple[Stored, Storage]] = {
        "onnx float32": (stored, "float32"),
        "onnx int8": (stored, "int8"),
        f"onnx int8, {fewer:,} output words": (restricted(stored, fewer), "int8"),
    }
    folders = {name: folder / str(number) for number, name in enumerate(exports)}
    for name, (network, storage) in exports.items():
        export(network, folders[name], storage)
    return Subject(stored, folders, texts)


def _engines(subject: Subject, decoding: str) -> dict[str, Decode]:
    """What turns texts into phrases or, in the plain case, into sequences."""
    stored = subject.stored
    model = Model(torch_stepper(stored.network), stored.vocabulary, stored.settings.target)
    engines: dict[str, Decode] = {PLAIN: lambda texts: _plain(stored, texts, decoding)}
    if decoding == "greedy":
        engines[BATCHED] = lambda texts: _plain_batches(stored, texts)
    settings = NeuralSettings(decoding=cast(DecodingName, decoding), threads=1)
    engines["torch"] = NeuralSystem("torch", model, settings).predict
    for name, folder in subject.folders.items():
        engines[name] = NeuralSystem.from_pretrained(str(folder), decoding=decoding, threads=1).predict
    return engines


def plain_search(stored: Stored, texts: Sequence[str], decoding: str) -> object:
    """A plain search: greedy in batches, others a document at a time."""
    return _plain_batches(stored, texts) if decoding == "greedy" else _plain(stored, texts, decoding)


def _plain(stored: Stored, texts: Sequence[str], decoding: str) -> object:
    policy = POLICIES[decoding]["one2seq"]
    return [plain_beam(stored.network, _batch(stored, [text]), policy.beam, policy.max_length) for text in texts]


def _plain_batches(stored: Stored, texts: Sequence[str]) -> object:
    batches = [_batch(stored, texts[start : start + BATCH]) for start in range(0, len(texts), BATCH)]
    return [plain_greedy(stored.network, batch, len(stored.vocabulary)) for batch in batches]


def _batch(stored: Stored, texts: Sequence[str]) -> Batch:
    sources = [np.array(stored.vocabulary.source_ids(words(text))[0]) for text in texts]
    return collate(sources, [np.array([], dtype=np.int64)] * len(texts), len(stored.vocabulary))


def _rates(subject: Subject, quick: bool) -> Iterator[Figure]:
    """Documents per second, the engines taking turns, and the time of single documents."""
    for decoding, (many, single) in COUNTS.items():
        engines = _engines(subject, decoding)
        texts = subject.texts[: 2 if quick else many]
        seconds = dict.fromkeys(engines, float("inf"))
        for _ in range(1 if quick else 3):
            for name, decode in engines.items():
                seconds[name] = min(seconds[name], _seconds(decode, texts))
        for name, taken in seconds.items():
            ratio = None if name == PLAIN else seconds[PLAIN] / taken
            yield Figure(
                name=f"{decoding}: {name}",
                value=len(texts) / taken,
                unit="documents/s",
                baseline=PLAIN if ratio else "",
                ratio=ratio,
            )
        for name, decode in engines.items():
            yield from _latency(f"{decoding}: {name}", decode, subject.texts[: 2 if quick else single])


def _seconds(work: Callable[[Any], object], given: object) -> float:
    return fastest(lambda: work(given), repeats=1)


def _latency(name: str, decode: Decode, texts: Sequence[str]) -> Iterator[Figure]:
    taken = [1000 * _seconds(decode, [text]) for text in texts]
    yield Figure(name=f"{name}, one document, p50", value=statistics.median(taken), unit="ms")
    yield Figure(name=f"{name}, one document, p99", value=float(np.percentile(taken, 99)), unit="ms")


# of this process since it began; what getrusage says has the memory of the parent in it
_PEAK = """
import pathlib, re, sys
import keyseq
keyseq.load(sys.argv[1], decoding="exhaustive").predict([sys.argv[2]])
print(re.search(r"VmHWM:\\s*(\\d+) kB", pathlib.Path("/proc/self/status").read_text())[1])
"""


def _memory(subject: Subject) -> Iterator[Figure]:
    """The most memory of a process that loads an exported network and decodes exhaustively."""
    for name, folder in subject.folders.items():
        peak = int(_run([sys.executable, "-c", _PEAK, str(folder), subject.texts[0]]))
        yield Figure(name=f"exhaustive: {name}, memory of the process", value=peak / 1024, unit="MB")


def _output_layer(subject: Subject) -> Iterator[Figure]:
    """How near the matrix product of the output layer comes to the fastest that the machine can do."""
    side = 2048
    square = torch.randn(side, side)
    peak = 2 * side**3 / fastest(lambda: square @ square) / 1e9
    yield Figure(name="GEMM peak, float32, one thread", value=peak, unit="GFLOP/s")
    for name, folder in subject.folders.items():
        rate = product_rate(folder, subject.texts[0])
        yield Figure(
            name=f"exhaustive: {name}, output layer",
            value=rate,
            unit="GFLOP/s",
            baseline="GEMM peak",
            ratio=rate / peak,
        )


def product_rate(folder: Path, text: str) -> float:
    """GFLOP/s of the output layer's products within a search, by ONNX Runtime's own profile of its kernels."""
    policy = POLICIES["exhaustive"]["one2seq"]
    network = ExportedNetwork(folder, profile=True)
    search(GraphStepper(network), [NetworkInput(np.array(network.vocabulary.source_ids(words(text))[0]))], policy)
    taken: dict[str, list[float]] = {}
    for event in network.loop(chooses=False).profile():
        name, kernel = event["name"], event.get("args", {}).get("op_name")
        if name.endswith("kernel_time") and (kernel == "MatMulIntegerToFloat" or name.startswith("/output/MatMul")):
            taken.setdefault(name, []).append(event["dur"] / 1e6)
    width = network.settings.model.output_size + 1
    operations = 2 * policy.beam * width * network.layout.count * network.layout.columns
    return operations / sum(map(statistics.median, taken.values())) / 1e9


def _run(command: list[str]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def _cold_start(subject: Subject, quick: bool) -> Iterator[Figure]:
    """A whole `keyseq generate` of one document beside importing torch alone, taking turns."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write(subject.texts[0])
        file.flush()
        generate = [
            sys.executable,
            "-m",
            "keyseq",
            "generate",
            file.name,
            "--system",
            str(subject.folders["onnx int8"]),
        ]
        commands = {"generate": generate, "import": [sys.executable, "-c", "import torch"]}
        seconds = dict.fromkeys(commands, float("inf"))
        for _ in range(1 if quick else 5):
            for name, command in commands.items():
                seconds[name] = min(seconds[name], _seconds(_run, command))
    yield Figure(name="import torch", value=seconds["import"], unit="s")
    yield Figure(
        name="cold keyseq generate, onnx int8",
        value=seconds["generate"],
        unit="s",
        baseline="import torch",
        ratio=seconds["generate"] / seconds["import"],
    )
