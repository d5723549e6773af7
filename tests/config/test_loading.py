import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from keyseq.config import ModelSettings, Settings, available, load_settings
from keyseq.errors import KeyseqError

SYSTEMS = ["catseq", "catseq+orthogonal", "catseq+semantic", "catseqd", "copyrnn"]


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_papers_systems_have_the_papers_sizes(name):
    settings = load_settings(name)
    model, training = settings.model, settings.training
    assert (model.embedding_size, model.encoder_size, model.hidden_size, model.target_encoder_size) == (
        100,
        150,
        150,
        150,
    )
    assert (model.vocabulary, model.dropout, settings.loss.negatives) == (50_000, 0.1, 16)
    assert (training.optimizer, training.learning_rate) == ("adam", 1e-3)
    assert set(model.pieces) <= {"target_encoder"}, "the paper's decoder does not depend on its attention"


@pytest.mark.parametrize(
    ("name", "paradigm", "target_encoder", "orthogonal", "semantic"),
    [
        ("copyrnn", "one2one", False, 0.0, 0.0),
        ("catseq", "one2seq", False, 0.0, 0.0),
        ("catseq+orthogonal", "one2seq", False, 0.3, 0.0),
        ("catseq+semantic", "one2seq", True, 0.0, 0.03),
        ("catseqd", "one2seq", True, 1.0, 0.03),
    ],
)
def test_each_system_differs_in_its_parts_and_weights_only(name, paradigm, target_encoder, orthogonal, semantic):
    settings, catseq = load_settings(name), load_settings("catseq")
    assert settings.target.paradigm == paradigm
    assert settings.model == replace(catseq.model, target_encoder=target_encoder)
    assert settings.loss == replace(catseq.loss, orthogonal=orthogonal, semantic=semantic)


def test_every_shipped_file_loads_and_the_released_one_sets_all_that_differs():
    assert set(available()) >= {*SYSTEMS, "released", "tiny"}
    released, paper = load_settings("released"), load_settings("catseqd")
    different = {
        key for key, value in released.to_mapping()["model"].items() if value != paper.to_mapping()["model"][key]
    }
    assert different == {
        "encoder_size", "bridge", "switch", "target_encoder_start", "input_feeding", "coverage", "context_gate"
    }  # fmt: skip
    assert released.loss.orthogonal_norm == "squared"
    assert set(released.model.pieces) == {"target_encoder", "input_feeding", "coverage"}


@pytest.mark.parametrize("name", available())
def test_saved_settings_load_again_the_same(name, tmp_path):
    settings = load_settings(name)
    file = tmp_path / "settings.toml"
    file.write_text(settings.to_toml(), encoding="utf-8")
    assert load_settings(file) == settings
    assert Settings.from_mapping(json.loads(json.dumps(settings.to_mapping()))) == settings


@pytest.mark.parametrize(
    ("override", "section", "key", "value"),
    [
        ("model.hidden_size=200", "model", "hidden_size", 200),
        ("training.learning_rate=1e-4", "training", "learning_rate", 1e-4),  # YAML would read a text
        ("model.dropout=0", "model", "dropout", 0.0),
        ("model.coverage=True", "model", "coverage", True),
        ("target.order = random", "target", "order", "random"),
    ],
)
def test_an_override_is_read_by_the_type_of_its_setting(override, section, key, value):
    got = load_settings("catseqd", [override]).to_mapping()[section][key]
    assert got == value
    assert type(got) is type(value)


def test_overrides_are_checked_together_because_settings_depend_on_each_other():
    overrides = ["model.target_encoder_start=source", "model.hidden_size=64", "model.target_encoder_size=64"]
    assert load_settings("catseqd", overrides).model.hidden_size == 64


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("model.hiden_size=1", "unknown setting 'model.hiden_size'; did you mean 'hidden_size'?"),
        ("modle.hidden_size=1", "unknown section of settings 'modle'; did you mean 'model'?"),
        ("xyz.hidden_size=1", "unknown section of settings 'xyz'; there are model, loss, target, training"),
        ("hidden_size=1", "'hidden_size=1' is not a setting; use section.key=value, such as model.vocabulary=50000"),
        ("model.hidden_size", "'model.hidden_size' is not a setting"),
        ("model.hidden_size=big", "model.hidden_size must be a whole number, not 'big'"),
        ("model.hidden_size=1.5", "model.hidden_size must be a whole number, not '1.5'"),
        ("model.hidden_size=0", "model.hidden_size must be at least 1, not 0"),
        ("model.dropout=1", "model.dropout must be below 1, not 1.0"),
        ("model.dropout=nan", "model.dropout must be a number, not nan"),
        ("model.dropout=-0.1", "model.dropout must be at least 0, not -0.1"),
        ("model.coverage=yes", "model.coverage must be true or false, not 'yes'"),
        ("model.bridge=sigmoid", "model.bridge must be one of tanh, relu, not 'sigmoid'"),
        ("model.output_vocabulary=60000", "model.output_vocabulary must not be larger than model.vocabulary"),
        ("model.bridge=relu", "model.bridge=relu needs a model.hidden_size of twice model.encoder_size"),
        ("loss.semantic=0.1", "loss.semantic trains the target encoder; set model.target_encoder=true too"),
    ],
)
def test_a_mistake_is_told_in_one_sentence(override, message):
    with pytest.raises(KeyseqError) as error:
        load_settings("catseq", [override])
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[model]\nhiden_size = 3", "unknown setting 'model.hiden_size'; did you mean 'hidden_size'?"),
        ("model = 3", "'model' is a section of settings; write [model] and its keys below it"),
        ("[model]\nhidden_size = '150'", "model.hidden_size must be a whole number, not '150'"),
        ("[model]\nhidden_size = true", "model.hidden_size must be a whole number, not True"),
        ("[model\n", "not TOML"),
    ],
)
def test_a_bad_file_is_named_in_the_message(text, message, tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(KeyseqError) as error:
        load_settings(file)
    assert str(error.value).startswith(f"{file}: ")
    assert message in str(error.value)


def test_an_unknown_system_lists_those_there_are():
    with pytest.raises(KeyseqError, match=r"catseq2: no such settings; give a TOML file or one of catseq, .*tiny"):
        load_settings("catseq2")


def test_settings_made_in_python_are_checked_too_and_stay_as_they_are():
    with pytest.raises(KeyseqError, match="encoder_size must be at least 1"):
        ModelSettings(encoder_size=-1)
    with pytest.raises(AttributeError):
        ModelSettings().hidden_size = 3


def test_settings_import_nothing_heavy():
    code = "import sys, keyseq.config; print([m for m in ('numpy', 'torch', 'rich') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=Path(__file__).parent)
    assert done.stdout.strip() == "[]", done.stderr


def test_settings_of_earlier_versions_load_under_their_new_names(tmp_path):
    file = tmp_path / "settings.toml"
    file.write_text("[model]\nsaid = true\n")
    assert load_settings(file).model.generated_words
    assert load_settings("catseq", ["model.said=true"]) == load_settings("catseq", ["model.generated_words=true"])
