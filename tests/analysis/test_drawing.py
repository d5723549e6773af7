"""Figures of the analysis: they are drawn for what real networks give, and for next to nothing."""

import numpy as np

from keyseq.analysis.drawing import Panel, draw_cosines, draw_states


def test_states_are_drawn_for_each_network_and_step_even_where_a_word_holds_a_dollar(tmp_path):
    few = Panel(np.zeros((0, 2)), (), float("nan"), float("nan"), float("nan"))
    some = Panel(np.random.default_rng(1).normal(size=(30, 2)), ("$cost$", "<sep>", "a_b") * 10, 0.1, 0.5, 0.3)
    draw_states({"catseq": {1: some, 2: few}, "catseqd": {1: few, 2: some}}, tmp_path / "states.png")
    assert (tmp_path / "states.png").read_bytes().startswith(b"\x89PNG")
    assert some.caption == "30 states: silhouette 0.10, purity 0.50 (chance 0.30)"


def test_cosines_that_no_document_has_are_left_white(tmp_path):
    draw_cosines({"catseq": np.array([[1.0, np.nan], [np.nan, np.nan]])}, tmp_path / "cosines.png")
    assert (tmp_path / "cosines.png").read_bytes().startswith(b"\x89PNG")
