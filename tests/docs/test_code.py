"""Every command and every snippet of README and docs runs as it stands there, or says why it is not run."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.docs.blocks import RUN, SHOWN, Block, blocks
from tests.docs.corpora import write_files, write_network

REPOSITORY = Path(__file__).parents[2]
PAGES = [
    *(REPOSITORY / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "examples/README.md")),
    *sorted((REPOSITORY / "docs").rglob("*.md")),
    *sorted((REPOSITORY / "src" / "keyseq" / "pretrained").glob("*/README.md")),
]
REPORTS = REPOSITORY / "docs" / "reports"  # written by `keyseq experiment`, each with the command that took hours
TUTORIAL = REPOSITORY / "docs" / "tutorial.md"  # walked by test_tutorial.py, from its installation on
SHELL = Path(__file__).with_name("shell.sh")
NODE = shutil.which("node") or shutil.which("nodejs")


def name(page: Path) -> str:
    return str(page.relative_to(REPOSITORY))


def runnable(page: Path) -> bool:
    return page != TUTORIAL and any(block.language in RUN and block.reason is None for block in blocks(page))


@pytest.mark.parametrize("page", [page for page in PAGES if page.parent != REPORTS], ids=name)
def test_all_code_names_its_language_so_that_none_escapes(page):
    unknown = [(block.line, block.language) for block in blocks(page) if block.language not in RUN + SHOWN]
    assert unknown == [], f"name the language behind ```: one of {', '.join(RUN + SHOWN)}"


@pytest.fixture(scope="session")
def files(tmp_path_factory):
    """The files that the pages speak of."""
    folder = tmp_path_factory.mktemp("files")
    write_files(folder)
    return folder


@pytest.fixture(scope="session")
def network(files, tmp_path_factory):
    """A run and the network that it exports to, for the pages that begin with one."""
    folder = tmp_path_factory.mktemp("network")
    write_network(folder, files)
    return folder


@pytest.fixture
def folder(files, tmp_path, monkeypatch):
    """A folder of a page's own, with these files."""
    shutil.copytree(files, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KEYSEQ_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    yield tmp_path
    servers = tmp_path / "servers"
    for process in servers.read_text().split() if servers.exists() else ():
        os.kill(int(process), signal.SIGTERM)


@pytest.mark.parametrize("page", [page for page in PAGES if page.parent != REPORTS and runnable(page)], ids=name)
def test_the_code_runs_in_the_order_of_the_page(page, folder, request):
    text = page.read_text(encoding="utf-8")
    for needed, made_by in (("runs/catseqd", "keyseq train catseqd"), ("catseqd", "keyseq export")):
        if needed in text and made_by not in text:
            shutil.copytree(request.getfixturevalue("network") / needed, folder / needed)
    for block in blocks(page):
        if block.reason is not None or block.language not in RUN:
            continue
        if block.language == "javascript" and NODE is None:
            pytest.skip("there is no Node on this machine")
        ran = subprocess.run(_command(block, folder), capture_output=True, text=True, cwd=folder)
        assert ran.returncode == 0, f"{name(page)}:{block.line}\n{ran.stdout[-2000:]}\n{ran.stderr[-4000:]}"


def _command(block: Block, folder: Path) -> list[str]:
    """Each block by itself, as it is copied from a page; the server of the page has another port."""
    port = (folder / "port").read_text().strip() if (folder / "port").exists() else "8080"
    code = block.code.replace("127.0.0.1:8080", f"127.0.0.1:{port}")
    if block.language == "python":
        return [sys.executable, "-c", code]
    if block.language == "javascript":
        return [str(NODE), "--input-type=module", "--eval", code]
    return ["bash", "-euo", "pipefail", "-c", f"source {SHELL}\nset -x\n{block.commands}"]
