"""The fields of an ONNX file, read from the wire format of protocol buffers without trust in any of it.

Only the messages and fields that keyseq's own graphs consist of are known. Whatever else a file holds is refused, since
ONNX Runtime might act on it: functions, graphs within nodes such as the body of a loop, sparse tensors.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

MOST = 60_000  # fields of a file; the largest graph of the package has 8,000
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_WIDTHS = {_FIXED64: 8, _FIXED32: 4}


class NotOurs(ValueError):  # noqa: N818  # a sentence for the error that names the file
    """The file holds what keyseq's graphs do not, or is damaged."""


@dataclass(frozen=True, slots=True)
class Message:
    """A kind of message: its fields by number, those of them that hold other messages, and those that are repeated.

    Only some have fields of a fixed width; `graph_writing` reads the others and relies on it.
    """

    name: str
    fields: Mapping[int, str]
    inside: "Mapping[str, Message]" = field(default_factory=dict)
    repeated: frozenset[str] = frozenset()
    has_fixed: bool = False


_ENTRY = Message("StringStringEntryProto", {1: "key", 2: "value"})
_TENSOR = Message(
    "TensorProto",
    {
        1: "dims",
        2: "data_type",
        4: "float_data",
        5: "int32_data",
        7: "int64_data",
        8: "name",
        9: "raw_data",
        10: "double_data",
        12: "doc_string",
        13: "external_data",
        14: "data_location",
    },
    {"external_data": _ENTRY},
    frozenset({"dims", "float_data", "int32_data", "int64_data", "double_data", "external_data"}),
    has_fixed=True,
)
_ATTRIBUTE = Message(
    "AttributeProto",
    {1: "name", 2: "f", 3: "i", 4: "s", 5: "t", 7: "floats", 8: "ints", 9: "strings", 13: "doc_string", 20: "type"},
    {"t": _TENSOR},
    frozenset({"floats", "ints", "strings"}),
    has_fixed=True,
)
_NODE = Message(
    "NodeProto",
    {1: "input", 2: "output", 3: "name", 4: "op_type", 5: "attribute", 6: "doc_string", 7: "domain"},
    {"attribute": _ATTRIBUTE},
    frozenset({"input", "output", "attribute"}),
)
_DIMENSION = Message("Dimension", {1: "dim_value", 2: "dim_param", 3: "denotation"})
_SHAPE = Message("TensorShapeProto", {1: "dim"}, {"dim": _DIMENSION}, frozenset({"dim"}))
_TENSOR_TYPE = Message("TypeProto.Tensor", {1: "elem_type", 2: "shape"}, {"shape": _SHAPE})
_TYPE = Message("TypeProto", {1: "tensor_type", 6: "denotation"}, {"tensor_type": _TENSOR_TYPE})
_VALUE = Message("ValueInfoProto", {1: "name", 2: "type", 3: "doc_string"}, {"type": _TYPE})
_GRAPH = Message(
    "GraphProto",
    {1: "node", 2: "name", 5: "initializer", 10: "doc_string", 11: "input", 12: "output", 13: "value_info"},
    {"node": _NODE, "initializer": _TENSOR, "input": _VALUE, "output": _VALUE, "value_info": _VALUE},
    frozenset({"node", "initializer", "input", "output", "value_info"}),
)
_OPSET = Message("OperatorSetIdProto", {1: "domain", 2: "version"})
MODEL = Message(
    "ModelProto",
    {
        1: "ir_version",
        2: "producer_name",
        3: "producer_version",
        4: "domain",
        5: "model_version",
        6: "doc_string",
        7: "graph",
        8: "opset_import",
    },
    {"graph": _GRAPH, "opset_import": _OPSET},
    frozenset({"opset_import"}),
)

Fields = dict[str, Any]  # by name; a list for those that are repeated, bytes for texts and numbers that are packed


def read_model(content: bytes) -> Fields:
    """The fields of a file; `NotOurs` if keyseq does not write such files."""
    return _FieldReader(content).message(MODEL, 0, len(content))


class _FieldReader:
    def __init__(self, content: bytes) -> None:
        self._content, self._left = content, MOST

    def message(self, kind: Message, start: int, end: int) -> Fields:
        found: Fields = {name: [] for name in kind.repeated}
        for number, value in self._parts(start, end, kind.has_fixed):
            name = kind.fields.get(number)
            if name is None:
                raise NotOurs(f"field {number} of {kind.name} is none that keyseq writes")
            if name in kind.repeated:
                found[name].append(self._value(kind, name, value))
            elif name in found:
                raise NotOurs(f"'{name}' of {kind.name} is there twice")
            else:
                found[name] = self._value(kind, name, value)
        return found

    def _value(self, kind: Message, name: str, value: int | tuple[int, int]) -> Any:
        if name in kind.inside:
            if isinstance(value, int):
                raise NotOurs(f"'{name}' of {kind.name} is not a message")
            return self.message(kind.inside[name], *value)
        return value if isinstance(value, int) else self._content[slice(*value)]

    def _parts(self, start: int, end: int, has_fixed: bool) -> Iterator[tuple[int, int | tuple[int, int]]]:
        """The number of each field, and its value: a whole number, or where bytes start and end."""
        place = start
        while place < end:
            self._left -= 1
            if self._left < 0:
                raise NotOurs(f"it has more than {MOST:,} fields")
            tag, place = self._varint(place, end)
            wire = tag & 7
            if wire == _VARINT:
                value, place = self._varint(place, end)
                yield tag >> 3, value
                continue
            size = _WIDTHS.get(wire) if has_fixed else None
            if size is None:
                if wire != _BYTES:
                    raise NotOurs("it is damaged")
                size, place = self._varint(place, end)
            if size > end - place:
                raise NotOurs("it is cut short or damaged")
            yield tag >> 3, (place, place + size)
            place += size

    def _varint(self, place: int, end: int) -> tuple[int, int]:
        value = shift = 0
        while place < end and shift < 70:
            byte = self._content[place]
            place += 1
            value |= (byte & 127) << shift
            if byte < 128:
                return value, place
            shift += 7
        raise NotOurs("it is cut short or damaged")
