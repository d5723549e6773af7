"""PositionRank: where walks start again."""

import pytest

import keyseq


def test_positionrank_prefers_early_words():
    text = "Cats of dogs of birds"
    [plain], [early] = (keyseq.load(name).predict([text]) for name in ("singlerank", "positionrank"))
    assert [phrase.text for phrase in early] == ["Cats", "dogs", "birds"]
    assert plain[0].score == pytest.approx(plain[-1].score)  # each is a neighbour of both others
