"""One process that measures one kind of work and prints what it found: started by `benchmarks.speed`.

It uses what keyseq has had for long, so that the same measurements run on an earlier checkout. Work of one core is told
in processor time, which others on the machine hardly change, other work in time.
"""

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, cast

import keyseq
from benchmarks import evaluation, extraction
from benchmarks.clients import press
from benchmarks.figures import fastest
from benchmarks.generate import documents, predictions
from benchmarks.training_processes import train_side_by_side
from keyseq.data.datasets import find
from keyseq.data.formats import read_documents, write_documents
from keyseq.errors import KeyseqError
from keyseq.types import Document, as_documents

CHECKOUT = Path(keyseq.__file__).parents[2]  # whose keyseq this process measures
PAPER = Path(__file__).parents[1] / "examples" / "paper.txt"
PER_DOCUMENT = 10  # predictions
PLAIN_EVALUATED = 40  # as many times fewer documents for the plain evaluation
PART = 64  # documents of a part that a worker writes
WARMED = 10  # documents before anything is measured: tables and weights are read at first use
SEARCH = {"decoding": "exhaustive", "beam": 16, "max_length": 6}  # what the default asks of its network

Found = dict[str, float]
_GENERATE = """
import pathlib, re, runpy, sys
sys.argv[:] = ["keyseq", "generate", sys.argv[1]]
try:
    runpy.run_module("keyseq", run_name="__main__")
except SystemExit:
    pass
print(re.search(r"VmHWM:\\s*(\\d+)", pathlib.Path("/proc/self/status").read_text())[1])
"""


def training(task: Mapping[str, Any], processes: int) -> Found:
    """Documents trained on per second, by the worker of the checkout itself, which is made for its network."""
    found = train_side_by_side(task, processes, CHECKOUT)
    clock = "processor" if processes * task["threads"] == 1 else "seconds"
    return {"documents/s": processes * task["documents"] / max(one[clock] for one in found)}


def decoding(network: Mapping[str, Any], strategy: str, count: int) -> Found:
    """Documents decoded per second by a network that this checkout exported."""
    folder = Path(network["folder"], f"{zlib.crc32(str(CHECKOUT).encode())}-{network['storage']}")
    if not folder.is_dir():  # by a process of its own, since exporting needs torch
        export = json.dumps(["exporting", {**network, "folder": str(folder)}, 0])
        subprocess.run([sys.executable, "-m", "benchmarks.speed_worker", export], check=True, capture_output=True)
    system = keyseq.load(str(folder), decoding=strategy, threads=1)
    return {"documents/s": _rate(system, _made_up(count))}


def exporting(folder: str, storage: str, overrides: Sequence[str]) -> Found:
    """Export a network of the paper's sizes with random weights."""
    from benchmarks.decoding import untrained
    from keyseq.runtime.exporting import export

    export(untrained(_made_up(100), overrides), Path(folder), cast(Any, storage))
    return {}


def plain_decoding(strategy: str, count: int, overrides: Sequence[str]) -> Found:
    """The same by a plain search in torch, with the same weights."""
    import torch

    from benchmarks.decoding import plain_search, untrained

    torch.set_num_threads(1)
    texts = _made_up(count)
    stored = untrained(_made_up(100), overrides)
    return {"documents/s": count / _seconds(lambda: plain_search(stored, texts, strategy))}


def _made_up(count: int) -> list[str]:
    """Texts of 230 words, as `benchmarks.decoding` has them."""
    return [document.text for document in documents(count, seed=3, words=230)]


def network(strategy: str, count: int, threads: int) -> Found:
    """Abstracts per second by the network of the package."""
    system = keyseq.load("scholar-network", decoding=strategy, threads=threads)
    return {"documents/s": _rate(system, abstracts("kp20k_1000", count))}


def default(count: int, threads: int) -> Found:
    """Abstracts per second by the default system; on one thread also the time of one, and the network's part of it."""
    texts = abstracts("kp20k_1000", count)
    system = keyseq.load(threads=threads)
    found = {"documents/s": _rate(system, texts)}
    if threads == 1:
        alone = keyseq.load("scholar-network", threads=1, **SEARCH)
        found["ms, one abstract, p50"] = _median(system, texts)
        found["ms, its network's part, p50"] = _median(alone, texts)
    return found


def by_workers(count: int, workers: int) -> Found:
    """Abstracts per second of `keyseq generate --workers`, between the parts that are written, without the start."""
    with tempfile.TemporaryDirectory() as folder:
        corpus, out = Path(folder, "corpus.jsonl"), Path(folder, "out")
        write_documents(as_documents(abstracts("kp20k_1000", count)), corpus)
        arguments = (str(corpus), "--workers", str(workers), "--part-size", str(PART), "--out", str(out))
        subprocess.run([sys.executable, "-m", "keyseq", "generate", *arguments], check=True, capture_output=True)
        ended = sorted(part.stat().st_mtime for part in out.glob("part-*"))
    return {"documents/s": (count - workers * PART) / (ended[-1] - ended[workers - 1])}


def extracting(name: str, count: int) -> Found:
    """Abstracts per second by an extractive system."""
    return {"documents/s": _rate(keyseq.load(name), abstracts("inspec", count))}


