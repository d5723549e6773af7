"""One table of what the same predictions score under every convention."""

import pytest

import keyseq
from keyseq.evaluation import evaluate_all

GOLD = [keyseq.Document(id="1", body="social robots help older people", keyphrases=("social robots",))]


def test_each_column_is_the_score_under_that_protocol():
    found = evaluate_all(iter(GOLD), iter([["social robots"]]), metrics=["present.f1@5"], name="mine")
    assert list(found.scores) == ["yuan2020", "meng2017", "chan2019"]
    for protocol, systems in found.scores.items():
        alone = keyseq.evaluate(GOLD, [["social robots"]], metrics=["present.f1@5"], protocol=protocol)
        assert systems["mine"].aggregate("present.f1@5") == alone.aggregate("present.f1@5")
    assert repr(found) == "ProtocolScores(mine under yuan2020, meng2017, chan2019)"
    assert "present.f1@5    100.00     33.33     33.33" in str(found)
    assert all(f"protocol:{name}|" in str(found) for name in found.scores), "a signature each"
    assert found.to_pandas().shape == (3, 6)
    assert "<h1>" in found.page()


def test_a_protocol_beside_all_is_refused():
    with pytest.raises(keyseq.KeyseqError, match="under all protocols"):
        evaluate_all(GOLD, [[]], protocol="yuan2020")
