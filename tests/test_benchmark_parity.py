"""Engines are compared on all that a network reads of a document."""

import pytest
from benchmarks.parity import engines, networks, rows

from keyseq.types import Document

DOCUMENTS = [
    Document(id=str(number), title=f"w{number} w8", body=f"w1 w2 w{number + 20} . w11", keyphrases=("w1 w2",))
    for number in range(20)
]


@pytest.mark.parametrize("system", ["kg-ke-kr", "divgraphpointer", "one2set"])
def test_both_engines_say_the_same(system, tmp_path):
    [(name, stored)] = networks([system], DOCUMENTS, tmp_path)
    assert name == system
    found = list(engines(stored, DOCUMENTS, ["float32"]))
    assert [engine.name for engine in found] == ["torch float32", "onnx float32"]
    assert any(found[0].phrases)
    [_, (name, *_, same, difference)] = rows(found, DOCUMENTS)
    assert (name, same) == ("onnx float32", "100.0")
    assert float(difference) < 1e-4