def plain_extracting(name: str, count: int) -> Found:
    """The same by YAKE's own package, or by a plain RAKE."""
    texts = [_text(one) for one in abstracts("inspec", count)]
    extract: Callable[[str], object]
    if name == "yake":
        import yake

        extract = yake.KeywordExtractor(top=10).extract_keywords
    else:
        from benchmarks.plain_rake import plain_rake
        from keyseq.text.analyzer import ENGLISH

        extract = lambda text: plain_rake(text, ENGLISH.stop_words)  # noqa: E731
    return {"documents/s": count / _seconds(lambda: [extract(text) for text in texts], repeats=2)}


def abstracts(dataset: str, count: int) -> list[str | Document]:
    """So many abstracts of a validation part; made up if the corpora are not there."""
    try:
        return list(islice(read_documents(find(dataset, "valid")), count))
    except KeyseqError:
        return [*extraction.documents(count, seed=3)]


def _text(document: str | Document) -> str:
    return document if isinstance(document, str) else document.text


def _rate(system: keyseq.System, texts: Sequence[str | Document]) -> float:
    """Documents per second, the faster of two runs after a warm one."""
    system.predict(texts[:WARMED])
    return len(texts) / _seconds(lambda: system.predict(texts), repeats=2)


def _median(system: keyseq.System, texts: Sequence[str | Document]) -> float:
    """Milliseconds that a text by itself takes."""
    return 1000 * statistics.median(_seconds(partial(system.predict, [text])) for text in texts)


def evaluating(count: int, processes: int, place: str) -> Found:
    """Documents evaluated per second, stems cold and warm."""
    clock = time.process_time if processes == 1 else time.perf_counter
    seconds = evaluation.measure(count, processes, place, clock, repeats=2)
    return {f"documents/s, {stems}": count / taken for stems, taken in seconds.items()}


def plain_evaluating(count: int) -> Found:
    """The same by a plain evaluation, which remembers no stem."""
    from benchmarks.plain_evaluation import plain_evaluation

    gold = list(documents(count // PLAIN_EVALUATED, seed=1))
    predicted = [predictions(document, seed=2, count=PER_DOCUMENT) for document in gold]
    rate = len(gold) / _seconds(lambda: plain_evaluation(gold, predicted))
    return dict.fromkeys(("documents/s, cold", "documents/s, warm", "documents/s"), rate)


def evaluate_command(count: int) -> Found:
    """Documents per second of the whole command `keyseq evaluate`, on files."""
    with tempfile.TemporaryDirectory() as folder:
        gold = list(documents(count, seed=1))
        paths = [Path(folder, name) for name in ("gold.jsonl", "predictions.jsonl")]
        write_documents(gold, paths[0])
        lines = ({"id": one.id, "keyphrases": predictions(one, seed=2, count=PER_DOCUMENT)} for one in gold)
        paths[1].write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
        return {"documents/s": count / _command_seconds("-m", "keyseq", "evaluate", *map(str, paths))}


def starting() -> Found:
    """A cold `keyseq generate` of one abstract: seconds, and the most memory of such a process."""
    _command_seconds("-m", "keyseq", "generate", str(PAPER))  # writes the bytecode
    printed = subprocess.run([sys.executable, "-c", _GENERATE, str(PAPER)], capture_output=True, check=True)
    return {
        "s, keyseq generate": _command_seconds("-m", "keyseq", "generate", str(PAPER)),
        "MB, keyseq generate": int(printed.stdout.split()[-1]) / 1024,
    }


def importing_torch() -> Found:
    """The seconds that importing PyTorch takes, which keyseq does without."""
    return {"s, keyseq generate": _command_seconds("-c", "import torch")}


def _command_seconds(*arguments: str) -> float:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, *arguments]
    return _seconds(lambda: subprocess.run(command, check=True, capture_output=True, env=environment))


def _seconds(work: Callable[[], object], repeats: int = 1) -> float:
    """How long something takes, and the processes that it starts and waits for."""
    return fastest(work, repeats, _processor_time if len(os.sched_getaffinity(0)) == 1 else time.perf_counter)


def _processor_time() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def serving(seconds: float) -> Found:
    """A server of the network: requests per second relative to direct predictions, and its memory afterwards."""
    from benchmarks import served
    from benchmarks.clients import message

    name = "scholar-network"
    system, texts = keyseq.load(name), [document.text for document in documents(256, seed=5, words=180)]
    system.predict(texts[:64])
    alone = keyseq.load(name, threads=1)
    found: Found = {}
    with served.serving(name) as server:
        for clients, direct in ((1, lambda: _one_by_one(alone, texts[:64])), (64, lambda: system.predict(texts[:64]))):
            before = 64 / fastest(direct, repeats=1)
            load = press(server.port, clients, seconds, [message(text) for text in texts])
            after = 64 / fastest(direct, repeats=1)
            found[f"of direct predictions, clients: {clients}"] = load.rate / ((before + after) / 2)
        found["MB, server"] = server.memory
    return found


def _one_by_one(system: keyseq.System, texts: Sequence[str]) -> None:
    for text in texts:
        system.predict([text])


def main() -> None:
    """Read what to measure from the command line, measure it on so many cores, print what was found."""
    measure, options, cores = json.loads(sys.argv[1])
    if cores:
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores])
    print(json.dumps(globals()[measure](**options)))


if __name__ == "__main__":
    main()
