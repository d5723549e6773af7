"""Take the pictures of the README: `make pictures` (the report needs Chromium)."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

IMAGES = Path(__file__).with_name("images")
PAPER = Path(__file__).parents[1] / "examples" / "paper.txt"
# what three readers of the sample paper would have chosen
GOLD = ["social navigation", "delivery robots", "inverse reinforcement learning", "human-robot interaction", "trust"]


def keyseq(*arguments: str) -> str:
    """Run the command as a user does, in colour."""
    command = [sys.executable, "-m", "keyseq", *arguments]
    environment = {**os.environ, "FORCE_COLOR": "1"}
    return subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout


def terminal() -> None:
    """Draw `make demo`."""
    console = Console(record=True, width=72, file=open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123
    console.print("[bold]$[/bold] keyseq generate examples/paper.txt")
    console.print(Text.from_ansi(keyseq("generate", str(PAPER))))
    console.save_svg(str(IMAGES / "generate.svg"), title="keyseq")


def report() -> None:
    """Photograph the HTML report of the sample paper."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        sys.exit("the picture of the report needs Chromium: install it, and run this again")
    with tempfile.TemporaryDirectory() as folder:
        gold, predictions, page = (Path(folder, name) for name in ("gold.jsonl", "textrank.jsonl", "report.html"))
        title, body = PAPER.read_text(encoding="utf-8").split("\n\n", 1)
        document = {"id": "paper", "title": title, "abstract": body.strip(), "keywords": GOLD}
        gold.write_text(json.dumps(document), encoding="utf-8")
        keyseq("generate", str(gold), "--out", str(predictions))
        metrics = "present.f1@5,present.f1@10,present.f1@o"
        keyseq("evaluate", str(gold), str(predictions), "--metrics", metrics, "--format", "html", "--out", str(page))
        options = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=1000,1700"]
        quiet = ["--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"]
        target = [f"--screenshot={IMAGES / 'report.png'}", f"--user-data-dir={folder}/profile", page.as_uri()]
        subprocess.run([chromium, *options, *quiet, *target], check=True, capture_output=True)


if __name__ == "__main__":
    IMAGES.mkdir(exist_ok=True)
    terminal()
    report()
