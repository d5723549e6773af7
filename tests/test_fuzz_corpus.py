"""Cases that fuzzing found, and the simplest of their kinds, break no target again, and none takes two seconds."""

import time
from pathlib import Path

import pytest
from fuzz.targets import FORMATS, TARGETS

CORPUS = Path(__file__).parents[1] / "fuzz" / "corpus"
CASES = [(path.parent.name, path) for path in sorted(CORPUS.glob("*/*"))]
SIMPLE = (
    b"",
    b"\0",
    b"\xff\xfe",
    b"{",
    b"[[[[[[[[",
    b'{"a": ' * 2_000,
    b"(" * 4_000,
    b"\t" * 4_000,
    "é\u202e☃".encode(),
)


@pytest.mark.parametrize(("target", "case"), CASES, ids=[f"{target}/{path.name[:20]}" for target, path in CASES])
def test_what_was_found_once_does_no_harm_again(target, case):
    TARGETS[target](case.read_bytes())


@pytest.mark.parametrize("target", TARGETS)
def test_the_simplest_hostile_bytes_are_refused_in_keyseq_s_own_words(target):
    for content in SIMPLE:
        for first in range(len(FORMATS)) if target == "read" else [None]:
            start = time.process_time()
            TARGETS[target](content if first is None else bytes([first]) + content)
            assert time.process_time() - start < 2
