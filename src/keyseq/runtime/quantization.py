"""Quantization of the two large tables of a network to int8: embeddings by row, the output layer by column.

The input of the output layer is a tanh, so a fixed scale suffices; with a scale computed from the batch, results would
depend on the other documents. With 7 bits, sums of products are exact on every processor.
"""

import numpy as np
from numpy.typing import NDArray
from onnx import ModelProto, NodeProto, helper, numpy_helper

EMBEDDING, OUTPUT = "network.embedding.weight", "output.blocks."
INT8_EMBEDDING = "embedding"
_STEPS = 63  # quantization levels of the output layer's input on each side of zero


def quantized(model: ModelProto) -> ModelProto:
    """The same graph with int8 tables."""
    weights = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    nodes: list[NodeProto] = []
    added: dict[str, NDArray[np.generic]] = {}
    produced = {name: node for node in model.graph.node for name in node.output}
    for node in model.graph.node:
        if node.op_type == "Gather" and node.input[0] == EMBEDDING:
            nodes += _gather(node, weights[EMBEDDING], added)
        elif node.op_type == "MatMul" and node.input[1].startswith(OUTPUT):
            nodes += _multiply(node, produced[node.input[0]].input[0], weights[node.input[1]], added)
        else:
            nodes.append(node)
    used = {name for node in nodes for name in node.input} | {output.name for output in model.graph.output}
    nodes = [node for node in nodes if used.intersection(node.output)]  # drops the unused column of ones for the bias
    kept = [tensor for tensor in model.graph.initializer if any(tensor.name in node.input for node in nodes)]
    kept += [numpy_helper.from_array(value, name) for name, value in added.items()]
    graph = helper.make_graph(nodes, model.graph.name, model.graph.input, model.graph.output, kept)
    opsets = [*model.opset_import, helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=model.ir_version)


def rounded(table: NDArray[np.float32], axis: int) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Integers in −127..127, and the scale of each row or column along `axis`."""
    scales = np.maximum(np.abs(table).max(axis=axis), np.finfo(np.float32).tiny) / 127
    return np.rint(table / np.expand_dims(scales, axis)).astype(np.int8), scales.astype(np.float32)


def _gather(node: NodeProto, table: NDArray[np.float32], added: dict[str, NDArray[np.generic]]) -> list[NodeProto]:
    added[f"{INT8_EMBEDDING}.int8"], scales = rounded(table, axis=1)
    added[f"{INT8_EMBEDDING}.scales"] = scales[:, None]
    rows, steps, chosen = (f"{node.output[0]}.{part}" for part in ("rows", "steps", "scales"))
    return [
        helper.make_node("Gather", [f"{INT8_EMBEDDING}.int8", node.input[1]], [rows]),
        helper.make_node("Gather", [f"{INT8_EMBEDDING}.scales", node.input[1]], [chosen]),
        helper.make_node("Cast", [rows], [steps], to=1),
        helper.make_node("Mul", [steps, chosen], [node.output[0]]),
    ]


def _multiply(
    node: NodeProto, entering: str, matrix: NDArray[np.float32], added: dict[str, NDArray[np.generic]]
) -> list[NodeProto]:
    """`entering` is the input without the column of ones for the bias, the last row of the matrix."""
    name = node.input[1]
    added[f"{name}.int8"], added[f"{name}.scales"] = rounded(matrix[:-1], axis=0)
    added[f"{name}.bias"] = matrix[-1]
    added["readout.scale"] = np.array(1 / _STEPS, dtype=np.float32)
    added["readout.zero"] = np.array(64, dtype=np.uint8)
    flat = f"{name}.entering"
    given = [flat, f"{name}.int8", "readout.scale", f"{name}.scales", "readout.zero", "", f"{name}.bias"]
    return [
        helper.make_node("QuantizeLinear", [entering, "readout.scale", "readout.zero"], [flat]),
        helper.make_node("MatMulIntegerToFloat", given, [node.output[0]], domain="com.microsoft"),
    ]
