"""Whole evaluations: against the conventions written down a second time, and what must hold for any input."""

import json
import multiprocessing
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from conventions import CONVENTIONS, gold_tokens, stemmed, tokens
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from keyseq.data.formats import write_documents
from keyseq.errors import DataError, KeyseqError
from keyseq.evaluation import evaluate, evaluator, oracle, protocols
from keyseq.types import Document, Phrase

PARTS = ("present", "absent", "all")
WORDS = ["neural", "network", "networks", "net", "model", "models", "c++", "2020", "1998", "x"]
ODD = [".", ",", "(svm)", "<unk>", "<digit>", "state-of-the-art", "'", "[y", "é", "50%", "_"]
TEXTS = st.lists(st.sampled_from(WORDS + ODD), max_size=14).map(" ".join)
PHRASES = st.lists(st.sampled_from(WORDS * 3 + ODD), max_size=3).map(" ".join)
PLAIN = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join)


def documents_with(gold):
    return st.builds(Document, id=st.just("?"), title=TEXTS, body=TEXTS, keyphrases=gold.map(tuple))


def stems_of(phrase):
    return tuple(stemmed(tokens(phrase)))


PAIRS = st.lists(
    st.tuples(documents_with(st.lists(PHRASES, max_size=5)), st.lists(PHRASES, max_size=7)), min_size=1, max_size=5
)


def scored(pairs, protocol="yuan2020", metrics=None, **options):
    documents, predictions = ([entry[place] for entry in pairs] for place in (0, 1))
    return evaluate(documents, predictions, protocol=protocol, metrics=metrics, **options)


