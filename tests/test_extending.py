"""The piece of docs/how-to/extend.md, as the page has it: trained, resumed, exported and run."""

import contextlib
import json
import random
import re
import runpy
import sys
from pathlib import Path

import pytest
import torch

from keyseq.config import load_settings
from keyseq.config.settings import SECTIONS
from keyseq.data.network_inputs import input_fields
from keyseq.data.parallel import Work
from keyseq.network.storage import load_network
from keyseq.runtime.engine import GraphStepper
from keyseq.runtime.exporting import export
from keyseq.runtime.onnx import ExportedNetwork
from keyseq.runtime.restoring import restored
from keyseq.systems.neural import NeuralSystem
from keyseq.text.presence import SourceText
from keyseq.training.start import Files, RunOptions, train
from keyseq.types import Document

PAGE = Path(__file__).parents[1] / "docs/how-to/extend.md"
WORDS = [a + b + c for a in "bdfk" for b in "aeiou" for c in "lmnrst"]
SHORT = ["training.threads=1", "training.steps=4", "training.batch_size=4", "model.vocabulary=100"]
SMALL = [f"model.{name}=8" for name in ("embedding_size", "encoder_size", "hidden_size", "attention_size")]
SIZES = [*SMALL, "model.output_size=8", "model.switch_size=8", "target.source_words=12"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The files of the page, importable, and its settings in their section."""
    made = tmp_path_factory.mktemp("gist")
    for name, code in re.findall(r'```(?:python|toml) title="(gist.*?)"\n(.*?)```', PAGE.read_text(), re.DOTALL):
        (made / name).write_text(code)
    assert {path.name for path in made.iterdir()} == {"gist.py", "gist.toml", "gist_keyseq.py", "gist_settings.py"}
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(made)
        import gist_settings

        patch.setitem(SECTIONS, "model", gist_settings.GistSettings)
        yield made
        for name in ("gist", "gist_settings"):
            sys.modules.pop(name, None)


def corpus(path, count):
    draw = random.Random(count)
    records = [
        {
            "id": str(number),
            "title": " ".join(draw.choices(WORDS, k=3)),
            "abstract": " ".join(draw.choices(WORDS, k=10)),
        }
        for number in range(count)
    ]
    path.write_text("".join(json.dumps(one | {"keywords": one["abstract"].split()[:2]}) + "\n" for one in records))
    return path


def fit(settings, folder, out, **places):
    files = Files(
        train=[corpus(folder / "train.jsonl", 12)], valid=corpus(folder / "valid.jsonl", 4), out=out, **places
    )
    return train(settings, files, RunOptions(work=Work(processes=1)))


@pytest.fixture(scope="module")
def run(folder):
    fit(load_settings(folder / "gist.toml", [*SIZES, *SHORT]), folder, folder / "run")
    return folder / "run"


def test_a_run_stores_its_inputs_and_goes_on(run, folder):
    outcome = fit(load_settings(folder / "gist.toml", [*SIZES, *SHORT, "training.steps=6"]), folder, run)
    assert outcome.progress.step == 6
    stored = load_network(run / "last")
    assert stored.settings.model.gist
    assert [one.name for one in input_fields(stored.settings.model)] == ["title", "word_lengths"]


def test_it_joins_a_trained_network_which_generates_the_same_at_first(folder, tmp_path):
    still = [*SIZES, *SHORT, "training.steps=1", "training.learning_rate=0"]
    fit(load_settings("catseq", still), folder, tmp_path / "plain")
    fit(load_settings(folder / "gist.toml", still), folder, tmp_path / "joined", start=tmp_path / "plain/last")
    plain, joined = (load_network(tmp_path / name / "last").network.eval() for name in ("plain", "joined"))
    source, lengths = torch.tensor([[7, 8, 9]]), torch.tensor([3])
    further = {"title": source, "title_lengths": lengths, "word_lengths": source}
    readouts = []
    for network, inputs in ((plain, {}), (joined, further)):
        encoded = network.encode(source, lengths, inputs)
        memory, state = network.remember(encoded, source), network.start(encoded)
        for word in (8, 9):
            decoded, state = network.step(torch.tensor([[word]]), state, memory)
        readouts.append(decoded.readout)
    assert torch.equal(*readouts)


@pytest.fixture(scope="module")
def exported(run, folder):
    """Untrained enough to be undecided: larger weights make titles and words matter."""
    stored = load_network(run / "best")
    with torch.no_grad():
        for weight in stored.network.parameters():
            weight.mul_(3)
    export(stored, folder / "exported")  # which compares both engines
    return folder / "exported"


def test_what_the_graph_declares_is_what_is_laid_out(exported):
    network = ExportedNetwork(exported)
    assert set(network.encoder.inputs) == {"source", "lengths", "title", "title_lengths", "word_lengths"}
    assert "gist" in network.step.inputs
    assert "next_gist" in network.step.outputs
    assert [one.name for one in GraphStepper(network).fields] == ["title", "word_lengths"]
    assert "| also | gist |" in (exported / "README.md").read_text()


def test_it_can_be_trained_further_from_the_export(exported):
    assert restored(exported).network.pieces["gist"].title.weight.abs().sum() > 0


def test_the_command_of_the_page_runs_it(exported, folder, monkeypatch, capsys):
    text = folder / "paper.txt"
    text.write_text("Bal bel bil. The bal bel runs beside a bil.")
    monkeypatch.setattr(sys, "argv", ["gist_keyseq.py", "generate", str(text), "--system", str(exported), "--json"])
    with contextlib.suppress(SystemExit):
        runpy.run_path(str(folder / "gist_keyseq.py"), run_name="__main__")
    assert json.loads(capsys.readouterr().out)["keyphrases"] is not None


def test_every_window_of_a_long_text_knows_the_title(exported):
    """The second window is far from the title's words, yet another title gives other probabilities there."""
    system = NeuralSystem.from_pretrained(str(exported), decoding="beam", max_length=3, threads=1)
    body = " ".join(WORDS[:40])

    def second(title):
        document = Document(id="1", title=title, body=body)
        found = system.searched([document], [SourceText(document.text, system.model.analyzer)])
        assert found[1][0].number == 1
        return found[1][0].words, [one.probability for one in found[1][1]]

    (words, one), (same_words, other) = second("bal bal bal"), second("kut kut kut")
    assert words == same_words
    assert one[:3] != pytest.approx(other[:3], rel=1e-3, abs=0)
