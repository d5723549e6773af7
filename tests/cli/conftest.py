"""A trained network as training leaves it, and exported."""

import json

import pytest
import torch
from typer.testing import CliRunner

from keyseq.cli import app
from keyseq.config import load_settings
from keyseq.data.vocabulary import Vocabulary
from keyseq.network.seq2seq import Seq2Seq
from keyseq.network.storage import Stored, save_network

WORDS = 200


@pytest.fixture(scope="session")
def run(tmp_path_factory):
    """A run as training leaves it: its best checkpoint in a folder of its own."""
    torch.manual_seed(1)
    settings = load_settings("tiny", [f"model.vocabulary={WORDS}"])
    folder = tmp_path_factory.mktemp("run")
    (folder / "best").mkdir()
    words = Vocabulary.from_words([f"w{number}" for number in range(WORDS - 5)])
    save_network(Stored(Seq2Seq(settings.model, WORDS), settings, words), folder / "best")
    return folder


@pytest.fixture(scope="session")
def exported(run):
    out = run / "exported"
    ran = CliRunner().invoke(app, ["export", str(run), str(out), "--weights", "int8", "--json"])
    assert ran.exit_code == 0, ran.output
    return out, json.loads(ran.stdout)
