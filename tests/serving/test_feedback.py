"""Feedback over HTTP: what was taken is never lost, and new versions are taken over without losing a request."""

import json
import shutil
import signal
import subprocess
import sys
import threading
import time

import pytest
import schemathesis
from schemathesis import GenerationMode
from tests.adapting.test_feedback_learning import KITCHENS, text
from tests.serving.running import running
from tests.serving.test_openapi import played

from keyseq.adapting.feedback_log import FeedbackLog

NEW = text(KITCHENS, 44)


def send(server, request, **headers):
    body = request if isinstance(request, str) else json.dumps(request)
    return server.ask("/v1/feedback", body, **{"Content_Type": "application/json", **headers})


def given(server):
    [document] = server.keyphrases({"text": NEW}).json["documents"]
    return [phrase["text"] for phrase in document["keyphrases"]]


def correction(number):
    return {"text": text(KITCHENS, 4 * number), "rejected": ["copper pan"], "added": ["cooking at home"]}


def wait_for(condition):
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def learn(folder, *more):
    return subprocess.run([sys.executable, "-m", "keyseq", "learn", folder, *more], capture_output=True, text=True)


def test_ten_corrections_learnt_on_command_change_the_answers_of_the_running_server(mine, tmp_path):
    with running(tmp_path, "textrank", "--learn", mine) as server:
        assert server.ask("/v1/systems").json["learns"] == "mine"
        before = given(server)
        assert "copper pan" in before
        for number in range(10):
            assert send(server, correction(number)).json == {"stored": 2}
        assert given(server) == before
        ran = learn(mine)
        assert ran.returncode == 0, ran.stderr
        assert "version 1 learnt 20 verdicts on 10 documents; F1@M on 40 held-out documents" in ran.stderr
        wait_for(lambda: "cooking at home" in given(server))
        assert "copper pan" not in given(server)
        assert learn(mine, "--rollback").returncode == 0
        wait_for(lambda: given(server) == before)


def test_at_an_interval_it_learns_by_itself_and_no_request_is_lost_meanwhile(mine, tmp_path):
    with running(tmp_path, mine, "--learn", mine, "--learn-every", 1) as server:
        statuses, done = [], threading.Event()

        def ask():
            while not done.is_set():
                statuses.append(server.keyphrases({"text": NEW}).status)

        asking = threading.Thread(target=ask)
        asking.start()
        try:
            for number in range(10):
                assert send(server, correction(number)).status == 200
            wait_for(lambda: "cooking at home" in given(server))
        finally:
            done.set()
            asking.join()
        assert set(statuses) == {200}
        assert len(statuses) > 5


def test_a_server_that_is_killed_at_any_moment_loses_no_feedback_that_it_took(mine, tmp_path):
    taken = []
    for turn in range(5):
        with running(tmp_path, "--learn", mine, "--learn-every", 1) as server:
            killer = threading.Timer(0.3 + 0.4 * turn, server.process.send_signal, [signal.SIGKILL])
            killer.start()
            try:
                for number in range(100_000):
                    request = {"text": f"Text {turn} {number} of a kitchen", "accepted": ["kitchen"]}
                    if send(server, request).status == 200:
                        taken.append(request["text"])
            except OSError:
                pass  # killed
            killer.join()
            server.process.wait()
    found = [entry.feedback.text for entry in FeedbackLog(mine).read() if entry.feedback]
    assert len(taken) > 20
    assert set(taken) <= set(found)
    assert learn(mine).returncode in (0, 2)  # 2: everything was learnt before the last kill
    with running(tmp_path, "--learn", mine) as server:  # whatever was being learnt, the mine is whole
        assert given(server)


def test_two_servers_can_take_feedback_for_one_system(mine, tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    with running(tmp_path / "a", "--learn", mine) as first, running(tmp_path / "b", "--learn", mine) as second:

        def fill(server, name):
            for number in range(30):
                assert send(server, {"text": f"{name} {number}", "accepted": ["pan"]}).status == 200

        filling = [threading.Thread(target=fill, args=pair) for pair in ((first, "first"), (second, "second"))]
        for one in filling:
            one.start()
        for one in filling:
            one.join()
    found = sorted(entry.feedback.text for entry in FeedbackLog(mine).read())
    assert found == sorted(f"{name} {number}" for name in ("first", "second") for number in range(30))


@pytest.fixture(scope="module")
def learning(taught, tmp_path_factory):
    folder = tmp_path_factory.mktemp("server")
    shutil.copytree(taught, folder / "mine")
    with running(folder, "--learn", folder / "mine", "--max-text", 1000) as server:
        yield server


@pytest.mark.parametrize(
    ("request_", "status", "message"),
    [
        ("{", 400, "not valid JSON"),
        ({"accepted": ["pan"]}, 422, "is empty; send a text, a title or both"),
        ({"text": NEW}, 422, "feedback needs at least one phrase that is accepted, rejected or added"),
        ({"text": NEW, "accepted": []}, 422, "accepted"),
        ({"text": NEW, "accepted": ["…"]}, 422, "'…' is not a phrase"),
        ({"text": NEW, "accepted": ["pan"], "rejected": ["Pan"]}, 422, "'Pan' cannot be both accepted and rejected"),
        ({"text": NEW, "acepted": ["pan"]}, 422, "acepted is not a known field; did you mean 'accepted'?"),
        ({"text": "pan " * 300, "accepted": ["pan"]}, 413, "text has 1,200 characters; the limit is 1,000"),
    ],
)
def test_what_is_no_feedback_is_refused_with_a_sentence_and_not_stored(learning, request_, status, message):
    answer = send(learning, request_)
    assert answer.status == status
    assert message in answer.error["message"]


def test_whatever_the_description_allows_or_forbids_there_is_no_defect(learning):
    operation = schemathesis.openapi.from_url(f"{learning.url}/openapi.json")["/v1/feedback"]["POST"]
    assert 200 in played(operation, GenerationMode.POSITIVE)
    assert played(operation, GenerationMode.NEGATIVE) & {400, 415, 422}


def test_only_a_server_that_learns_takes_feedback(server):
    answer = send(server, correction(0))
    assert answer.status == 404
    assert answer.error["message"] == "this server does not learn; start it with --learn DIR"
    assert server.ask("/v1/systems").json["learns"] is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--learn-every", "5"), "--learn-every needs --learn DIR"),
        (("--learn", "scholar"), "scholar: a system of the package; name the folder of a combined system"),
        (("--learn", "nowhere"), "nowhere: no such folder"),
    ],
)
def test_what_cannot_learn_is_an_error_of_the_start(tmp_path, arguments, message):
    command = [sys.executable, "-m", "keyseq", "serve", "--port", "0", *arguments]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=60)
    assert ran.returncode == 2
    assert message in ran.stderr
