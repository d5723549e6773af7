"""Whether figures hold what they should; how they look is for eyes."""

import re

import numpy as np
import pytest

from keyseq.errors import KeyseqError
from keyseq.evaluation import protocols
from keyseq.evaluation.plots import draw
from keyseq.evaluation.resampling import Resampling
from keyseq.evaluation.scoring import Scores
from keyseq.evaluation.significance import compare

F1, COUNT = "present.f1@5", "predictions.count"


def scored(seed, lift=0.0):
    rng = np.random.default_rng(seed)
    values = {F1: rng.random(40) / 2 + lift, COUNT: 9 * rng.random(40)}
    ids = tuple(map(str, range(40)))
    return Scores(ids=ids, values=values, metrics=(F1, COUNT), protocol=protocols.find("yuan2020"), data="toy:0")


@pytest.fixture(scope="module")
def comparison():
    systems = {"base": scored(1), "a_$lone$_name": scored(2), "better": scored(1, lift=0.4)}
    return compare(systems, [F1, COUNT], Resampling(samples=99))


@pytest.mark.parametrize(("name", "beginning"), [("a.png", b"\x89PNG"), ("a.pdf", b"%PDF"), ("a.SVG", b"<?xml")])
def test_the_suffix_decides_the_kind_of_figure(comparison, tmp_path, name, beginning):
    draw(comparison, tmp_path / name)
    assert (tmp_path / name).read_bytes().startswith(beginning)
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_panel_names_metric_systems_and_scores_and_the_caption_signs_them(comparison, tmp_path):
    draw(comparison, tmp_path / "a.svg")
    # matplotlib writes each text as a comment beside its outlines
    texts = [text.strip() for text in re.findall(r"<!-- (.*?) -->", (tmp_path / "a.svg").read_text(), re.DOTALL)]
    assert {F1, COUNT, "base", "a_$lone$_name", "better"} <= set(texts)
    for result in comparison.of(F1):
        assert f"{100 * result.score:.2f}" in texts
    assert {"protocol:yuan2020", "data:toy:0"} <= set("|".join(texts).split("|"))


def test_a_metric_that_no_document_enters_leaves_its_panel_empty(tmp_path):
    nothing = Scores(
        ids=("1",), values={F1: np.array([np.nan])}, metrics=(F1,), protocol=protocols.find("yuan2020"), data="toy:0"
    )
    draw(compare({"a": nothing, "b": nothing}, [F1], Resampling(samples=9)), tmp_path / "a.svg")
    assert (tmp_path / "a.svg").stat().st_size > 0


def test_another_suffix_is_refused_before_anything_is_written(comparison, tmp_path):
    with pytest.raises(KeyseqError, match=r"must end in one of \.pdf, \.png, \.svg"):
        draw(comparison, tmp_path / "a.gif")
    assert list(tmp_path.iterdir()) == []
