"""Any system under the selection that any system can be asked for."""

import pytest

import keyseq
from keyseq.errors import KeyseqError
from keyseq.extractive.textrank import TextRank, TextRankSettings
from keyseq.systems.neural import NeuralSystem
from keyseq.systems.neural_settings import NeuralSettings
from keyseq.systems.registry import reconfigured
from keyseq.systems.selected import divided
from keyseq.text.selection import Selection
from keyseq.types import SCORE_DIGITS

TEXT = "Social robots deliver parcels. Older people trust social robots that keep their distance in care homes."


def texts(system):
    [phrases] = system.predict([TEXT])
    return [phrase.text for phrase in phrases]


def test_a_ranker_gives_as_many_more_as_may_be_denied():
    asked = {"top": 3, "deny": ("a", "b")}
    assert divided("textrank", TextRankSettings, asked) == ({"top": 5}, Selection(**asked))


def test_a_network_selects_itself():
    asked = {"top": 3, "present": False, "deny": ("a",), "beam": 2}
    assert divided("scholar-network", NeuralSettings, asked) == (asked, Selection())


def test_how_many_is_all_that_a_ranker_knows_itself():
    asked = {"top": 3, "max_words": 2}
    assert divided("textrank", TextRankSettings, asked) == (asked, Selection())
    assert isinstance(keyseq.load("textrank", top=3), TextRank)
    assert isinstance(keyseq.load("scholar-network", top=3), NeuralSystem)


def test_the_same_settings_select_of_any_system():
    every = texts(keyseq.load("textrank"))
    assert texts(keyseq.load("textrank", deny=[every[0]], top=2)) == every[1:3]
    assert texts(keyseq.load("textrank", present=False)) == []
    scores = [phrase.score for phrase in keyseq.load("textrank").predict([TEXT])[0]]
    assert texts(keyseq.load("textrank", min_score=round(scores[1], SCORE_DIGITS))) == every[:2]


def test_none_leaves_the_number_to_the_system():
    assert texts(keyseq.load("textrank", top=None)) == texts(keyseq.load("textrank"))


@pytest.mark.parametrize("name", ["textrank", "scholar-network"])
def test_a_loaded_system_is_reconfigured_as_if_it_were_loaded_anew(name):
    system = keyseq.load(name)
    asked = {"top": 2, "deny": texts(system)[:1]}
    assert texts(reconfigured(system, **asked)) == texts(keyseq.load(name, **asked)) == texts(system)[1:3]


@pytest.mark.parametrize("name", ["scholar-network", "textrank"])
@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"min_score": 7}, "min_score must be at most 1, not 7"),
        ({"top": "x"}, "top must be a whole number, not 'x'"),
        ({"present": 1}, "present must be true or false, not 1"),
        ({"tops": 3}, "has no setting 'tops'; did you mean 'top'"),
    ],
)
def test_a_bad_value_is_refused_when_a_system_is_loaded(name, settings, message):
    with pytest.raises(KeyseqError, match=message):
        keyseq.load(name, **settings)
