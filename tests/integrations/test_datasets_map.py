"""Keyphrases of Hugging Face datasets, without the hub."""

import datasets
import pytest

import keyseq
from keyseq.integrations.datasets_map import KeyphraseColumn

TEXT = "A social robot follows the spoken commands of older people."


@pytest.fixture
def papers(tmp_path, monkeypatch):
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path)
    datasets.disable_progress_bars()
    return datasets.Dataset.from_dict(
        {"title": ["Social robots", "Trees", None], "abstract": [TEXT, "Old oaks.", None]}
    )


@pytest.mark.parametrize("processes", [None, 2])
def test_a_column_is_added_and_the_others_stay(papers, processes):
    added = papers.map(KeyphraseColumn("textrank", top=2), batched=True, num_proc=processes)
    assert added.column_names == ["title", "abstract", "predicted"]
    document = keyseq.Document(id="0", title="Social robots", body=TEXT)
    assert added[0]["predicted"] == keyseq.generate(document, "textrank", top=2).texts
    assert added[2]["predicted"] == [], "a row without a text"


def test_a_streamed_dataset_is_mapped_as_it_is_read(papers):
    [first, *_] = papers.to_iterable_dataset().map(KeyphraseColumn("textrank", column="phrases"), batched=True)
    assert first["phrases"][0].lower() in f"social robots {TEXT}".lower()


def test_mistakes_are_one_sentence(papers):
    with pytest.raises(keyseq.KeyseqError, match="batched=True"):
        papers.map(KeyphraseColumn("textrank"))
    with pytest.raises(keyseq.KeyseqError, match="already has a column 'title'"):
        papers.map(KeyphraseColumn("textrank", column="title"), batched=True)
