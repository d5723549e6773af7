"""A graph from elsewhere is run only if keyseq could have written it."""

import re
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from keyseq.config.loading import available, load_settings
from keyseq.data.vocabulary import Vocabulary
from keyseq.errors import KeyseqError
from keyseq.network.seq2seq import Seq2Seq
from keyseq.runtime.graph_check import MOST_VALUES, OPERATORS, check_graph, operators_used
from keyseq.runtime.graph_fields import NotOurs, read_model
from keyseq.runtime.onnx import ENCODER, NARROWED, STEP, WEIGHTS, ExportedNetwork, _read_weights
from keyseq.runtime.parity import made_up_inputs
from keyseq.runtime.quantization import quantized
from keyseq.runtime.tracing import traced
from keyseq.systems.hub import PRETRAINED
from keyseq.systems.neural import NeuralSystem
from keyseq.types import Document

from .networks import VARIANTS, make

GRAPHS = (ENCODER, STEP, NARROWED)
ALLOWED = OPERATORS[""] | OPERATORS["com.microsoft"]


@pytest.fixture
def copied(folder, tmp_path):
    shutil.copytree(folder, tmp_path / "copy")
    return tmp_path / "copy"


def rewrite(path, change):
    model = onnx.load(path, load_external_data=False)
    change(model)
    path.write_bytes(model.SerializeToString())


def weights_of(model):
    return [tensor for tensor in model.graph.initializer if tensor.external_data]


def with_two_locations(model):
    weights_of(model)[0].external_data.add(key="location", value="/etc/passwd")


def with_an_offset(model):
    weights_of(model)[0].external_data.add(key="offset", value="4096")


def with_weights_elsewhere_that_nobody_gave(model):
    model.graph.initializer.add(name="more", data_type=2, dims=[1000], data_location=TensorProto.EXTERNAL)
    model.graph.initializer[-1].external_data.add(key="location", value="/etc/passwd")


def with_weights_that_are_not_there(model):
    weights_of(model)[0].name = "more"


def with_another_shape(model):
    weights_of(model)[0].dims[0] += 1


def with_a_constant_elsewhere(model):
    tensor = TensorProto(name="t", data_type=2, dims=[10], data_location=TensorProto.EXTERNAL)
    tensor.external_data.add(key="location", value=WEIGHTS)
    model.graph.node.append(helper.make_node("Constant", [], ["c"], value=tensor))


def with_a_large_constant(model):
    tensor = TensorProto(name="t", data_type=1, dims=[1 << 20, 1 << 20])
    model.graph.node.append(helper.make_node("Constant", [], ["c"], value=tensor))


def with_an_endless_loop(model):
    body = helper.make_graph([helper.make_node("Identity", ["go"], ["going"])], "b", [], [])
    count = numpy_helper.from_array(np.array(2**60), "count")
    model.graph.initializer.append(count)
    model.graph.node.append(helper.make_node("Loop", ["count", ""], ["c"], body=body))


def with_a_graph_in_a_harmless_node(model):
    body = helper.make_graph([helper.make_node("Identity", ["go"], ["going"])], "b", [], [])
    model.graph.node.append(helper.make_node("Identity", ["source"], ["c"], body=body))


def with_a_function(model):
    model.functions.append(onnx.FunctionProto(name="Add", domain=""))


def with_a_foreign_operator(model):
    model.opset_import.append(helper.make_opsetid("ai.other", 1))


def with_an_unknown_operator(model):
    model.graph.node.append(helper.make_node("ImageDecoder", ["source"], ["c"]))


def with_sparse_weights(model):
    model.graph.sparse_initializer.add()


@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (with_two_locations, r"reads weights from other files than weights\.safetensors"),
        (with_an_offset, r"reads weights from other files than weights\.safetensors"),
        (with_weights_elsewhere_that_nobody_gave, r"reads weights from other files than weights\.safetensors"),
        (with_weights_that_are_not_there, "has no weights 'more' of it"),
        (with_another_shape, "have another shape"),
        (with_a_constant_elsewhere, "reads a constant from a file"),
        (with_a_large_constant, "a constant of more than 65,536 values"),
        (with_an_endless_loop, "field 6 of AttributeProto"),
        (with_a_graph_in_a_harmless_node, "field 6 of AttributeProto"),
        (with_a_function, "field 25 of ModelProto"),
        (with_a_foreign_operator, "operators of 'ai.other'"),
        (with_an_unknown_operator, "'ImageDecoder' is none of those"),
        (with_sparse_weights, "field 15 of GraphProto"),
    ],
)
def test_a_graph_that_keyseq_does_not_write_is_refused(folder, name, change, message):
    model = onnx.load(folder / name, load_external_data=False)
    shapes = {tensor.name: tuple(tensor.dims) for tensor in weights_of(model)}
    check_graph(model.SerializeToString(), shapes, WEIGHTS)
    change(model)
    with pytest.raises(NotOurs, match=message):
        check_graph(model.SerializeToString(), shapes, WEIGHTS)


def test_row_1_a_second_location_does_not_read_a_file_outside_the_folder(copied):
    rewrite(copied / STEP, with_two_locations)
    with pytest.raises(KeyseqError, match=r"step\.onnx: .*reads weights from other files than weights\.safetensors"):
        ExportedNetwork(copied)


