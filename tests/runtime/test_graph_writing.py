import numpy as np
import onnx
import onnxruntime

from keyseq.runtime.graph_writing import (
    FLOAT,
    INT64,
    GraphWriter,
    element_of,
    graph,
    name_of,
    parts_of,
    value,
    with_graph,
)
from keyseq.runtime.onnx import STEP


def test_a_written_graph_is_valid_and_runs(folder):
    writer = GraphWriter("made.")
    writer.node("Mul", ["given", writer.constant(np.float32(3))], ["found"])
    parts = {"node": writer.nodes, "initializer": writer.constants}
    parts |= {"input": [value("given", FLOAT, ["D", 2])], "output": [value("found", FLOAT)]}
    model = with_graph((folder / STEP).read_bytes(), graph("test", parts))
    [found] = onnxruntime.InferenceSession(model).run(None, {"given": np.ones((5, 2), np.float32)})
    assert found.tolist() == [[3, 3]] * 5


def test_the_parts_of_a_graph_are_those_that_onnx_finds(folder):
    content = (folder / STEP).read_bytes()
    known, parts = onnx.load_from_string(content).graph, parts_of(content)
    assert [one.SerializeToString() for one in known.node] == parts["node"]
    assert len(parts["initializer"]) == len(known.initializer)
    kinds = {name_of(one): element_of(one) for one in parts["input"]}
    assert kinds == {one.name: one.type.tensor_type.elem_type for one in known.input}
    assert kinds["words"] == INT64
