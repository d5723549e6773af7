"""Training at the paper's sizes, beside a plain implementation of the same equations and the machine's own limit."""

import os
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

import torch

from benchmarks.figures import Figure, fastest
from benchmarks.training_processes import train_side_by_side
from benchmarks.training_worker import Measured, Task, documents
from keyseq.config import ModelSettings, load_settings
from keyseq.config.loading import available
from keyseq.network.products import product

CHECKOUT = Path(__file__).parents[1]
DOCUMENTS = 64
PLAIN = ("plain", "plain, one thread", "plain, twice the batch")  # of which the fastest is the baseline
BASELINE = "catseq"
SMALL = ("model.vocabulary=2000", "model.encoder_size=20", "model.hidden_size=20")


def run(quick: bool = False, every: bool = False) -> list[Figure]:
    """Measure one after another, several times around, and keep the fastest of each.

    With `every`, that is every system which can be trained, beside catSeq.
    """
    if every:
        tasks = _systems(quick)
        return list(_beside_catseq(_measured(tasks, quick), tasks))
    return list(_figures(_measured(_tasks(quick), quick), quick))


def _systems(quick: bool) -> dict[str, tuple[Task, int]]:
    """A task for every system, on one thread; catSeq comes first, and `tiny` has other sizes."""
    names = [BASELINE, *(name for name in available() if name not in (BASELINE, "tiny"))]
    one = Task(documents=4 if quick else 32, threads=1, steps=1 if quick else 2)
    sizes = (*SMALL, "model.encoder_size=10", "loss.reward_words=5") if quick else ("model.output_vocabulary=20000",)
    return {name: (replace(one, settings=name, overrides=sizes), 1) for name in names}


def _beside_catseq(measured: dict[str, Measured], tasks: dict[str, tuple[Task, int]]) -> Iterator[Figure]:
    """Examples per second of processor time, which others on the machine hardly change."""
    rates = {name: tasks[name][0].documents / found.processor for name, found in measured.items()}
    for name, rate in rates.items():
        title, ratio = f"train: {name}, one thread", rate / rates[BASELINE]
        yield Figure(name=title, value=rate, unit="examples/s of a core", baseline=BASELINE, ratio=ratio)