def with_memory_of_4_gigabytes(model):
    """A constant of 2^30 numbers that nothing computes before the graph runs."""
    nodes = [
        helper.make_node("Constant", [], ["huge"], value=numpy_helper.from_array(np.array([1 << 30]))),
        helper.make_node("ConstantOfShape", ["huge"], ["zeros"]),
        helper.make_node("ReduceMax", ["zeros"], ["nought"], keepdims=0),
        helper.make_node("Add", ["mask.without", "nought"], ["mask.with"]),
    ]
    [last] = [node for node in model.graph.node if "keys" in node.output]
    last.output[list(last.output).index("keys")] = "mask.without"
    nodes.append(helper.make_node("Identity", ["mask.with"], ["keys"]))
    model.graph.node.extend(nodes)


ROW_8 = """
import pathlib, re, sys, time
import keyseq
from keyseq.errors import KeyseqError

start = time.process_time()
try:
    keyseq.load(sys.argv[1]).predict(["Robots read social signals."])
except KeyseqError as error:
    [most] = re.findall(r"VmHWM:\\s+([0-9]+) kB", pathlib.Path("/proc/self/status").read_text())
    print(str(error).count("\\n"), time.process_time() - start, int(most) / 1000)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the memory of a process is read from /proc")
@pytest.mark.parametrize(
    ("name", "change"), [(STEP, with_an_endless_loop), (ENCODER, with_memory_of_4_gigabytes)], ids=["loop", "memory"]
)
def test_row_8_a_hostile_graph_is_refused_at_once_and_in_200_megabytes(folder, copied, name, change):
    rewrite(copied / name, change)
    ran = subprocess.run([sys.executable, "-c", ROW_8, str(copied), str(folder)], capture_output=True, text=True)
    breaks, seconds, megabytes = map(float, ran.stdout.split())
    # half a second where nothing else runs; it would be minutes
    assert (breaks, seconds < 5, megabytes < 200) == (0, True, True), (ran.stdout, ran.stderr)


@pytest.mark.parametrize("network", sorted(path.parent.name for path in PRETRAINED.glob(f"*/{STEP}")))
def test_graphs_of_the_package_are_allowed(network):
    for name in GRAPHS:
        weights = _read_weights(PRETRAINED / network / WEIGHTS, name)
        check_graph((PRETRAINED / network / name).read_bytes(), {key: w.shape for key, w in weights.items()}, WEIGHTS)


def operators_of(stored):
    """The operators of the graphs of a network, in float32 and int8."""
    graphs = traced(stored.network, made_up_inputs(stored.vocabulary, stored.settings, 6, 9)[-2:])
    models = [*graphs.values(), *map(quantized, graphs.values())]
    return {operator for model in models for operator in operators_used(model.SerializeToString())}


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_operators_of_every_variant_are_allowed(variant):
    missing = operators_of(make(variant)) - ALLOWED
    assert not missing, (
        f"enter {missing} in OPERATORS of runtime/graph_check.py, if they read no files and run no graphs"
    )


SMALL = ["model.vocabulary=300"]


@pytest.mark.parametrize("config", available())
def test_the_operators_of_every_configuration_are_allowed(config):
    settings = load_settings(config, SMALL)
    words = Vocabulary.from_words([f"w{number}" for number in range(295)])
    missing = operators_of(type(make())(Seq2Seq(settings.model, 300).eval(), settings, words)) - ALLOWED
    assert not missing, (
        f"enter {missing} in OPERATORS of runtime/graph_check.py, if they read no files and run no graphs"
    )


def test_damaged_bytes_are_refused_without_a_traceback(folder):
    draw, content = np.random.default_rng(4), (folder / STEP).read_bytes()
    for _ in range(150):
        broken = bytearray(content)
        for place in draw.integers(0, len(content), draw.integers(1, 6)):
            broken[place] = draw.integers(0, 256)
        try:
            read_model(bytes(broken[: draw.integers(1, len(content) + 1)]))
        except NotOurs:
            continue


def test_a_name_that_is_no_text_is_refused_in_a_sentence_and_nothing_else_is_printed(copied, capfd):
    content = (copied / STEP).read_bytes()
    for place in [here.start() for here in re.finditer(rb"[a-z_]{5}", content)][-40::5]:
        (copied / STEP).write_bytes(content[:place] + b"\xb6" + content[place + 1 :])
        with suppress(KeyseqError):
            assert NeuralSystem.from_pretrained(str(copied)).predict([Document(id="1", body="w1 w2")])
        assert capfd.readouterr() == ("", ""), place


def test_a_field_that_two_readers_would_read_differently_is_refused():
    """Eight bytes to whoever knows fixed widths; one byte, and then a node, to whoever knows none in a graph."""
    as_text, fixed = b"\x52\x08" + b"\x01" * 8, b"\x51" + b"\x01" * 8  # doc_string
    assert read_model(b"\x3a" + bytes([len(as_text)]) + as_text)["graph"]["doc_string"] == b"\x01" * 8
    with pytest.raises(NotOurs, match="damaged"):
        read_model(b"\x3a" + bytes([len(fixed)]) + fixed)


def test_a_file_of_very_many_fields_is_refused_at_the_first_too_many():
    with pytest.raises(NotOurs, match="more than 60,000 fields"):
        read_model(b"\x3a\x80\x80\x80\x02" + b"\x0a\x00" * (1 << 21))


def test_a_shape_cannot_overflow():
    tensor = TensorProto(name="t", data_type=1, dims=[-1, MOST_VALUES])
    model = helper.make_model(helper.make_graph([], "g", [], [], [tensor]))
    with pytest.raises(NotOurs, match="more than 65,536"):
        check_graph(model.SerializeToString(), {}, WEIGHTS)
