"""The ranges of pyproject.toml, and the versions that keyseq is tested with."""

import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
REQUIRED = {
    line: Requirement(line)
    for lines in (PROJECT["dependencies"], *PROJECT["optional-dependencies"].values())
    for line in lines
    if Requirement(line).name != PROJECT["name"]
}


def pins():
    lines = [line for line in (ROOT / "constraints.txt").read_text().splitlines() if not line.startswith("#")]
    return {canonicalize_name(name): Version(version) for name, version in (line.split("==") for line in lines)}


@pytest.mark.parametrize("line", REQUIRED)
def test_the_version_that_is_tested_lies_in_the_range(line):
    assert pins()[canonicalize_name(REQUIRED[line].name)] in REQUIRED[line].specifier


@pytest.mark.parametrize(
    ("name", "refused", "allowed"),
    [
        ("onnxruntime", "1.24.0", "1.24.1"),  # before, external data of a graph may lie outside its folder
        ("typer", "0.18.0", "0.19.0"),  # before, every command ends in a traceback
    ],
)
def test_row_4_a_version_known_to_be_unfit_is_out_of_range(name, refused, allowed):
    [specifier] = [one.specifier for one in REQUIRED.values() if one.name == name]
    assert refused not in specifier
    assert allowed in specifier
