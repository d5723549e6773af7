import math

import numpy as np
import pytest

import keyseq
from keyseq.config import load_settings
from keyseq.errors import KeyseqError
from keyseq.runtime.export import export
from keyseq.systems.order import Found, fit, learn, regression
from keyseq.types import Document

from .networks import made, texts


def test_a_regression_on_one_feature_finds_the_odds_of_each_group():
    # of those that have it 3 in 4 are right, of the others 1 in 4: odds of 3 and 1/3, so log 3 = 9 × 1/3
    has = np.repeat([1.0, 0.0], 4_000)[:, None]
    right = np.concatenate([np.arange(4_000) % 4 != 0, np.arange(4_000) % 4 == 0])
    weight, bias = regression(has, right)
    assert weight == pytest.approx(math.log(9), abs=0.01)
    assert bias == pytest.approx(-math.log(3), abs=0.01)


def test_a_feature_that_tells_all_apart_gets_a_finite_weight():
    weights = regression(np.array([[1.0], [1.0], [0.0], [0.0]]), np.array([True, True, False, False]))
    assert np.isfinite(weights).all()
    assert weights[0] > 0


def rows(*values):
    return np.array([[share, 0.0, 0.0] for share in values]).reshape(-1, 3)


def test_what_is_learnt_puts_documents_own_phrases_first():
    # the published order has the own phrase second, the share tells it
    known = [Found(rows(-3, -1, -2), np.array([False, True, False]), 1)] * 5
    lesson = fit(known)
    assert (lesson.own, lesson.published, lesson.documents) == (1, 0, 5)
    assert lesson.order.share > 0
    assert lesson.order.is_learnt


def test_as_many_first_phrases_count_as_the_document_has():
    found = Found(rows(-1, -2, -3), np.array([True, False, True]), 2)
    assert found.precision(np.array([3.0, 2.0, 1.0])) == 0.5
    assert found.precision(np.array([3.0, 1.0, 2.0])) == 1
    assert Found(rows(-1), np.array([True]), 4).precision(np.array([1.0])) == 0.25


@pytest.mark.parametrize("own", [[], [False, False], [True, True]])
def test_nothing_is_learnt_where_all_phrases_are_alike(own):
    lesson = fit([Found(rows(*range(len(own))), np.array(own, dtype=bool), 1)])
    assert not lesson.order.is_learnt


def test_a_network_learns_an_order_and_uses_it(tmp_path):
    folder = tmp_path / "network"
    export(made(), folder)
    search = {"decoding": "exhaustive"}
    bodies = texts(20, longest=30)  # one window each
    before = keyseq.load(str(folder), **search).predict(bodies)
    documents = [
        Document(id=str(number), body=body, keyphrases=(found[0].text,))  # people here agree with the network
        for number, (body, found) in enumerate(zip(bodies, before, strict=True))
    ]
    lesson = learn(folder, documents)
    assert (lesson.documents, lesson.published) == (20, 1)
    assert lesson.order.share > 0
    assert load_settings(folder / "settings.toml").order == lesson.order
    after = keyseq.load(str(folder), **search).predict(bodies)
    assert [{phrase.text for phrase in found} for found in after] == [
        {phrase.text for phrase in found} for found in before
    ]
    assert after != before


def test_documents_without_keyphrases_teach_nothing(tmp_path):
    export(made(), tmp_path / "network")
    before = (tmp_path / "network/settings.toml").read_text()
    with pytest.raises(KeyseqError, match="no document with keyphrases"):
        learn(tmp_path / "network", [Document(id="a", body="dal"), Document(id="b", body="dal", keyphrases=("()",))])
    assert (tmp_path / "network/settings.toml").read_text() == before
