"""Systems travel to other processes: multiprocessing, joblib, and what Spark does with cloudpickle."""

import multiprocessing
import pickle
from functools import partial

import cloudpickle
import joblib
import pandas
import pytest
from joblib.externals.loky import get_reusable_executor
from tests.systems.tiny_combined import train_tiny
from typer.testing import CliRunner

import keyseq
from keyseq.cli import app
from keyseq.data.formats import write_documents
from keyseq.types import Document

TEXT = "Voice recognition for social robots. A social robot follows the spoken commands of older people."


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("auto", {"top": 3}),
        ("general", {"allow": ("social robots", "older people")}),
        ("scholar-network", {"decoding": "greedy"}),
        ("textrank", {"min_score": 0.5, "top": 4}),
        ("tfidf", {"max_words": 2}),
        ("yake", {"top": 2}),
    ],
)
def test_finding_21_a_pickled_system_predicts_the_same(name, settings):
    system = keyseq.load(name, **settings)
    system.predict(["what was loaded for a text does not travel"])
    stored = pickle.dumps(system)
    assert len(stored) < 1000, "the name and the settings, not the parameters"
    again = pickle.loads(stored)
    assert again.name == system.name
    assert again.predict([TEXT]) == system.predict([TEXT])


def test_a_vocabulary_travels_with_its_system(tmp_path):
    (tmp_path / "terms.txt").write_text("social robots\nolder people\n")
    system = keyseq.load(vocabulary=tmp_path / "terms.txt")
    (tmp_path / "terms.txt").unlink()
    assert pickle.loads(pickle.dumps(system)).predict([TEXT]) == system.predict([TEXT])


def test_a_folder_is_found_from_another_working_directory(tmp_path, monkeypatch):
    train_tiny(tmp_path)
    monkeypatch.chdir(tmp_path)
    system = keyseq.load("./tiny", top=2)
    stored, expected = pickle.dumps(system), system.predict([TEXT])
    monkeypatch.chdir("/")
    assert [one.text for one in pickle.loads(stored).predict([TEXT])[0]] == [one.text for one in expected[0]]


def test_a_trained_ranker_travels_with_what_it_learnt(tmp_path):
    write_documents(
        [Document(id=str(n), body=f"{TEXT} {n}", keyphrases=("social robots", "older people")) for n in range(8)],
        tmp_path / "train.jsonl",
    )
    done = CliRunner().invoke(
        app, ["train", "kea", "--train", str(tmp_path / "train.jsonl"), "--out", str(tmp_path / "k")]
    )
    assert done.exit_code == 0, done.output
    system = keyseq.load(str(tmp_path / "k"), top=2)
    assert pickle.loads(pickle.dumps(system)).predict([TEXT]) == system.predict([TEXT])


def test_joblib_and_spawned_processes_run_a_loaded_system():
    system = keyseq.load("textrank", top=2)
    expected = system.predict([TEXT])
    try:
        assert joblib.Parallel(n_jobs=2)(joblib.delayed(system.predict)([TEXT]) for _ in range(3)) == [expected] * 3
    finally:
        get_reusable_executor().shutdown(wait=True)  # whose processes would wait for more, and other tests count theirs
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(system.predict, [[TEXT]]) == [expected]


def test_a_function_around_a_system_is_pickled_as_spark_does_it():
    system = keyseq.load(top=2)
    sent = cloudpickle.loads(cloudpickle.dumps(partial(_texts, system)))
    assert sent(TEXT) == _texts(system, TEXT)


def test_a_generator_over_frames_is_pickled_as_map_in_pandas_does_it():
    system = keyseq.load(top=2)

    def tagged(batches):
        for batch in batches:
            found = system.predict(batch.abstract.fillna("").tolist())
            yield batch.assign(keyphrases=[[phrase.text for phrase in phrases] for phrases in found])

    sent = cloudpickle.loads(cloudpickle.dumps(tagged))
    [batch] = sent(iter([pandas.DataFrame({"abstract": [TEXT, None]})]))
    assert batch.keyphrases.tolist() == [_texts(system, TEXT), []]


def _texts(system, text):
    return [phrase.text for phrase in system.predict([text])[0]]


def test_a_worker_loads_a_system_once_for_all_its_tasks():
    stored = pickle.dumps(keyseq.load("scholar", top=7))
    assert pickle.loads(stored) is pickle.loads(stored)


@pytest.mark.parametrize(
    ("name", "settings", "expected"),
    [
        (None, {}, "AutoSystem('auto')"),
        ("scholar", {"top": 5}, "CombinedSystem('scholar', top=5)"),
        ("textrank", {"top": 5}, "TextRank(top=5)"),
        ("textrank", {"min_score": 0.5}, "SelectedSystem(TextRank(), min_score=0.5)"),
        ("yake", {}, "Yake()"),
    ],
)
def test_the_repr_of_a_system_says_how_to_load_it(name, settings, expected):
    assert repr(keyseq.load(name, **settings)) == expected


@pytest.mark.parametrize("name", [None, "scholar-network", "textrank", "yake"])
@pytest.mark.parametrize(
    ("settings", "told"),
    [({"min_score": 7}, "min_score must be at most 1, not 7.0"), ({"top": "x"}, "top must be a whole number, not 'x'")],
)
def test_finding_26_settings_are_checked_when_a_system_is_loaded(name, settings, told):
    with pytest.raises(keyseq.KeyseqError) as raised:
        keyseq.load(name, **settings)
    assert str(raised.value) == told
