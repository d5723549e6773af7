"""The features of a phrase for a text by hand, and a scorer that learns which matter."""

import numpy as np
import pytest

from keyseq.ranking.phrase_scorer import FEATURES, PhraseScorer, measured
from keyseq.retrieval.neighbours import Neighbours
from keyseq.retrieval.phrase_retriever import open_retriever, write_index
from keyseq.text.analyzer import ENGLISH
from keyseq.text.presence import SourceText
from keyseq.types import Document

TEXT = SourceText("Large parks . green cities have large parks")  # eight words with the mark


def features(phrase, title="", index=None):
    [row] = measured([tuple(phrase.split())], TEXT, title, index)
    return dict(zip(FEATURES, row.tolist(), strict=True))


def test_what_a_text_has():
    found = features("large park", title="Large parks")
    assert found == {
        "is in the text": 1,
        "log of its occurrences": pytest.approx(np.log(3)),
        "first place, 1 if absent": 0,
        "is in the title": 1,
        "has one word": 0,
        "has two words": 1,
        "has more than three words": 0,
        "share of its words in the text": 1,
        "mean rarity of its words": 0,
        "least rarity of its words": 0,
    }
    assert features("green")["first place, 1 if absent"] == pytest.approx(3 / 8)


def test_what_a_text_does_not_have():
    found = features("green towns of the north")
    assert (found["is in the text"], found["first place, 1 if absent"], found["is in the title"]) == (0, 1, 0)
    assert (found["share of its words in the text"], found["has more than three words"]) == (pytest.approx(1 / 5), 1)


def test_rare_words_are_those_of_few_documents(tmp_path):
    bodies = ("large parks", "large cities", "large rivers")
    documents = [Document(id=body, body=body, keyphrases=(body,)) for body in bodies]
    write_index(documents, ENGLISH, tmp_path / "index")
    index = open_retriever(tmp_path / "index", ENGLISH).index
    assert isinstance(index, Neighbours)
    found = features("large parks", index=index)
    assert found["least rarity of its words"] == pytest.approx(np.log(4 / 4))
    assert found["mean rarity of its words"] == pytest.approx((np.log(4 / 4) + np.log(4 / 2)) / 2)
    assert features("unheard", index=index)["least rarity of its words"] == pytest.approx(np.log(4))


def test_a_scorer_learns_what_tells_keyphrases():
    rows = np.zeros((40, len(FEATURES)))
    rows[:20, 0] = 1
    scorer = PhraseScorer.fit(rows, rows[:, 0] > 0)
    present, absent = scorer(rows[[0, -1]])
    assert present > 0.7
    assert absent < 0.3


def test_weights_of_another_version_are_refused():
    with pytest.raises(ValueError, match="11 finite weights"):
        PhraseScorer(np.zeros(3))


def test_no_phrases_have_no_features():
    assert measured([], TEXT, "").shape == (0, len(FEATURES))
