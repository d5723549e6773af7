import os
import signal
import subprocess
import sys
import time

import pytest

from keyseq.data.parallel import chunked, run


def test_chunks_of_a_stream():
    assert list(chunked(range(5), 2)) == [[0, 1], [2, 3], [4]]


@pytest.mark.parametrize("processes", [1, 2])
def test_results_come_in_order(processes):
    assert list(run(str, range(20), processes)) == [str(number) for number in range(20)]


def test_an_error_of_the_stream_reaches_the_reader():
    def broken():
        yield from range(10)
        raise ValueError("line 11")

    with pytest.raises(ValueError, match="line 11"):
        list(run(str, broken(), 2))


SLEEPERS = """
import os, time
from keyseq.data.parallel import run

def sleep(number):
    os.write(1, b"%d\\n" % os.getpid())  # at once, so that two never mix
    time.sleep(60)

list(run(sleep, range(4), 2))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="a process there does not learn that its parent has ended")
def test_workers_end_with_a_parent_that_is_killed():
    with subprocess.Popen([sys.executable, "-c", SLEEPERS], stdout=subprocess.PIPE, text=True) as parent:
        workers = {int(parent.stdout.readline()) for _ in range(2)}
        assert all(map(alive, workers))
        parent.send_signal(signal.SIGKILL)
    deadline = time.monotonic() + 20
    while any(map(alive, workers)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not any(map(alive, workers))


def alive(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True
