"""The figure of keyphrases per document."""

import pytest

from keyseq.data.histogram import bars, draw
from keyseq.data.statistics import measure
from keyseq.types import Document


def corpus(*sizes):
    return measure(Document(id="x", body="text", keyphrases=("a",) * size) for size in sizes)


def test_bars_are_percent_of_documents_with_gaps_kept():
    shown, beyond = bars({1: 1, 3: 3})
    assert shown == {0: 0, 1: 25, 2: 0, 3: 75}
    assert beyond == 0


def test_a_long_tail_shares_one_bar_so_that_the_rest_stays_readable():
    shown, beyond = bars({5: 990, 6: 5, 200: 5})
    assert list(shown) == [0, 1, 2, 3, 4, 5]
    assert beyond == pytest.approx(1.0)
    assert sum(shown.values()) + beyond == pytest.approx(100)


@pytest.mark.parametrize(("suffix", "magic"), [(".png", b"\x89PNG"), (".pdf", b"%PDF"), (".svg", b"<?xml")])
def test_the_name_decides_the_kind_of_figure(tmp_path, suffix, magic):
    path = tmp_path / f"figure{suffix}"
    draw({"some": corpus(1, 2, 2), "empty": corpus()}, path)
    assert path.read_bytes().startswith(magic)


def test_a_figure_draws_every_corpus_under_its_name_which_is_not_taken_for_a_formula(tmp_path):
    path = tmp_path / "figure.svg"
    draw({"first": corpus(1, 2, 2), r"second $\frac$": corpus(5)}, path)
    drawn = path.read_text(encoding="utf-8")
    for text in ("first", r"second $\frac$", "mean 1.7", "mean 5.0", "3 documents"):
        assert f"<!-- {text} -->" in drawn