def _tasks(quick: bool) -> dict[str, tuple[Task, int]]:
    """What is measured, and by how many processes side by side."""
    cores = os.cpu_count() or 1
    sizes = SMALL if quick else ()
    one = Task(documents=8 if quick else DOCUMENTS, threads=cores, steps=1 if quick else 4, overrides=sizes)
    several = replace(one, documents=one.documents // cores, threads=1)
    fewer = (*sizes, f"model.output_vocabulary={1000 if quick else 20_000}")
    return {
        PLAIN[0]: (replace(one, plain=True, steps=1), 1),
        PLAIN[1]: (replace(one, plain=True, steps=1, threads=1), 1),
        PLAIN[2]: (replace(one, plain=True, steps=1, documents=2 * one.documents), 1),
        "plain but for keyseq's encoder, one thread": (replace(one, plain=True, packed=False, steps=1, threads=1), 1),
        "one process": (one, 1),
        "a process a core": (several, cores),
        "a process a core, twice the batch": (replace(several, documents=one.documents), cores),
        "a process a core, catSeqD": (replace(several, settings="catseqd"), cores),
        "a process a core, 20,000 output words": (replace(several, overrides=fewer), cores),
        "one thread": (replace(one, threads=1, parts=True), 1),
    }


def _measured(tasks: dict[str, tuple[Task, int]], quick: bool) -> dict[str, Measured]:
    """The fastest of three rounds of each task."""
    found: dict[str, Measured] = {}
    for _ in range(1 if quick else 3):
        for name, (task, processes) in tasks.items():
            found[name] = _faster(_run(task, processes), found.get(name))
    return found


def _faster(one: Measured, other: Measured | None) -> Measured:
    """The run with the faster step; each clock has its own minimum."""
    if other is None:
        return one
    faster = min(one, other, key=lambda measured: measured.seconds)
    return replace(faster, processor=min(one.processor, other.processor))


def _run(task: Task, processes: int) -> Measured:
    """Start the processes of a task; a step takes as long as that of the slowest, memory is that of all."""
    results = [Measured(**found) for found in train_side_by_side(asdict(task), processes, CHECKOUT)]
    slowest = max(results, key=lambda measured: measured.seconds)
    memory = sum(measured.memory for measured in results)
    return replace(slowest, memory=memory)


def _figures(measured: dict[str, Measured], quick: bool) -> Iterator[Figure]:
    tasks = _tasks(quick)
    model = load_settings("catseq", SMALL if quick else ()).model
    batch = documents(DOCUMENTS, model.vocabulary)
    source_words = float(batch.source_lengths.float().mean())
    sizes = {name: task.documents * processes for name, (task, processes) in tasks.items()}
    rates = {name: sizes[name] / found.seconds for name, found in measured.items()}
    baseline = max(PLAIN, key=lambda name: rates[name])
    for name, found in measured.items():
        rate, title = rates[name], f"train: {name}"
        yield Figure(name=title, value=rate, unit="documents/s", baseline=baseline, ratio=rate / rates[baseline])
        yield Figure(name=title, value=rate * source_words, unit="source words/s")
        yield _on_processor(
            name, found.processor / tasks[name][0].documents, measured[PLAIN[1]].processor / sizes[PLAIN[1]]
        )
        yield Figure(name=title, value=found.memory / 2**20, unit="MB at most")
    all_cores = gemm_peak(os.cpu_count() or 1)
    peaks = {"one thread": gemm_peak(1), "a process a core": all_cores, "a process a core, twice the batch": all_cores}
    work = products(model, source_words, float(batch.target_lengths.float().mean()))
    for name, peak in peaks.items():
        yield Figure(name=f"matrix products: {name}, 2048³", value=peak / 1e9, unit="Gflop/s")
        share = rates[name] * sum(work.values()) / peak
        yield Figure(name=f"train: {name}", value=100 * share, unit="% of that")
    yield from _parts(measured["one thread"], tasks["one thread"][0].documents, work, peaks["one thread"])


def _on_processor(name: str, seconds: float, plain: float) -> Figure:
    """Processor time of a document, beside that of the plain implementation on one thread."""
    return Figure(
        name=f"train: {name}",
        value=1000 * seconds,
        unit="ms/document of a core",
        baseline=f"{PLAIN[1]} (speed)",
        ratio=plain / seconds,
    )


def _parts(found: Measured, size: int, work: dict[str, float], peak: float) -> Iterator[Figure]:
    """Milliseconds a document on one thread, and what the matrix products in them need at the peak."""
    parts = found.parts | {"the rest": found.seconds - sum(found.parts.values())}
    for name, seconds in parts.items():
        yield Figure(name=f"one thread: {name}", value=1000 * seconds / size, unit="ms/document")
        if name in work:
            yield Figure(name=f"  its products at the peak: {name}", value=1000 * work[name] / peak, unit="ms/document")


def products(model: ModelSettings, source: float, target: float) -> dict[str, float]:
    """Floating-point operations of a document's matrix products by part, forwards and backwards (three times)."""
    encoder, hidden, embedding = model.encoder_size, model.hidden_size, model.embedding_size
    keys = source * 2 * encoder * model.attention_size
    context = target * source * 2 * encoder
    readout = target * (hidden + 2 * encoder) * (model.output_size + model.switch_size)
    counts = {
        "encoder": 2 * source * 3 * encoder * (embedding + encoder) + keys,
        "decoder": target * 3 * hidden * (embedding + hidden),
        "attention": target * hidden * model.attention_size + context,
        "output": target * model.output_size * (model.output_vocabulary or model.vocabulary),
        "the rest": readout + 2 * encoder * hidden,
    }
    return {name: 6 * count for name, count in counts.items()}


def gemm_peak(threads: int) -> float:
    """Floating-point operations a second of one large matrix product, by the faster of PyTorch's libraries."""
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    one, other = torch.randn(2048, 2048), torch.randn(2048, 2048)
    taken = min(fastest(lambda: one @ other, repeats=10), fastest(lambda: product(one, other), repeats=10))
    torch.set_num_threads(before)
    return 2 * 2048**3 / taken
