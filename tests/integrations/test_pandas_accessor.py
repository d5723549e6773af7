"""Keyphrases of pandas tables."""

import pandas
import pytest

import keyseq
import keyseq.integrations.pandas_accessor

TEXT = "A social robot follows the spoken commands of older people."


@pytest.fixture
def papers():
    return pandas.DataFrame(
        {"Title": ["Social robots", None, "Trees"], "abstract": [TEXT, float("nan"), "Oaks in old forests."], "n": 1},
        index=["a", "b", "c"],
    )


def test_a_frame_gets_a_series_of_lists_by_its_index(papers):
    found = papers.keyseq.generate("textrank", top=2)
    assert list(found.index) == ["a", "b", "c"]
    document = keyseq.Document(id="0", title="Social robots", body=TEXT)
    assert found["a"] == keyseq.generate(document, "textrank", top=2).texts
    assert found["b"] == [], "a row without a text"
    papers["keyphrases"] = found
    assert papers.explode("keyphrases").shape[0] > 3


def test_a_series_of_texts_and_columns_by_name(papers):
    assert papers.abstract.keyseq.generate("textrank", top=1)["a"] == ["social robot"]
    assert papers.keyseq.generate("textrank", text="Title", title="Title")["c"] == ["Trees"]


def test_phrases_are_a_long_table(papers):
    table = papers.keyseq.phrases("textrank", top=2)
    assert list(table.columns) == ["document", "rank", "keyphrase", "score", "present"]
    assert set(table.document) == {"a", "c"}
    assert table["rank"].max() == 2


def test_mistakes_are_one_sentence(papers):
    with pytest.raises(keyseq.KeyseqError, match="the table: has no field 'Body'"):
        papers.keyseq.generate("textrank", text="Body")
    with pytest.raises(keyseq.KeyseqError, match=r"row 0 .*: 'n' is an int, not a text"):
        papers.keyseq.generate("textrank", text="n")
    with pytest.raises(keyseq.KeyseqError, match=r"its fields \(n\) choose one with title= or text="):
        papers[["n"]].keyseq.generate("textrank")
    with pytest.raises(keyseq.KeyseqError, match="the table: has two columns 'n'; rename or drop one"):
        papers[["n", "n"]].keyseq.generate("textrank")
