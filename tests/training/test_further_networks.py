"""The other published networks as a whole: resumed exactly, exported, and run without torch."""

import json
import subprocess
import sys

import pytest

from keyseq.config import load_settings
from keyseq.network.storage import load_network, read_tensors
from keyseq.runtime.exporting import export
from keyseq.runtime.onnx import ENCODER, ExportedNetwork

# What each system changes, at the sizes of `tiny`, and what the graph of its encoder reads besides the source
SYSTEMS = {
    "paranett+coatt": ({"tags"}, "coverage, tags"),
    "kg-ke": (set(), "input feeding, extractor"),
    "one2set": (set(), "nothing"),
    "semi-multi": (set(), "titles"),
}
SHORT = ["training.steps=6", "training.checkpoint_every=2", "training.validate_every=4", "training.batch_size=4"]


class Killed(BaseException):
    """The end of a process, as far as a test within the process can have it."""


def kill(event):
    if event.kind == "step" and event.progress.step == 5:
        raise Killed


def tiny(name):
    """The changes of a system over `tiny`, as overrides of that."""
    system, plain, small = (load_settings(one).to_mapping() for one in (name, "catseq", "tiny"))
    changed = {
        f"{section}.{key}": value
        for section in ("model", "loss", "target", "training")
        for key, value in system[section].items()
        if value != plain[section][key] and not key.endswith("_size")
    }
    base = {"model.target_encoder": "false", "loss.orthogonal": 0, "loss.semantic": 0}
    assert small["model"]["embedding_size"] == 16
    values = {**base, **changed}
    return [f"{name}={str(value).lower() if isinstance(value, bool) else value}" for name, value in values.items()]


@pytest.fixture(scope="module", params=SYSTEMS)
def system(request):
    return request.param


@pytest.fixture(scope="module")
def further(system, tmp_path_factory):
    """What a system takes besides the corpus: documents with titles."""
    if system != "semi-multi":
        return {}
    file = tmp_path_factory.mktemp("titles") / "titles.jsonl"
    file.write_text("".join(json.dumps({"id": str(n), "title": "bal", "abstract": "ban bal"}) + "\n" for n in range(9)))
    return {"titles": [file]}


@pytest.fixture(scope="module")
def run(system, copying, further, tmp_path_factory):
    out = tmp_path_factory.mktemp(system)
    copying.run(out, *SHORT, *tiny(system), **further)
    return out


@pytest.fixture(scope="module")
def exported(system, run, tmp_path_factory):
    folder = tmp_path_factory.mktemp("exported") / system
    stored = load_network(run / "best")
    for weight in stored.network.parameters():
        weight.data.mul_(1.5)  # larger weights, so that what is read matters
    export(stored, folder)  # which compares both engines
    return folder


def test_killed_and_resumed_equals_never_killed_bit_for_bit(system, run, copying, further, tmp_path):
    with pytest.raises(Killed):
        copying.run(tmp_path, *SHORT, *tiny(system), **further, report=kill)
    copying.run(tmp_path, *SHORT, *tiny(system), **further)
    for file in ("model.safetensors", "optimizer.safetensors"):
        one, other = (read_tensors(folder / "last" / file) for folder in (run, tmp_path))
        assert one.keys() == other.keys()
        assert all(one[name].equal(other[name]) for name in one)


def test_the_export_reads_what_the_settings_name_and_has_a_card(system, exported):
    reads, pieces = SYSTEMS[system]
    network = ExportedNetwork(exported)
    assert set(network.encoder.inputs) - {"source", "lengths"} == reads, ENCODER
    assert f"| also | {pieces} |" in (exported / "README.md").read_text()


def test_keyphrases_are_generated_without_torch(exported, tmp_path):
    text = tmp_path / "text.jsonl"
    text.write_text(json.dumps({"id": "1", "title": "bal ban", "abstract": "The bal ban runs. It is bal."}) + "\n")
    code = "import sys; sys.modules['torch'] = None; from keyseq.cli import main; main()"
    arguments = ["generate", str(text), "--system", str(exported), "--json"]
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["id"] == "1"
