"""Write an ONNX graph in the wire format of protocol buffers: a base install has no library for it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from keyseq.runtime.graph_fields import MODEL

FLOAT, INT64, BOOL, DOUBLE = 1, 7, 9, 11  # types of elements
_ELEMENTS = {np.dtype(np.float32): FLOAT, np.dtype(np.int64): INT64, np.dtype(np.bool_): BOOL}
_INT, _GRAPH = 2, 5  # types of attributes
_BYTES = 2  # wire type
_MODEL = {name: number for number, name in MODEL.fields.items()}
_PARTS = {name: number for number, name in MODEL.inside["graph"].fields.items()}


class GraphWriter:
    """The nodes and constants of a graph that is being written."""

    def __init__(self, prefix: str) -> None:
        self.nodes: list[bytes] = []
        self.constants: list[bytes] = []
        self._prefix, self._count = prefix, 0

    def node(self, operator: str, inputs: Sequence[str], outputs: Sequence[str] = (), **attributes: int | bytes) -> str:
        """Add a node; the name of its first output, which is made up if none is given."""
        named = list(outputs) or [self._name()]
        parts = [_text(1, name) for name in inputs] + [_text(2, name) for name in named] + [_text(4, operator)]
        parts += [_field(5, _attribute(name, value)) for name, value in attributes.items()]
        self.nodes.append(b"".join(parts))
        return named[0]

    def constant(self, value: Any) -> str:
        """Add a constant of numbers; its name."""
        array, name = np.asarray(value), self._name()
        dimensions = b"".join(_number(1, size) for size in array.shape)
        parts = [dimensions, _number(2, _ELEMENTS[array.dtype]), _text(8, name), _field(9, array.tobytes())]
        self.constants.append(b"".join(parts))
        return name

    def _name(self) -> str:
        self._count += 1
        return f"{self._prefix}{self._count}"


def value(name: str, element: int, dimensions: Sequence[int | str] | None = None) -> bytes:
    """An input or output of a graph; dimensions are numbers or the names of variable ones."""
    tensor = _number(1, element)
    if dimensions is not None:
        sizes = (_number(1, size) if isinstance(size, int) else _text(2, size) for size in dimensions)
        tensor += _field(2, b"".join(_field(1, size) for size in sizes))
    return _text(1, name) + _field(2, _field(1, tensor))


def graph(name: str, parts: Mapping[str, Iterable[bytes]]) -> bytes:
    """A graph of parts under the names of its fields: node, initializer, input, output."""
    fields = (_field(_PARTS[kind], content) for kind, contents in parts.items() for content in contents)
    return _text(_PARTS["name"], name) + b"".join(fields)


def with_graph(model: bytes, content: bytes) -> bytes:
    """A model with another graph, under the same versions of operators."""
    kept = (field for number, field, _ in fields_of(model) if number != _MODEL["graph"])
    return b"".join(kept) + _field(_MODEL["graph"], content)


def parts_of(model: bytes) -> dict[str, list[bytes]]:
    """The nodes, initializers and so on of the graph of a model that was checked."""
    [content] = [inside for number, _, inside in fields_of(model) if number == _MODEL["graph"]]
    found: dict[str, list[bytes]] = {name: [] for name in _PARTS}
    for number, _, inside in fields_of(content):
        found[MODEL.inside["graph"].fields[number]].append(inside)
    return found


def fields_of(message: bytes) -> Iterator[tuple[int, bytes, bytes]]:
    """The fields of a message that was checked: number, the whole field, and what it holds if it is not a number."""
    place = 0
    while place < len(message):
        start = place
        tag, place = _read(message, place)
        size, after = _read(message, place)
        inside = after
        if tag & 7 == _BYTES:
            after += size
        yield tag >> 3, message[start:after], message[inside:after]
        place = after


def _read(message: bytes, place: int) -> tuple[int, int]:
    found = shift = 0
    while True:
        byte = message[place]
        place += 1
        found |= (byte & 127) << shift
        if byte < 128:
            return found, place
        shift += 7


def _attribute(name: str, content: int | bytes) -> bytes:
    if isinstance(content, bytes):
        return _text(1, name) + _field(6, content) + _number(20, _GRAPH)
    return _text(1, name) + _number(3, content) + _number(20, _INT)


def name_of(message: bytes) -> str:
    """The name of an input or output of a graph."""
    return next(inside for number, _, inside in fields_of(message) if number == 1).decode()


def element_of(message: bytes) -> int:
    """The type of the elements of an input of a graph."""
    inside = message
    for wanted in (2, 1):  # its type, which is that of a tensor
        inside = next(content for number, _, content in fields_of(inside) if number == wanted)
    return next(field[-1] for number, field, _ in fields_of(inside) if number == 1)


def _text(number: int, content: str) -> bytes:
    return _field(number, content.encode())


def _field(number: int, content: bytes) -> bytes:
    return _varint(number << 3 | _BYTES) + _varint(len(content)) + content


def _number(number: int, content: int) -> bytes:
    return _varint(number << 3) + _varint(content)


def _varint(content: int) -> bytes:
    found = bytearray()
    while content >= 128:
        found.append(content & 127 | 128)
        content >>= 7
    return bytes([*found, content])
