"""Whether a graph may be run: it consists of known operators, and reads no file but its own weights.

A graph is a program. ONNX Runtime runs any, with loops without end and with weights from any file; those of keyseq need
neither. The loop of a search, with its end, is made around a step that was checked.
"""

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from keyseq.runtime.graph_fields import Fields, NotOurs, read_model

# Every operator is a function of its inputs: none has graphs inside (If, Loop, Scan), none reads or writes a file.
# The first lines are what the exporter writes for the networks of this version; the others are of the same kind, so
# that new pieces of a network need no change here. An export that needs another one says so.
_OPERATORS = """
    Add And Cast Clip Concat Constant ConstantOfShape Div Equal Exp Expand Flatten GRU Gather GatherElements Gemm
    Greater GreaterOrEqual Less Log LogSoftmax MatMul Max Min Mod Mul Not QuantizeLinear Range ReduceMax ReduceSum
    Reshape ScatterElements Shape Sigmoid Slice Split Squeeze Sub Tanh TopK Transpose Unsqueeze Where

    Abs ArgMax ArgMin BatchNormalization CastLike Ceil Conv Cos CumSum DequantizeLinear DynamicQuantizeLinear Einsum
    Elu Erf Floor GatherND Gelu HardSigmoid HardSwish Identity IsInf IsNaN LSTM LayerNormalization LeakyRelu
    LessOrEqual MatMulInteger Mean Neg NonZero OneHot Or Pad Pow Reciprocal ReduceL1 ReduceL2 ReduceLogSumExp
    ReduceMean ReduceMin ReduceProd ReduceSumSquare Relu Round ScatterND Selu Sign Sin Size Softmax Softplus
    Softsign Sqrt Sum Tile Trilu Xor
"""
OPERATORS = {
    "": frozenset(_OPERATORS.split()),
    "com.microsoft": frozenset({"MatMulIntegerToFloat"}),  # of the networks in int8
}
MOST_NODES = 20_000
MOST_VALUES = 65_536  # of an array within the graph: indices and shapes, for weights are in their own file
_EXTERNAL = 1  # data_location


class Signature(NamedTuple):
    """The inputs of a graph, with numbers or names of their dimensions, and its outputs."""

    inputs: dict[str, list[int | str]]
    outputs: list[str]


def check_graph(content: bytes, weights: Mapping[str, tuple[int, ...]], file: str) -> Signature:
    """Refuse a graph that keyseq does not write; `weights` are the shapes of its weights, which `file` holds.

    ONNX Runtime is given these weights by name, and opens the file of no other.
    """
    model = read_model(content)
    if "graph" not in model:
        raise NotOurs("it has no graph")
    for opset in model["opset_import"]:
        if _text(opset.get("domain", b"")) not in OPERATORS:
            raise NotOurs(f"it uses operators of '{_text(opset['domain'])}', which keyseq does not run")
    graph = model["graph"]
    if len(graph["node"]) > MOST_NODES:
        raise NotOurs(f"it has more than {MOST_NODES:,} nodes")
    for tensor in graph["initializer"]:
        if tensor.get("data_location") or tensor["external_data"]:
            _check_external(tensor, weights, file)
        else:
            _check_inside(tensor)
    for node in graph["node"]:
        _check_node(node)
    for one in (*graph["input"], *graph["output"]):
        _check_value(one)
    return Signature(
        {_text(one["name"]): _shape(one) for one in graph["input"]}, [_text(one["name"]) for one in graph["output"]]
    )


def _check_value(one: Fields) -> None:
    """Refuse an input or output without a name in UTF-8, or without the type that each array has."""
    element = one.get("type", {}).get("tensor_type", {}).get("elem_type")
    try:
        is_named = bool(one.get("name", b"").decode())
    except (AttributeError, UnicodeDecodeError):
        is_named = False
    if not is_named or not isinstance(element, int) or not 0 < element < 128:
        raise NotOurs("an input or output has no name, or no type of its elements")


def _shape(value: Fields) -> list[int | str]:
    tensor = value.get("type", {}).get("tensor_type", {})
    dimensions = tensor.get("shape", {}).get("dim", [])
    return [one["dim_value"] if "dim_value" in one else _text(one.get("dim_param", b"")) for one in dimensions]


def _check_node(node: Fields) -> None:
    domain, operator = _text(node.get("domain", b"")), _text(node.get("op_type", b""))
    if operator not in OPERATORS.get(domain, ()):
        raise NotOurs(f"the operator '{operator}' is none of those that keyseq runs")
    for attribute in node["attribute"]:
        if "t" in attribute:
            _check_inside(attribute["t"])


def _check_external(tensor: Fields, weights: Mapping[str, tuple[int, ...]], file: str) -> None:
    entries = [(_text(entry.get("key", b"")), _text(entry.get("value", b""))) for entry in tensor["external_data"]]
    if entries != [("location", file)] or tensor.get("data_location") != _EXTERNAL:
        raise NotOurs(f"it reads weights from other files than {file}, which is not safe to load")
    name = _text(tensor.get("name", b""))
    if name not in weights:
        raise NotOurs(f"{file} has no weights '{name}' of it")
    if _dimensions(tensor) != weights[name]:
        raise NotOurs(f"its weights '{name}' have another shape in {file}")


def _check_inside(tensor: Fields) -> None:
    if tensor["external_data"] or tensor.get("data_location"):
        raise NotOurs("it reads a constant from a file, which is not safe to load")
    count = 1
    for size in _dimensions(tensor):
        count *= size
        if count > MOST_VALUES:
            raise NotOurs(f"it has a constant of more than {MOST_VALUES:,} values")


def _dimensions(tensor: Fields) -> tuple[int, ...]:
    if any(isinstance(size, bytes) for size in tensor["dims"]):
        raise NotOurs("the shape of an array is packed, as keyseq does not write it")
    return tuple(tensor["dims"])


def _text(value: Any) -> str:  # bytes, or a number where the file is damaged
    return value.decode("utf-8", "replace")[:80] if isinstance(value, bytes) else repr(value)


def operators_used(content: bytes) -> Collection[str]:
    """The operators of a graph."""
    return {_text(node.get("op_type", b"")) for node in read_model(content)["graph"]["node"]}
