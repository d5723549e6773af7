"""Keyphrases as a step of a scikit-learn pipeline."""

import pickle

import pytest
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline

import keyseq
from keyseq.integrations.sklearn_transformer import KeyphraseTransformer

ROBOTS = "Social robots follow the spoken commands of older people. Voice recognition helps social robots."
TREES = "Oak trees grow in old forests. The old forests are home to many birds."


def test_texts_become_lists_of_phrases():
    [phrases] = KeyphraseTransformer("textrank", top=2).fit_transform([ROBOTS])
    assert phrases == keyseq.generate(ROBOTS, "textrank", top=2).texts


def test_a_pipeline_learns_from_phrases_is_cloned_searched_and_pickled():
    pipeline = make_pipeline(KeyphraseTransformer("textrank"), CountVectorizer(analyzer=list), MultinomialNB())
    texts, kinds = [ROBOTS, TREES] * 4, ["robots", "trees"] * 4
    search = GridSearchCV(clone(pipeline), {"keyphrasetransformer__top": [1, 3]}, cv=2).fit(texts, kinds)
    again = pickle.loads(pickle.dumps(search))
    assert again.predict([TREES]).tolist() == ["trees"]


def test_mistakes_are_told_when_it_is_fitted():
    with pytest.raises(keyseq.KeyseqError, match="unknown system 'textrink'"):
        KeyphraseTransformer("textrink").fit([])
    with pytest.raises(keyseq.KeyseqError, match=r"document 0 .* is None"):
        KeyphraseTransformer("textrank").transform([None])
    with pytest.raises(keyseq.KeyseqError, match="texts are given as a list, not as a str"):
        KeyphraseTransformer("textrank").transform("Social robots follow commands.")
