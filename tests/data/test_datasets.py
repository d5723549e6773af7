"""The table of named datasets, and where a name leads."""

from pathlib import Path

import pytest

from keyseq.data.datasets import DATASETS, SPLITS, find, found_splits, locate
from keyseq.data.formats import FORMATS
from keyseq.errors import KeyseqError

PAPERS = ["kp20k", "inspec", "krapivin", "nus", "semeval", "stackex", "duc"]


@pytest.fixture
def data(tmp_path, monkeypatch):
    monkeypatch.delenv("KEYSEQ_DATA", raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").mkdir()
    return Path("data")


def touch(*paths):
    for path in map(Path, paths):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


def test_the_papers_datasets_come_first():
    assert list(DATASETS)[: len(PAPERS)] == PAPERS


@pytest.mark.parametrize("name", DATASETS)
def test_an_entry_says_what_a_user_needs(name):
    dataset = DATASETS[name]
    assert name == name.lower()
    assert dataset.format in FORMATS
    assert set(dataset.splits) <= set(SPLITS)
    assert dataset.home.startswith("https://")
    assert dataset.title
    assert len(dataset.about) <= 50  # a line of `keyseq data list` fits a screen
    assert dataset.how_to_get


def test_no_name_or_alias_is_taken_twice():
    names = [name for known, dataset in DATASETS.items() for name in (known, *dataset.aliases)]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("there", "split", "found"),
    [
        (["data/test/inspec.jsonl"], "test", "data/test/inspec.jsonl"),
        (["data/test/inspec.jsonl.xz"], "test", "data/test/inspec.jsonl.xz"),
        (["data/test/inspec.csv"], "test", "data/test/inspec.csv"),  # any format
        (["data/test/inspec_src.txt", "data/test/inspec_trg.txt"], "test", "data/test/inspec_src.txt"),
        (["data/inspec/valid.jsonl.gz"], "valid", "data/inspec/valid.jsonl.gz"),
        (["data/inspec/test/1.xml", "data/inspec/references/x.json"], "test", "data/inspec/test"),  # ake's layout
        (["data/inspec.jsonl"], "test", "data/inspec.jsonl"),
        (["data/inspec.jsonl", "data/test/inspec.jsonl"], "test", "data/test/inspec.jsonl"),  # the nearest fit
        (["data/test/inspec.jsonl", "data/test/inspec.jsonl.xz"], "test", "data/test/inspec.jsonl"),
        (["data/test/inspec_1000.jsonl", "data/test/inspec.jsonl"], "test", "data/test/inspec.jsonl"),
        (["data/test/.inspec.jsonl", "data/test/inspec.jsonl"], "test", "data/test/inspec.jsonl"),
    ],
)
def test_where_a_dataset_may_be(data, there, split, found):
    touch(*there)
    assert find("inspec", split, data) == Path(found)


def test_another_name_case_or_alias_leads_to_the_same(data):
    touch("data/test/semeval.jsonl")
    assert find("SemEval", "test", data) == find("semeval2010", "test", data) == Path("data/test/semeval.jsonl")


def test_a_corpus_of_ones_own_is_found_by_its_name_too(data):
    touch("data/test/ours.jsonl")
    assert find("ours", "test", data) == Path("data/test/ours.jsonl")


def test_the_environment_names_the_data_directory_and_the_option_overrules_it(data, monkeypatch):
    touch("data/test/nus.jsonl", "other/test/nus.jsonl")
    monkeypatch.setenv("KEYSEQ_DATA", "other")
    assert find("nus") == Path("other/test/nus.jsonl")
    assert find("nus", "test", data) == Path("data/test/nus.jsonl")


@pytest.mark.parametrize("path", ["data/mine.jsonl", "data", "data#test", "-"])
def test_a_path_that_exists_is_taken_as_it_is(data, path):  # noqa: ARG001
    touch("data/mine.jsonl")
    assert find(path) == Path(path)


@pytest.mark.parametrize(
    ("name", "folder", "message"),
    [
        ("inspec", None, "inspec: no data directory; set it with --data DIR or the environment variable KEYSEQ_DATA"),
        ("inspec", "nowhere", "nowhere: no such data directory; set it with --data or KEYSEQ_DATA"),
        ("inspec", "data", r"data/test/inspec\.\*, data/inspec/test\.\*, data/inspec\.\*; to get it, download"),
        ("stackex", "data", "run `keyseq data stackexchange`"),
        ("inspek", "data", "inspek: neither a file nor a dataset; did you mean 'inspec'?"),
        ("qqqqqqqq", None, "neither a file nor a dataset; there are kp20k, inspec"),
    ],
)
def test_what_is_missing_is_told_with_the_way_to_get_it(data, name, folder, message):  # noqa: ARG001
    with pytest.raises(KeyseqError, match=message):
        find(name, "test", None if folder is None else Path(folder))


def test_a_split_that_nobody_has_is_told_with_those_there_are(data):
    with pytest.raises(KeyseqError, match=r"inspec: no split 'tests' is found; did you mean 'test'\?"):
        find("inspec", "tests", data)


def test_found_splits_are_those_that_find_would_find(data):
    touch("data/test/inspec.jsonl", "data/inspec/valid.csv", "data/nus.jsonl", "data/test/inspec_2.jsonl")
    assert found_splits("inspec", data) == ["valid", "test"]
    assert found_splits("nus", data) == ["whole"]
    assert found_splits("duc", data) == []
    assert found_splits("inspec", None) == []


def test_a_folder_stands_for_the_corpora_in_it_and_not_for_its_readme(data):  # noqa: ARG001
    touch("data/test/b.jsonl", "data/test/a.csv.gz", "data/test/README.md", "data/test/notes.txt", "data/test/x.bin")
    assert locate(["data/test"]) == {"a": Path("data/test/a.csv.gz"), "b": Path("data/test/b.jsonl")}


def test_labels_tell_corpora_of_one_name_apart(data):
    touch("data/test/inspec.jsonl", "data/valid/inspec.jsonl", "data/test/nus.jsonl")
    assert list(locate(["data/valid/inspec.jsonl", "inspec", "nus"], "test", data)) == [
        "data/valid/inspec.jsonl",
        "data/test/inspec.jsonl",
        "nus",
    ]


def test_a_folder_without_corpus_files_is_a_corpus_itself(data):  # noqa: ARG001
    touch("data/Inspec/docsutf8/1.txt", "data/Inspec/keys/1.key")
    assert locate(["data/Inspec"]) == {"Inspec": Path("data/Inspec")}
