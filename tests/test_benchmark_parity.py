"""Engines are compared on all that a network reads of a document."""

import pytest
from benchmarks.parity import engines, rows
from tests.runtime.test_exported_systems import make

from keyseq.types import Document


@pytest.mark.parametrize("system", ["kg-ke-kr", "divgraphpointer"])
def test_both_engines_say_the_same(system, tmp_path):
    documents = [
        Document(id=str(number), title=f"w{number} w8", body=f"w1 w2 w{number + 20} . w11", keyphrases=("w1 w2",))
        for number in range(20)
    ]
    found = list(engines(make(system, tmp_path), documents, ["float32"]))
    assert [engine.name for engine in found] == ["torch float32", "onnx float32"]
    assert any(found[0].phrases)
    [_, (name, *_, same, difference)] = rows(found, documents)
    assert (name, same) == ("onnx float32", "100.0")
    assert float(difference) < 1e-4
