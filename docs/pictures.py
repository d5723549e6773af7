"""Render the pictures of the README: `make pictures` (the report and the page need Chromium)."""

import contextlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from PIL import Image
from rich.console import Console
from rich.text import Text

IMAGES = Path(__file__).with_name("images")
PAPER = Path(__file__).parents[1] / "examples" / "paper.txt"
# what three readers of the sample paper would have chosen
GOLD = ["social navigation", "delivery robots", "inverse reinforcement learning", "human-robot interaction", "trust"]
# the settings that the page is shown with, by colour scheme
PAGES: dict[Literal["light", "dark"], str] = {"light": "", "dark": "#compare=tfidf&top=8"}


def keyseq(*arguments: str) -> str:
    """Run the command as a user does, in colour."""
    command = [sys.executable, "-m", "keyseq", *arguments]
    environment = {**os.environ, "FORCE_COLOR": "1"}
    return subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout


def terminal() -> None:
    """Render the output of `make demo`."""
    console = Console(record=True, width=72, file=open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123
    console.print("[bold]$[/bold] keyseq generate examples/paper.txt")
    console.print(Text.from_ansi(keyseq("generate", str(PAPER))))
    console.save_svg(str(IMAGES / "generate.svg"), title="keyseq")


def report() -> None:
    """Take a screenshot of the HTML report of the sample paper."""
    with tempfile.TemporaryDirectory() as folder:
        gold, predictions, page = (Path(folder, name) for name in ("gold.jsonl", "scholar.jsonl", "report.html"))
        title, body = PAPER.read_text(encoding="utf-8").split("\n\n", 1)
        document = {"id": "paper", "title": title, "abstract": body.strip(), "keywords": GOLD}
        gold.write_text(json.dumps(document), encoding="utf-8")
        keyseq("generate", str(gold), "--system", "scholar", "--out", str(predictions))
        metrics = "present.f1@5,present.f1@10,present.f1@o"
        keyseq("evaluate", str(gold), str(predictions), "--metrics", metrics, "--format", "html", "--out", str(page))
        options = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=1000,1700"]
        quiet = ["--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"]
        target = [f"--screenshot={IMAGES / 'report.png'}", f"--user-data-dir={folder}/profile", page.as_uri()]
        subprocess.run([chromium(), *options, *quiet, *target], check=True, capture_output=True)


def page() -> None:
    """Take screenshots of the page of `keyseq serve` with the sample paper, light and dark."""
    from playwright.sync_api import sync_playwright

    with serving() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox", "--disable-gpu"])
        for scheme, settings in PAGES.items():
            view = browser.new_page(color_scheme=scheme, viewport={"width": 1240, "height": 900})
            view.goto(f"{address}{settings}")
            view.fill("#text", PAPER.read_text(encoding="utf-8").strip())
            view.wait_for_selector("body:not(.busy) .row")
            view.mouse.move(0, 0)
            picture = Image.open(io.BytesIO(view.screenshot()))
            picture.quantize(128).save(IMAGES / f"page-{scheme}.png", optimize=True)
        browser.close()


@contextlib.contextmanager
def serving() -> Iterator[str]:
    """Run `keyseq serve` on a free port, and yield its address."""
    command = [sys.executable, "-m", "keyseq", "serve", "--port", "0"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        yield next(found[0] for line in process.stderr or () if (found := re.search(r"http://\S+/", line)))
    finally:
        process.terminate()
        process.communicate()


def chromium() -> str:
    """The browser's command."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        sys.exit("the pictures of the report and the page need Chromium: install it, and run this again")
    return found


if __name__ == "__main__":
    IMAGES.mkdir(exist_ok=True)
    terminal()
    report()
    page()
