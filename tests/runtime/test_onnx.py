import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import onnx
import pytest

from keyseq.data.network_inputs import NetworkInput
from keyseq.decoding.policies import Policy
from keyseq.decoding.search import search
from keyseq.errors import KeyseqError
from keyseq.runtime.engine import GraphStepper
from keyseq.runtime.onnx import STEP, VOCABULARY, WEIGHTS, ExportedNetwork


@pytest.fixture
def copied(folder, tmp_path):
    shutil.copytree(folder, tmp_path / "copy")
    return tmp_path / "copy"


def test_loading_and_running_needs_no_torch(folder):
    program = (
        "import sys, pathlib, numpy as np\n"
        "from keyseq.runtime.onnx import ExportedNetwork\n"
        "from keyseq.runtime.engine import GraphStepper\n"
        "from keyseq.decoding.search import search\n"
        "from keyseq.decoding.policies import Policy\n"
        "from keyseq.data.network_inputs import NetworkInput\n"
        f"stepper = GraphStepper(ExportedNetwork(pathlib.Path({str(folder)!r})))\n"
        "found = search(stepper, [NetworkInput(np.arange(5, 20))], Policy())\n"
        "assert len(found[0]) == 1\n"
        "assert not {'torch', 'onnx', 'nltk'} & set(sys.modules), 'heavy imports'\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_eight_threads_share_a_network(folder):
    stepper = GraphStepper(ExportedNetwork(folder))
    draw = np.random.default_rng(2)
    sources = [NetworkInput(draw.integers(5, 305, length)) for length in draw.integers(1, 60, 64)]
    policy = Policy(beam=4, keep=4, max_length=10)

    def run(batch):
        return [[h.tokens.tolist() for h in found] for found in search(stepper, batch, policy)]

    alone = [run([source])[0] for source in sources]
    with ThreadPoolExecutor(8) as pool:
        together = [found for part in pool.map(run, [sources[n : n + 4] for n in range(0, 64, 4)]) for found in part]
    assert together == alone


def test_threads_within_a_graph_change_nothing(folder):
    sources = [NetworkInput(np.arange(5, 60)), NetworkInput(np.arange(100, 105))]
    results = [
        [[h.tokens.tolist() for h in found] for found in search(GraphStepper(network), sources, Policy(beam=5, keep=5))]
        for network in (ExportedNetwork(folder, threads=1), ExportedNetwork(folder, threads=2))
    ]
    assert results[0] == results[1]


def rewrite(path, change):
    model = onnx.load(path, load_external_data=False)
    for tensor in model.graph.initializer:
        if tensor.external_data:
            change(tensor)
            break
    path.write_bytes(model.SerializeToString())


def locate(value):
    def change(tensor):
        tensor.external_data[0].value = value

    return change


@pytest.mark.parametrize("location", ["/etc/passwd", "../outside.bin", "vocabulary.txt", "./weights.safetensors"])
def test_a_graph_that_reads_other_files_is_refused(copied, location):
    (copied.parent / "outside.bin").write_bytes(bytes(100_000))
    rewrite(copied / STEP, locate(location))
    with pytest.raises(KeyseqError, match=r"step\.onnx: .*reads weights from other files than weights\.safetensors"):
        ExportedNetwork(copied)


def test_a_location_in_disguise_is_refused(copied):
    graph = (copied / STEP).read_bytes()
    entry = b"\x0a\x08location\x12\x13weights.safetensors"
    assert entry in graph
    swapped = b"\x12\x13/etc/some_other_fil\x0a\x08location"
    assert len(swapped) == len(entry)
    (copied / STEP).write_bytes(graph.replace(entry, swapped, 1))
    with pytest.raises(KeyseqError, match="reads weights from other files"):
        ExportedNetwork(copied)


def test_a_file_that_leads_out_of_the_folder_is_refused(copied):
    outside = copied.parent / "elsewhere.txt"
    (copied / VOCABULARY).rename(outside)
    (copied / VOCABULARY).symlink_to(outside)
    with pytest.raises(KeyseqError, match=r"vocabulary\.txt: leads out of its folder"):
        ExportedNetwork(copied)
    assert ExportedNetwork(copied, root=copied.parent).words == 300  # as the cache of a hub lays files out


@pytest.mark.parametrize(
    ("name", "damage", "message"),
    [
        (WEIGHTS, lambda content: content[:-10], "truncated, or not a file of weights"),
        (WEIGHTS, lambda content: b"\xff" * 7 + content, "truncated, or not a file of weights"),
        (WEIGHTS, lambda _: b"", "truncated, or not a file of weights"),
        (WEIGHTS, lambda content: content + bytes(3_000_000), "bytes, but a network of these settings"),
        (STEP, lambda content: content[: len(content) // 2], "damaged, or not a graph of this network"),
        (STEP, lambda _: b"not a graph", "damaged, or not a graph of this network"),
        (VOCABULARY, lambda content: content[:-1], "the last line is truncated"),
        ("settings.toml", lambda _: b"[model]\nhiden_size = 3\n", "hiden_size"),
        ("settings.toml", lambda content: content + b"#" * (9 << 20), "exceed the limit for this file"),
    ],
)
def test_a_damaged_file_is_named_with_its_fault(copied, name, damage, message):
    (copied / name).write_bytes(damage((copied / name).read_bytes()))
    with pytest.raises(KeyseqError, match=message) as caught:
        ExportedNetwork(copied)
    assert name in str(caught.value)


def test_a_vocabulary_of_another_network_is_refused(copied):
    words = (copied / VOCABULARY).read_text().splitlines()
    (copied / VOCABULARY).write_text("\n".join(words[:-50]) + "\n")
    with pytest.raises(KeyseqError, match="not the weights of a network of these settings and 250 words"):
        ExportedNetwork(copied)


@pytest.mark.parametrize("name", [STEP, WEIGHTS, VOCABULARY])
def test_a_missing_file_is_named(copied, name):
    (copied / name).unlink()
    with pytest.raises(KeyseqError, match=f"since it has no {name}; see keyseq export"):
        ExportedNetwork(copied)
