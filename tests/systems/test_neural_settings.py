"""One set of dataclasses for Python, the command line and HTTP."""

from dataclasses import fields
from typing import get_args

import pytest
from typer.main import get_command

from keyseq.cli import app
from keyseq.decoding.phrases import RANKINGS
from keyseq.decoding.policies import POLICIES, Policy
from keyseq.errors import KeyseqError
from keyseq.serving.requests import Choice
from keyseq.systems.combined_settings import CombinedSettings
from keyseq.systems.neural_settings import DecodingName, DecodingSettings, NeuralSettings, RankingName

FIELDS = {field.name: field for kind in (CombinedSettings, NeuralSettings) for field in fields(kind)}
FLAGS = {option.name: option for option in get_command(app).commands["generate"].params}
OTHER_FLAGS = {"allow": "allow_list", "deny": "deny_list"}  # files


def test_names_are_those_of_the_tables():
    assert get_args(DecodingName) == tuple(POLICIES)
    assert get_args(RankingName) == RANKINGS


def test_every_setting_of_a_search_reaches_it():
    shared = {field.name for field in fields(Policy)} & {field.name for field in fields(DecodingSettings)}
    assert shared == {"beam", "max_length", "length_penalty", "temperature", "samples", "seed", "distinct"}


@pytest.mark.parametrize("name", sorted(set(Choice.model_fields) - {"system", "candidates", "language", "explain"}))
def test_what_a_request_can_ask_for_is_a_flag_with_the_same_words_and_range(name):
    field, flag, about = Choice.model_fields[name], FLAGS[OTHER_FLAGS.get(name, name)], FIELDS[name].metadata
    assert field.description.lower() == f"{about['doc']}.".lower()
    if name not in ("present", *OTHER_FLAGS):
        assert flag.help == field.description
    bounds = {bound: getattr(one, bound) for one in field.metadata for bound in ("ge", "le") if hasattr(one, bound)}
    assert bounds.get("ge") == getattr(flag.type, "min", None) == about["least"]
    if about["most"] is not None:
        assert bounds["le"] <= flag.type.max == about["most"], "a server may allow less"


def test_every_flag_of_generate_that_is_a_setting_can_be_asked_for_in_a_request():
    settings = {name for name in FLAGS if name in FIELDS} | {"allow", "deny", "candidates", "language"}
    assert settings == set(Choice.model_fields) - {"system", "explain"}  # which is no setting of a system


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"beam": 0}, "beam must be at least 1, not 0"),
        ({"decoding": "magic"}, "decoding must be one of distinct, greedy, beam, exhaustive, sampling, not 'magic'"),
        ({"min_share": 1.5}, "min_share must be at most 1, not 1.5"),
        ({"allow": "a text"}, "allow must be a list of texts, not 'a text'"),
        ({"threads": 0}, "threads must be at least 1, not 0"),
    ],
)
def test_a_bad_value_is_told_in_a_sentence(settings, message):
    with pytest.raises(KeyseqError) as error:
        NeuralSettings(**settings)
    assert str(error.value) == message