@pytest.mark.parametrize("protocol", CONVENTIONS)
@given(pairs=PAIRS)
@settings(max_examples=80, deadline=None)
def test_the_fast_way_gives_what_the_slow_one_does(protocol, pairs):
    places = [(part, k) for part in PARTS for k in (1, 2, 5, "o", "m")]
    metrics = [f"{part}.{name}@{k}" for part, k in places for name in ("precision", "recall", "f1")]
    scores = scored(pairs, protocol, metrics)
    expected = [value for part, k in places for value in CONVENTIONS[protocol](pairs, part, k)]
    assert [scores.aggregate(metric) for metric in metrics] == pytest.approx(expected, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("protocol", ["yuan2020", "chan2019"])  # the one-word rule of meng2017 binds an oracle too
@given(documents=st.lists(documents_with(st.lists(PLAIN, unique_by=stems_of, max_size=6)), min_size=1, max_size=4))
@settings(max_examples=80, deadline=None)
def test_an_oracle_is_right_where_no_two_gold_phrases_share_their_stems(protocol, documents):
    rules = protocols.find(protocol, {"documents": "with-targets"})
    metrics = [f"{part}.f1@{k}" for part in PARTS for k in "om"]
    scores = evaluate(documents, oracle(documents, rules), protocol=rules, metrics=metrics)
    for metric in metrics:
        values = scores.values[metric]
        assert set(values[~np.isnan(values)]) <= {1.0}, metric


@pytest.mark.parametrize("protocol", CONVENTIONS)
@given(pairs=PAIRS, wrong=PHRASES)
@settings(max_examples=80, deadline=None)
def test_a_wrong_phrase_at_the_end_never_raises_f1_at_m(protocol, pairs, wrong):
    gold = [stemmed(gold_tokens(phrase)) for document, _ in pairs for phrase in document.keyphrases]
    assume(stemmed(tokens(wrong)) not in gold)
    metrics = [f"{part}.f1@m" for part in PARTS]
    before = scored(pairs, protocol, metrics)
    after = scored([(document, [*phrases, wrong]) for document, phrases in pairs], protocol, metrics)
    for metric in metrics:
        values = np.nan_to_num(after.values[metric]) - np.nan_to_num(before.values[metric])
        assert all(values <= 0), metric
        assert not after.aggregate(metric) > before.aggregate(metric) + 1e-12


@given(pairs=PAIRS, draw=st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_scores_do_not_depend_on_the_order_of_documents(pairs, draw):
    shuffled = draw.sample(pairs, len(pairs))
    for protocol in CONVENTIONS:
        before, after = scored(pairs, protocol), scored(shuffled, protocol)
        for metric in before.metrics:
            assert after.aggregate(metric) == pytest.approx(before.aggregate(metric), nan_ok=True)


DOCUMENTS = [
    Document(id="a", title="Neural networks", body="Graphs and networks.", keyphrases=("neural network", "mining")),
    Document(id="b", body="Models of x", keyphrases=("model",)),
    Document(id="c", body="Models of y", keyphrases=()),
]
PREDICTIONS = [["neural network", "graph"], ["x"], ["y"]]


def test_predictions_by_id_phrases_and_plain_lists_score_alike():
    by_id = dict(zip("cab", [PREDICTIONS[2], PREDICTIONS[0], PREDICTIONS[1]], strict=True))
    phrases = [[Phrase(text=text, score=0.5, present=False) for text in row] for row in PREDICTIONS]
    expected = evaluate(DOCUMENTS, PREDICTIONS).values
    for predictions in (by_id, phrases, iter(PREDICTIONS)):
        found = evaluate(iter(DOCUMENTS), predictions).values
        assert all(np.array_equal(found[name], expected[name], equal_nan=True) for name in expected)


@pytest.mark.parametrize("kind", [Path, str])
def test_files_score_as_what_they_hold(tmp_path, kind):
    gold, predicted = tmp_path / "gold.jsonl", tmp_path / "predicted.jsonl"
    write_documents(DOCUMENTS, gold)
    rows = zip(DOCUMENTS, PREDICTIONS, strict=True)
    predicted.write_text("".join(f"{json.dumps({'id': one.id, 'keyphrases': found})}\n" for one, found in rows))
    scores = evaluate(kind(gold), kind(predicted))
    expected = evaluate(DOCUMENTS, PREDICTIONS, name="gold")
    assert scores.data == expected.data
    assert all(np.array_equal(scores.values[name], values, equal_nan=True) for name, values in expected.values.items())


def test_a_document_without_targets_of_a_part_is_not_in_its_average():
    scores = evaluate(DOCUMENTS, PREDICTIONS, metrics=["present.f1@m", "absent.f1@m"])
    assert scores.values["present.f1@m"] == pytest.approx([2 / 3, 0, np.nan], nan_ok=True)
    assert scores.aggregate("present.f1@m") == pytest.approx(1 / 3)
    assert scores.documents("present.f1@m") == 2
    assert scores.documents("absent.f1@m") == 1
    of_all = evaluate(DOCUMENTS, PREDICTIONS, protocol=protocols.find("yuan2020", {"documents": "all"}))
    assert of_all.aggregate("present.f1@m") == pytest.approx(2 / 9)


def test_the_digest_tells_the_gold_and_nothing_else():
    data = evaluate(DOCUMENTS, PREDICTIONS).data
    assert evaluate(DOCUMENTS, [[], [], []]).data == data
    renamed = [Document(id="z", title=d.title, body=d.body, keyphrases=d.keyphrases) for d in DOCUMENTS]
    assert evaluate(renamed, PREDICTIONS).data == data
    assert evaluate(DOCUMENTS[:2], PREDICTIONS[:2]).data != data


def test_gold_without_keyphrases_is_refused():
    with pytest.raises(DataError, match="document 'q' has no gold keyphrases"):
        evaluate([Document(id="q", body="text")], [["text"]])


def test_no_documents_are_refused():
    with pytest.raises(DataError, match="no documents"):
        evaluate([], [])


def test_an_unknown_metric_is_refused_before_anything_is_read():
    def untouched():
        raise AssertionError
        yield

    with pytest.raises(KeyseqError, match=r"unknown metric 'present\.f2'; did you mean 'present\.f1'"):
        evaluate(untouched(), untouched(), metrics=["present.f2"])


def many(count):
    for number in range(count):
        document, predictions = DOCUMENTS[number % 3], PREDICTIONS[number % 3]
        yield Document(id=str(number), body=document.body, keyphrases=document.keyphrases), predictions


def test_two_processes_give_the_same_table_in_the_same_order(monkeypatch):
    monkeypatch.setattr(evaluator, "CHUNK", 7)
    pairs = list(many(100))
    alone, together = scored(pairs, processes=1), scored(pairs, processes=2)
    assert together.ids == alone.ids == tuple(map(str, range(100)))
    assert all(np.array_equal(together.values[name], alone.values[name], equal_nan=True) for name in alone.values)


@pytest.mark.parametrize(
    ("method", "documents", "started", "reason"),
    [
        ("fork", 100, True, "many documents"),
        ("fork", 14, False, "too few for it to pay"),
        ("spawn", 100, False, "would run the caller's script again"),
    ],
)
def test_processes_start_only_where_it_pays_and_is_safe(monkeypatch, method, documents, started, reason):
    pools = []

    class Pool(evaluator.ProcessPoolExecutor):
        def __init__(self, count, **options):
            pools.append(count)
            super().__init__(count, **options)

    monkeypatch.setattr(evaluator, "CHUNK", 7)
    monkeypatch.setattr(evaluator, "ProcessPoolExecutor", Pool)
    monkeypatch.setattr(multiprocessing, "get_start_method", lambda: method)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    scored(list(many(documents)))
    assert bool(pools) is started, reason


def test_long_documents_are_not_kept(monkeypatch):
    length = 20_000
    monkeypatch.setattr(evaluator, "CHARACTERS", 50 * length)

    def stream():
        for number in range(1500):
            yield Document(id=str(number), body=f"{number}" + "x" * length, keyphrases=("x",))

    tracemalloc.start()
    try:
        evaluate(stream(), (["x"] for _ in range(1500)), processes=1)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 300 * length  # of 1500 documents


ENDLESS = """
import multiprocessing, time
from keyseq import Document
from keyseq.evaluation import evaluate, evaluator

evaluator.CHUNK = 1

def documents():
    for number in range(1_000_000):
        if number == 20:
            print(*(child.pid for child in multiprocessing.active_children()), flush=True)
        if number >= 20:
            time.sleep(0.05)
        yield Document(id=str(number), body="x", keyphrases=("x",))

evaluate(documents(), (["x"] for _ in range(1_000_000)), processes=2)
"""


def alive(pid):
    try:
        return " Z " not in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_workers_go_when_their_parent_is_killed():
    with subprocess.Popen([sys.executable, "-c", ENDLESS], stdout=subprocess.PIPE, text=True) as parent:
        workers = parent.stdout.readline().split()
        assert len(workers) == 2
        assert all(map(alive, workers))
        parent.kill()
    deadline = time.monotonic() + 10
    while any(map(alive, workers)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(alive, workers))
