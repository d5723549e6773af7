import numpy as np
import pytest
import torch

import keyseq
from keyseq.config import load_settings
from keyseq.data.vocabulary import SEP
from keyseq.errors import KeyseqError
from keyseq.runtime.export import export
from keyseq.systems.calibration import Margins, calibrate, fit
from keyseq.types import Document

from .networks import made, texts


def margins(*values):
    """Of phrases one after the other."""
    return Margins(np.arange(1, len(values) + 1), np.array(values))


@pytest.mark.parametrize(
    ("bonus", "growth", "count", "reason"),
    [
        (0, 0, 3, "the first place where the end is ahead"),
        (1.5, 0, 2, "1.5 makes up for the 1 that it was behind by"),
        (-9, 0, 4, "it is never ahead: all that was said"),
        (-3, 1.5, 3, "-3 + 1.5 × 3 + 0.5 is above 0, -3 + 1.5 × 2 - 1 is not"),
    ],
)
def test_where_a_sequence_would_end(bonus, growth, count, reason):
    assert margins(-4, -1, 0.5, 2).count(bonus, growth) == count, reason


def test_the_ending_is_the_one_with_the_smallest_error_in_the_number_of_phrases():
    noted = [margins(-4, -2, -0.5, 1), margins(-4, -0.6, -0.4, 1)]
    found = fit(noted, np.array([3, 3]))
    assert found.uncalibrated == 1  # both say four
    assert found.error == 0
    assert (found.ending.bonus, found.ending.growth) == (0.6, 0)  # 0.5 only draws level, 0.7 would stop one at two
    assert found.of_the_mean == 0


def test_the_bonus_grows_no_faster_than_it_has_to():
    # the first document should stop at two, where the end is far behind, the second at four, where it is no nearer
    early, late = margins(-3, -2, 5), margins(-2, -2, -2, -2, 5)
    alone = fit([late], np.array([4]))
    assert (alone.error, alone.ending.growth) == (0, 0.1)  # without growth it stops at one or at five
    both = fit([early, late], np.array([2, 4]))
    assert both.error == 0.5  # no growth tells these apart: one of them is off by one
    assert both.ending.growth <= 0.1


def test_a_calibrated_network_says_as_many_phrases_as_its_documents_have(tmp_path):
    folder, talkative = tmp_path / "network", made()
    with torch.no_grad():
        talkative.network.pointer.vocabulary.bias[SEP] += 3
    export(talkative, folder)
    before = keyseq.load(str(folder)).predict(texts(30))
    documents = [
        Document(id=str(number), body=text, keyphrases=("one", "two")) for number, text in enumerate(texts(30))
    ]
    found = calibrate(folder, documents)
    assert found.documents == 30
    assert found.error < found.uncalibrated
    assert load_settings(folder / "settings.toml").ending == found.ending
    after = keyseq.load(str(folder)).predict(texts(30))
    errors = [np.mean([abs(len(phrases) - 2) for phrases in said]) for said in (after, before)]
    assert errors[0] < errors[1]
    greedy = keyseq.load(str(folder), decoding="greedy")
    assert greedy._policy.end_bonus == greedy._policy.end_growth == 0, "published strategies stay as they are"


def test_a_network_that_says_one_phrase_a_sequence_has_no_number_to_calibrate(tmp_path):
    export(made("one2one"), tmp_path / "network")
    with pytest.raises(KeyseqError, match="no number of phrases to calibrate"):
        calibrate(tmp_path / "network", [Document(id="a", body="dal", keyphrases=("dal",))])


def test_documents_without_keyphrases_calibrate_nothing(tmp_path):
    export(made(), tmp_path / "network")
    before = (tmp_path / "network/settings.toml").read_text()
    with pytest.raises(KeyseqError, match="no document with keyphrases"):
        calibrate(tmp_path / "network", [Document(id="a", body="dal")])
    assert (tmp_path / "network/settings.toml").read_text() == before
