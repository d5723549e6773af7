"""`keyseq average`: a network of several, which can be exported like any other."""

import json

import pytest
import torch
from typer.testing import CliRunner

from keyseq.cli import app
from keyseq.errors import KeyseqError
from keyseq.network.storage import Stored, load_network, save_network


@pytest.fixture
def other(run, tmp_path):
    """A network that went on from the run's by adding 1 to every weight."""
    stored = load_network(run / "best")
    with torch.no_grad():
        for parameter in stored.network.parameters():
            parameter.add_(1)
    folder = tmp_path / "a=b"
    folder.mkdir()
    save_network(Stored(stored.network, stored.settings, stored.vocabulary), folder)
    return folder


def invoke(*arguments):
    return CliRunner().invoke(app, ["average", *map(str, arguments)])


@pytest.mark.parametrize(("shares", "moved"), [(("=3", "=1"), 0.25), (("", ""), 0.5)])
def test_the_mean_goes_by_the_shares_and_is_a_network_like_any_other(run, other, tmp_path, shares, moved):
    ran = invoke(f"{run}{shares[0]}", f"{other}{shares[1]}", "--out", tmp_path / "mean")
    assert ran.exit_code == 0, ran.output
    before = load_network(run / "best").network.state_dict()
    for name, weights in load_network(tmp_path / "mean").network.state_dict().items():
        assert torch.allclose(weights, before[name] + moved), name
    ran = CliRunner().invoke(app, ["export", str(tmp_path / "mean"), str(tmp_path / "exported"), "--json"])
    assert json.loads(ran.stdout)["bytes"] > 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("{run}", "nowhere"), "nowhere: not a trained network, since there is no such folder"),
        (("{run}", "{run}/best"), "given twice"),
        (("{run}=0", "{other}"), "must be a number above 0"),
        (("{run}=nan", "{other}"), "must be a number above 0"),
        (("{run}=0,5", "{other}"), "must be a number above 0"),
        (("{run}",), "one network cannot be averaged"),
    ],
)
def test_what_cannot_be_averaged_is_told_and_nothing_is_written(run, other, tmp_path, arguments, message):
    names = [argument.format(run=run, other=other) for argument in arguments]
    ran = invoke(*names, "--out", tmp_path / "mean")
    assert isinstance(ran.exception, KeyseqError)
    assert message in str(ran.exception)
    assert not (tmp_path / "mean").exists()
