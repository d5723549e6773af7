"""Row 9: a tampered folder is refused in one sentence, within a second and 200 MB, and never silently wrong."""

import json
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import safetensors.numpy

import keyseq
from keyseq.config.bounded_toml import parse_toml
from keyseq.errors import KeyseqError
from keyseq.systems.hub import PRETRAINED

TEXT = ["Voice recognition lets a social robot follow spoken commands."]
MANY = ".".join(["a"] * 100_000)


@pytest.fixture
def network(tmp_path):
    return shutil.copytree(PRETRAINED / "questions-network", tmp_path / "network")


@pytest.fixture
def combined(tmp_path):
    return shutil.copytree(PRETRAINED / "news", tmp_path / "news")


def refusal(folder):
    with pytest.raises(KeyseqError) as caught:
        keyseq.load(str(folder)).predict(TEXT)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (f"{MANY} = 1", "a key of more than 16 parts"),
        (f"[{MANY}]", "a key of more than 16 parts"),
        (f"x = {{{MANY} = 1}}", "a key of more than 16 parts"),
        ('x = """ " """' + f", y = {{{MANY} = 1}}", "a text over several lines"),
        ('"' + '"."'.join(["a"] * 20) + '" = 1', "a key of more than 16 parts"),
        ("x = " + "[" * 50_000, "nested too deeply"),
        ("x = " + "{a=" * 50_000, "nested too deeply"),
        ("x = 1\n" * 100_000, "more than 262,144 characters"),
        ("x = " + '"\\' * 120_000, "string"),
        ("x = 1\n" + "'\n" * 100_000, "invalid character"),
    ],
    ids=range(10),
)
def test_row_9_nested_toml_is_refused_at_once(content, reason):
    start = time.process_time()
    with pytest.raises(ValueError, match=reason):
        parse_toml(content)
    assert time.process_time() - start < 5  # it would be a minute


@pytest.mark.parametrize(
    "text",
    ['x = "a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s"', r'x = "\"......................"', "x = 1 # ...................."],
)
def test_dots_in_texts_and_comments_are_no_keys(text):
    assert set(parse_toml(text)) == {"x"}


@pytest.mark.parametrize(
    "content", [f"{MANY} = 1", "x = " + "[" * 50_000, "combined = 5", "[combined]\ndocuments = 1e400"]
)
def test_the_settings_of_a_combined_system(combined, content):
    (combined / "combined.toml").write_text(content)
    assert refusal(combined).startswith(f"{combined / 'combined.toml'}: not the settings of a combined system")


@pytest.mark.parametrize("name", ["../network", "/etc", "a/b", ".."])
@pytest.mark.parametrize("setting", ["network", "tables"])
def test_a_combined_system_names_no_folder_outside_its_own(combined, setting, name):
    (combined / "combined.toml").write_text(f'[combined]\n{setting} = "{name}"\n')
    message = f"combined.{setting} must be the name of a system or of a folder inside this one, not '{name}'"
    assert message in refusal(combined)


MEASURED = """
import pathlib, re, sys, time
import keyseq
from keyseq.errors import KeyseqError

start = time.process_time()
try:
    keyseq.load(sys.argv[1]).predict(["Robots read social signals."])
except KeyseqError as error:
    [most] = re.findall(r"VmHWM:\\s+([0-9]+) kB", pathlib.Path("/proc/self/status").read_text())
    print(str(error).count("\\n"), time.process_time() - start, int(most) / 1000)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the memory of a process is read from /proc")
def test_row_9_a_key_of_100_000_parts_takes_no_time_and_no_200_megabytes(network):
    (network / "settings.toml").write_text(f"{MANY} = 1")
    ran = subprocess.run([sys.executable, "-c", MEASURED, str(network)], capture_output=True, text=True)
    breaks, seconds, megabytes = map(float, ran.stdout.split())
    assert (breaks, seconds < 5, megabytes < 200) == (0, True, True), (ran.stdout, ran.stderr)


def changed(path, change, metadata=None):
    with safetensors.safe_open(path, framework="numpy") as file:
        stored = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        about = file.metadata() or {}
    path.write_bytes(safetensors.numpy.save(change(stored), metadata=(metadata or (lambda about: about))(about)))


def spoiled(value):
    def change(arrays):
        return {
            name: np.full_like(array, value) if array.dtype.kind == "f" else array for name, array in arrays.items()
        }

    return change


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_row_9_weights_that_are_no_numbers_are_refused(network, combined, value):
    changed(network / "weights.safetensors", spoiled(value))
    assert "holds what is not a finite number; export or train the network again" in refusal(network)
    changed(combined / "ranker.safetensors", spoiled(value))
    assert "ranker.safetensors: damaged" in refusal(combined)


@pytest.mark.parametrize("listed", ["[" * 100_000, "{" * 10, "[1]", '["nothing"]', "5", "null"])
def test_row_9_nested_metadata_of_weights_are_refused(network, listed):
    changed(network / "weights.safetensors", dict, lambda about: about | {"step.onnx": listed})
    assert refusal(network).startswith(f"{network}/")


def test_row_9_a_graph_without_its_outputs_is_refused(network):
    import onnx

    for name, output in (("step.onnx", "ids"), ("encoder.onnx", "keys")):
        model = onnx.load(network / name, load_external_data=False)
        [kept] = [one for one in model.graph.output if one.name == output]
        model.graph.output.remove(kept)
        (network / name).write_bytes(model.SerializeToString())
        assert f"step.onnx: does not fit its encoder: '{output}' is missing" in refusal(network)
        shutil.copy(PRETRAINED / "questions-network" / name, network / name)


@pytest.mark.parametrize("header", [b"[" * 100_000, json.dumps({"a": 5}).encode(), b"{}", b'{"a": {"dtype": "F32"}}'])
def test_arrays_with_a_broken_header(combined, header):
    (combined / "ranker.safetensors").write_bytes(len(header).to_bytes(8, "little") + header)
    assert "ranker.safetensors: " in refusal(combined)
