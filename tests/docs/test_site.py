"""The documentation as a site: it builds without a warning and without a network, and loads nothing from elsewhere."""

import re
import subprocess
import sys
from html import unescape
from pathlib import Path

import pytest

from keyseq.evaluation.protocols import PROTOCOLS

REPOSITORY = Path(__file__).parents[2]
BUILD = """
import socket, sys

def refuse(*_):
    raise OSError("the site is built offline")

socket.socket.connect = socket.socket.connect_ex = socket.getaddrinfo = refuse
from mkdocs.__main__ import cli

cli(["build", "--strict", "--quiet", "--site-dir", sys.argv[1]])
"""
# what a browser loads by itself; a link is followed only by a click
ASSET = re.compile(r"<(?:script|img|source|iframe|link)\b[^>]*?(?:src|srcset|href)=\"([^\"]+)\"")


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-c", BUILD, str(folder)]
    built = subprocess.run(
        command, capture_output=True, text=True, cwd=REPOSITORY, env={"NO_MKDOCS_2_WARNING": "1", "HOME": str(folder)}
    )
    assert (built.returncode, built.stdout, built.stderr) == (0, "", "")
    return folder


def words(page: Path) -> str:
    """The text of a page, as it is read."""
    article = re.search(r"<article.*</article>", page.read_text(encoding="utf-8"), re.DOTALL)
    return unescape(re.sub(r"<[^>]+>", "", article[0]))


def test_no_page_loads_anything_from_elsewhere(site):
    pages = list(site.rglob("*.html"))
    assert len(pages) > 20
    loaded = {(page.name, url) for page in pages for url in ASSET.findall(page.read_text(encoding="utf-8"))}
    assert any(url.endswith(".js") for _, url in loaded)
    assert {(page, url) for page, url in loaded if re.match(r"(https?:)?//", url)} == set()
    assert [path for path in site.rglob("*.css") if re.search(r"url\(['\"]?(https?:)?//", path.read_text())] == []


@pytest.mark.parametrize("command", ["generate", "train", "evaluate", "data", "data stackexchange"])
def test_the_command_line_is_the_help_of_the_real_commands(site, command):
    ran = subprocess.run(
        [sys.executable, "-m", "keyseq", *command.split(), "--help"], capture_output=True, text=True
    ).stdout
    options = re.findall(r"--[a-z-]+", ran)
    [section] = re.findall(
        rf"^keyseq {command}¶$(.*?)(?=^keyseq [a-z ]+¶$|\Z)", words(site / "reference/command-line.html"), re.M | re.S
    )
    assert options
    assert set(options) <= set(re.findall(r"--[a-z-]+", section))


def test_the_http_reference_is_the_description_of_the_real_application(site):
    page = words(site / "reference/http.html")
    for shown in ("POST /v1/keyphrases", "GET /v1/systems", "min_score", "title_spans", ", ≥ 0, ≤ 1"):
        assert shown in page


def test_the_python_reference_is_made_of_docstrings_and_dataclasses(site):
    import keyseq

    page = words(site / "reference/python.html")
    assert keyseq.load.__doc__.splitlines()[0].replace("`", "") in page
    assert re.search(r"keyphrases: tuple\[str, \.\.\.\] \| None", page)


def test_pages_from_elsewhere_in_the_repository_keep_their_links(site):
    examples = (site / "examples/index.html").read_text(encoding="utf-8")
    assert 'href="paper.txt"' in examples
    assert (site / "examples/paper.txt").is_file()
    systems = (site / "reference/systems.html").read_text(encoding="utf-8")
    assert 'href="scholar.html"' in systems


def test_the_protocols_can_be_searched_for(site):
    index = (site / "search/search_index.json").read_text(encoding="utf-8")
    assert all(name in index for name in PROTOCOLS)
