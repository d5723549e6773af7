"""What an earlier version has written still loads: `before.tar.xz` is of the commit before networks had pieces.

It holds a tiny exported network with all pieces of that time, a run of four steps with its corpus and checkpoint, and
in `expected.json` the phrases and the losses that the earlier version gave with them.
"""

import json
import tarfile
from pathlib import Path

import pytest

from keyseq.config import load_settings
from keyseq.data import preparation
from keyseq.data.parallel import Work
from keyseq.network.storage import load_network
from keyseq.runtime.restoring import restored
from keyseq.systems.neural import NeuralSystem
from keyseq.training.logs import read_log
from keyseq.training.start import Files, RunOptions, train
from keyseq.types import Document

VERSION = "0.1.0"  # which the key of a corpus is of


@pytest.fixture
def before(tmp_path):
    with tarfile.open(Path(__file__).parent / "before.tar.xz") as archive:
        archive.extractall(tmp_path, filter="data")
    return tmp_path / "before"


def expected(before):
    return json.loads((before / "expected.json").read_text())


def documents(before):
    """The validation texts, every other one three times over, so that it takes several windows."""
    records = [json.loads(line) for line in (before / "valid.jsonl").read_text().splitlines()]
    return [
        Document(id=record["id"], title=record["title"], body=" ".join([record["abstract"]] * (1 + number % 2 * 2)))
        for number, record in enumerate(records)
    ]


@pytest.mark.parametrize("decoding", ["distinct", "greedy", "beam", "exhaustive", "sampling"])
def test_an_exported_network_generates_the_same_phrases(decoding, before):
    beam = 5 if decoding in ("beam", "exhaustive") else None
    settings = {"decoding": decoding, "beam": beam, "max_length": 8, "threads": 1, "top": 6}
    system = NeuralSystem.from_pretrained(str(before / "exported"), **settings)
    found = [[[phrase.text, phrase.present] for phrase in phrases] for phrases in system.predict(documents(before))]
    assert any(found)
    assert found == [
        [[text, present] for text, _, present in phrases] for phrases in expected(before)["phrases"][decoding]
    ]


def test_an_exported_network_can_be_trained_further(before):
    stored = restored(before / "exported")
    assert set(stored.settings.model.pieces) == {"target_encoder", "input_feeding", "coverage", "generated_words"}
    assert stored.network.pieces["generated_words"].gate.weight.abs().sum() > 0


def test_a_run_goes_on_as_it_would_have_gone_on(before, monkeypatch):
    monkeypatch.setattr(preparation, "__version__", VERSION)
    run = before / "run"
    settings = load_settings(run / "last/settings.toml", ["training.steps=8"])
    files = Files(train=[before / "train.jsonl"], valid=before / "valid.jsonl", out=run)
    train(settings, files, RunOptions(work=Work(processes=1)))
    assert len([path for path in (run / "corpus").iterdir() if path.is_dir()]) == 1, "the corpus is not built again"
    losses = {str(line["step"]): line["loss"] for line in read_log(run / "log.jsonl") if line["kind"] == "train"}
    assert losses == pytest.approx(expected(before)["losses"], rel=1e-4)
    load_network(run / "last")  # as this version writes it
