"""The log of feedback: nothing that was taken is lost, whoever is killed and whoever else writes."""

import os
import signal
import subprocess
import sys

import pytest
from filelock import FileLock

from keyseq.adapting import feedback_log
from keyseq.adapting.feedback import Feedback
from keyseq.adapting.feedback_log import FeedbackLog
from keyseq.errors import KeyseqError

WRITER = """
import sys
from pathlib import Path
from keyseq.adapting.feedback import Feedback
from keyseq.adapting.feedback_log import FeedbackLog

log, name = FeedbackLog(Path(sys.argv[1])), sys.argv[2]
for number in range(int(sys.argv[3])):
    log.append([Feedback(text=f"{name} {number}", accepted=("a phrase",))])
    print(number, flush=True)
"""


def feedback(text):
    return Feedback(text=text, accepted=("a phrase",))


def texts(log):
    return [entry.feedback.text for entry in log.read() if entry.feedback]


def test_what_is_appended_is_read_from_any_place_on(tmp_path):
    log = FeedbackLog(tmp_path)
    assert list(log.read()) == []
    log.append([feedback("one"), feedback("two")])
    log.append([feedback("three")])
    first, *_ = log.read()
    assert texts(log) == ["one", "two", "three"]
    assert [entry.feedback.text for entry in log.read(first.end)] == ["two", "three"]
    assert [entry.end for entry in log.read()][-1] == log.size


def test_a_line_that_was_cut_short_is_passed_over_and_what_comes_later_is_kept(tmp_path):
    log = FeedbackLog(tmp_path)
    log.append([feedback("one")])
    with log.path.open("ab") as file:
        file.write(b'{"text": "tw')
    assert texts(log) == ["one"]
    assert log.torn
    log.append([feedback("three")])
    assert texts(log) == ["one", "three"]
    assert not log.torn
    assert [entry.fault for entry in log.read() if entry.fault] == ["a line that was cut short, or is not JSON"]


def test_a_line_nested_without_end_is_passed_over(tmp_path):
    log = FeedbackLog(tmp_path)
    log.append([feedback("one")])
    with log.path.open("ab") as file:
        file.write(b"[" * 100_000 + b"\n")
    assert texts(log) == ["one"]


def test_it_is_on_disk_before_append_returns(tmp_path, monkeypatch):
    synced = []
    monkeypatch.setattr(os, "fsync", lambda descriptor: synced.append(os.fstat(descriptor).st_size))
    FeedbackLog(tmp_path).append([feedback("one")])
    assert synced[0] == FeedbackLog(tmp_path).size


def test_several_processes_write_whole_lines(tmp_path):
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, tmp_path, name, "30"], stdout=subprocess.DEVNULL)
        for name in "abc"
    ]
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    assert sorted(texts(FeedbackLog(tmp_path))) == sorted(f"{name} {number}" for name in "abc" for number in range(30))


def test_a_writer_that_is_killed_loses_nothing_that_it_had_taken(tmp_path):
    taken = []
    for turn in range(8):
        name = f"turn{turn}"
        command = [sys.executable, "-c", WRITER, str(tmp_path), name, "100000"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
            for _ in range(5 + 7 * turn):
                writer.stdout.readline()
            writer.send_signal(signal.SIGKILL)
            told = writer.stdout.read().splitlines()
        last = int(told[-1]) if told and told[-1].isdecimal() else 4 + 7 * turn
        taken += [f"{name} {number}" for number in range(last)]
    found = texts(FeedbackLog(tmp_path))
    assert set(taken) <= set(found)
    assert len(found) == len(set(found))


def test_a_log_that_another_process_holds_is_an_error_and_not_a_wait_for_ever(tmp_path, monkeypatch):
    monkeypatch.setattr(feedback_log, "WAIT", 0.1)
    log = FeedbackLog(tmp_path)
    log.append([feedback("one")])
    with FileLock(log.path.with_name(".log.lock")), pytest.raises(KeyseqError, match="another process has been"):
        log.append([feedback("two")])
    assert texts(log) == ["one"]
