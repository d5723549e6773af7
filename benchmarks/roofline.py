"""A roofline: how near the parts of training and decoding come to the processor's arithmetic and to its memory.

python -m benchmarks.roofline --out docs/images/roofline.svg

Both roofs are measured on one core: a large matrix product in float32 and in int8, and copying an array that no cache
holds. A part is drawn at its operations per byte: those of its matrix products, and the bytes of weights, inputs and
results that have to pass at least once. What it does besides products is not counted, but takes its time.
"""

import argparse
import json
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import onnxruntime
import torch

from benchmarks.decoding import product_rate, untrained
from benchmarks.figures import fastest
from benchmarks.generate import documents as texts
from benchmarks.training import CHECKOUT, DOCUMENTS, gemm_peak, products
from benchmarks.training_processes import train_side_by_side
from benchmarks.training_worker import Task, documents
from keyseq import figures
from keyseq.config import ModelSettings, load_settings
from keyseq.decoding.policies import POLICIES
from keyseq.files import write_whole
from keyseq.runtime.exporting import export

FLOAT = 4  # bytes
SIDE = 2048  # of the products that are the roof
COPIED = 1 << 28  # bytes


@dataclass(frozen=True, slots=True)
class Part:
    """What is drawn: operations per byte, and thousand millions of operations per second."""

    name: str
    intensity: float
    rate: float


@dataclass(frozen=True, slots=True)
class Roofline:
    """The limits of one core, in thousand millions of operations or bytes per second, and parts below them."""

    product: float
    product_int8: float
    memory: float
    parts: list[Part]


def measured() -> Roofline:
    """Measure limits and parts, on one thread."""
    torch.set_num_threads(1)
    peak = gemm_peak(1) / 1e9
    with tempfile.TemporaryDirectory() as folder:
        parts = [*_training(), *_decoding(Path(folder))]
    return Roofline(peak, _int8_peak() / 1e9, _bandwidth() / 1e9, parts)


def _bandwidth() -> float:
    """Bytes per second, read and written, of copying."""
    source, target = np.ones(COPIED, np.uint8), np.empty(COPIED, np.uint8)
    return 2 * COPIED / fastest(lambda: np.copyto(target, source))


def _int8_peak() -> float:
    """Operations per second of one large product of ONNX Runtime in int8."""
    from onnx import TensorProto, helper, numpy_helper

    draw = np.random.default_rng(0)
    weights = draw.integers(-127, 128, (SIDE, SIDE)).astype(np.int8)
    node = helper.make_node("MatMulInteger", ["rows", "weights"], ["product"])
    graph = helper.make_graph(
        [node],
        "product",
        [helper.make_tensor_value_info("rows", TensorProto.UINT8, [None, SIDE])],
        [helper.make_tensor_value_info("product", TensorProto.INT32, None)],
        [numpy_helper.from_array(weights, "weights")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    rows = draw.integers(0, 256, (SIDE, SIDE)).astype(np.uint8)
    return 2 * SIDE**3 / fastest(lambda: session.run(None, {"rows": rows}))


def _training() -> Iterator[Part]:
    """The parts of a step of catSeq with 50,000 output words."""
    model = load_settings("catseq").model
    batch = documents(DOCUMENTS, model.vocabulary)
    source, target = (float(lengths.float().mean()) for lengths in (batch.source_lengths, batch.target_lengths))
    [found] = train_side_by_side(asdict(Task(documents=DOCUMENTS, parts=True)), 1, CHECKOUT)
    work = products(model, source, target)
    for name, moved in _moved(model, source, target).items():
        operations = DOCUMENTS * work[name]
        yield Part(f"training: {name}", operations / moved, operations / found["parts"][name] / 1e9)


def _moved(model: ModelSettings, source: float, target: float) -> dict[str, float]:
    """The bytes of a step's weights, inputs and results: forwards, and twice backwards."""
    encoder, hidden, embedding = model.encoder_size, model.hidden_size, model.embedding_size
    weights = {
        "encoder": 6 * encoder * (embedding + encoder),
        "attention": hidden * model.attention_size,
        "output": model.output_size * model.vocabulary,
    }
    rows = {
        "encoder": source * (embedding + 2 * encoder + model.attention_size),
        "attention": source * (2 * encoder + model.attention_size) + target * (hidden + 2 * encoder + source),
        "output": target * (model.output_size + 1),
    }
    return {name: 3 * FLOAT * (weights[name] + DOCUMENTS * rows[name]) for name in weights}


def _decoding(folder: Path) -> Iterator[Part]:
    """The output layer of an exhaustive search, in float32 and in int8."""
    found = [document.text for document in texts(100, seed=3, words=230)]
    stored = untrained(found)
    beam, model = POLICIES["exhaustive"]["one2seq"].beam, stored.settings.model
    for storage, size in (("float32", FLOAT), ("int8", 1)):
        export(stored, folder / storage, "float32" if storage == "float32" else "int8")
        rate = product_rate(folder / storage, found[0])
        moved = model.vocabulary * (model.output_size * size + beam * FLOAT) + beam * model.output_size * size
        intensity = 2 * beam * model.output_size * model.vocabulary / moved
        yield Part(f"exhaustive search: output, {storage}", intensity, rate)


def draw(roofline: Roofline, path: Path) -> None:
    """Draw parts below the roofs."""
    figure = figures.blank(8, 4.8)
    axes = figure.subplots()
    reach = np.array([0.5, 2000.0])
    for name, peak, style in (
        ("float32", roofline.product, "-"),
        ("int8", roofline.product_int8, "--"),
    ):
        corner = peak / roofline.memory
        axes.plot([reach[0], corner, reach[1]], [reach[0] * roofline.memory, peak, peak], style, color="0.35")
        axes.annotate(f"products in {name}: {peak:.0f}", (reach[1], peak), ha="right", va="bottom", fontsize=8)
    axes.annotate(
        f"memory: {roofline.memory:.0f} GB/s", (0.55, 0.62 * roofline.memory), ha="left", va="bottom", fontsize=8
    )
    for number, part in enumerate(roofline.parts):
        axes.plot(part.intensity, part.rate, "o", color=f"C{number}", label=f"{part.name}: {part.rate:.0f}")
    axes.set(
        xscale="log",
        yscale="log",
        xlabel="operations of matrix products per byte",
        ylabel="Gflop/s (int8: Gop/s), one core",
    )
    axes.legend(fontsize=8, loc="lower right")
    axes.grid(visible=True, which="major", alpha=0.3)
    figures.save(figure, path)


def main() -> None:
    """Measure, draw and keep the figures beside the picture."""
    parser = argparse.ArgumentParser("python -m benchmarks.roofline", description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("roofline.svg"), help="the picture; figures go into .json")
    out: Path = parser.parse_args().out
    figures.check(out)
    found = measured()
    draw(found, out)
    with write_whole(out.with_suffix(".json")) as file:
        json.dump(asdict(found), file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
