"""Document frequencies: counted by hand, in bounded memory, read back as they were written."""

import gzip
import math

import pytest

from keyseq.errors import DataError, KeyseqError
from keyseq.extractive import frequencies
from keyseq.extractive.frequencies import DocumentFrequencies, count_documents, shipped
from keyseq.types import Document

TEXTS = ["Deep networks. Deep network!", "networks of deep roots", "nothing"]


def corpus(texts=TEXTS):
    return (Document(id=str(number), body=text) for number, text in enumerate(texts))


def test_a_word_counts_once_for_each_document():
    counted = count_documents(corpus())
    assert counted.documents == 3
    assert {stem: counted.counts[stem] for stem in ("deep", "network", "noth")} == {"deep": 2, "network": 2, "noth": 1}


def test_runs_of_words_count_if_that_is_wanted():
    counted = count_documents(corpus(), longest=2)
    assert counted.counts["deep network"] == 1
    assert "network . deep" not in counted.counts


def test_what_is_rare_is_not_kept_if_that_is_wanted():
    assert set(count_documents(corpus(), least=2).counts) == {"deep", "network"}


def test_of_no_documents_there_is_no_table():
    with pytest.raises(DataError, match="contains no documents"):
        count_documents([])


def test_idf_by_hand():
    words = DocumentFrequencies(documents=7, counts={"deep": 3, "net": 1})
    assert words.idf(("deep",)) == 1.0  # log2((7 + 1) / (3 + 1))
    assert words.idf(("new",)) == 3.0  # log2((7 + 1) / (0 + 1))
    assert words.idf(("deep", "net")) == 1.0 + 2.0  # by its words, as phrases were not counted
    phrases = DocumentFrequencies(documents=7, counts={"deep": 3, "net": 1, "deep net": 0}, longest=2)
    assert phrases.idf(("deep", "net")) == 3.0


def test_memory_is_bounded_and_the_error_with_it(monkeypatch):
    monkeypatch.setattr(frequencies, "MOST_ENTRIES", 50)
    texts = [f"common word{number} other{number}" for number in range(200)]
    counted = count_documents(corpus(texts))
    assert len(counted.counts) <= 50
    assert counted.counts["common"] == 200
    assert counted.least > 1  # what else was seen once may have been forgotten, and says so


@pytest.mark.parametrize("name", ["table.txt", "table.txt.gz", "table.txt.xz", "table.txt.zst"])
def test_a_table_is_read_back_as_it_was_written(name, tmp_path):
    counted = count_documents(corpus(["naïve C++ r&d", "naïve 2020"]), longest=2, about="two texts; größer")
    counted.save(tmp_path / name)
    assert DocumentFrequencies.load(tmp_path / name) == counted


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "1: not a table of document frequencies"),
        (b"[]\n", "1: not a table of document frequencies"),
        (b'{"id": 1}\n{"id": 2}\n', "1: not a table of document frequencies"),
        (b'{"format": "keyseq document frequencies"}\n', "1: not a table of document frequencies"),
        (b"\xff\xfe\x00", "1: not a table of document frequencies"),
        (b"[" * 100_000, "1: not a table of document frequencies"),
    ],
)
def test_another_file_is_refused_with_the_command_that_makes_one(content, message, tmp_path):
    path = tmp_path / "table.txt"
    path.write_bytes(content)
    with pytest.raises(DataError, match="keyseq data frequencies") as error:
        DocumentFrequencies.load(path)
    assert str(error.value).startswith(f"{path}:{message}")


def test_a_broken_line_is_named(tmp_path):
    path = tmp_path / "table.txt"
    count_documents(corpus()).save(path)
    path.write_text(path.read_text() + "many\tword\n")
    with pytest.raises(DataError, match=r"table.txt:\d+: does not begin with a count"):
        DocumentFrequencies.load(path)


def test_a_table_cut_short_is_refused(tmp_path):
    path = tmp_path / "table.txt.gz"
    path.write_bytes(gzip.compress(b"x" * 1000)[:30])
    with pytest.raises(KeyseqError, match=r"table.txt.gz"):
        DocumentFrequencies.load(path)


def test_the_table_inside_the_package_knows_what_is_common():
    table = shipped()
    assert table.documents > 200_000
    assert table.idf(("the",)) < 0.1 < 5 < table.idf(("chromodynam",))
    assert table.idf(("never-seen",)) == pytest.approx(math.log2(table.documents + 1))
    assert "scholarly papers" in table.about
