"""What is predicted does not depend on which instructions NumPy and OpenBLAS use."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

EXAMPLES = Path(__file__).parents[2] / "examples"
SCORES = 1e-6  # the difference of scores that processors may make
PROGRAM = """
import json, sys
import keyseq
texts = [open(name, encoding="utf-8").read() for name in sys.argv[1:]]
for system in ("scholar", "scholar-network"):
    for phrases in keyseq.load(system).predict(texts):
        print(json.dumps([[phrase.text, phrase.score] for phrase in phrases]))
"""
# of what NumPy has code for; other versions have other names
KEPT = {"AVX2": ("AVX2", "FMA3", "X86_V3"), "SSE": ()}
BLAS = {"AVX2": "Haswell", "SSE": "Nehalem"}


def older(instructions):
    """The environment in which NumPy and OpenBLAS use no newer instructions."""
    off = [name for name in __cpu_dispatch__ if __cpu_features__[name] and name not in KEPT[instructions]]
    return {"OPENBLAS_CORETYPE": BLAS[instructions], "NPY_DISABLE_CPU_FEATURES": " ".join(off)}


def predicted(**environment):
    texts = sorted(EXAMPLES.glob("*.txt"))[:3]
    command = [sys.executable, "-c", PROGRAM, *map(str, texts)]
    ran = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, check=True)
    assert "cannot disable" not in ran.stderr
    return [json.loads(line) for line in ran.stdout.splitlines()]


@pytest.mark.parametrize("instructions", KEPT)
@pytest.mark.skipif(os.uname().machine != "x86_64", reason="these are instructions of x86")
def test_finding_13_older_instructions_of_a_processor_change_no_phrase(instructions):
    here, there = predicted(), predicted(**older(instructions))
    assert here
    for ours, theirs in zip(here, there, strict=True):
        assert [text for text, _ in ours] == [text for text, _ in theirs]
        np.testing.assert_allclose([score for _, score in ours], [score for _, score in theirs], atol=SCORES)
