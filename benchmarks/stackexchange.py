"""The StackEx builder on a generated `Posts.xml`: megabytes per second and the most memory it held."""

import argparse
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from xml.sax.saxutils import quoteattr

from benchmarks.figures import Figure, keep, show
from benchmarks.generate import documents
from keyseq.types import Document

GIGABYTE = 10**9
QUICK = 0.02
ALLOWED_MEGABYTES = 300

TEXTS = 2_000  # made up once; every post mixes two of them and a number of its own, so that no two are alike


def generate(path: Path, size: int, seed: int = 0) -> int:
    """Write a `Posts.xml` of about this many bytes, an answer for each question, and say how many questions."""
    draw = random.Random(seed)
    texts = list(documents(TEXTS, seed, keyphrases=3))
    written, number = 0, 0
    with path.open("w", encoding="utf-8") as file:
        file.write('<?xml version="1.0" encoding="utf-8"?>\n<posts>\n')
        while written < size:
            number += 2
            for row in (_question(number, *draw.sample(texts, 2)), _answer(number + 1, *draw.sample(texts, 2))):
                written += file.write(row)
        file.write("</posts>\n")
    return number // 2


def _question(number: int, first: Document, second: Document) -> str:
    tags = "".join(f"<{phrase.replace(' ', '-').lower()}>" for phrase in first.keyphrases or ())
    return (
        f'  <row Id="{number}" PostTypeId="1" CreationDate="2017-10-01T00:00:00.000" Score="1" ViewCount="42" '
        f'Body={quoteattr(_html(number, first, second))} OwnerUserId="7" Title={quoteattr(first.title)} '
        f"Tags={quoteattr(tags)} />\n"
    )


def _answer(number: int, first: Document, second: Document) -> str:
    return f'  <row Id="{number}" PostTypeId="2" Score="1" Body={quoteattr(_html(number, first, second))} />\n'


def _html(number: int, first: Document, second: Document) -> str:
    code = f"if (x &lt; {number}) {{\n    {second.title}\n}}"
    return f"<p>{first.body}</p>\n\n<pre><code>{code}\n</code></pre>\n\n<p><em>{second.title}</em></p>\n"


def measure(gigabytes: float) -> list[Figure]:
    """Generate, build in a process of its own, and take its figures."""
    with tempfile.TemporaryDirectory() as folder:
        posts = Path(folder) / "synthetic.stackexchange.com" / "Posts.xml"
        posts.parent.mkdir()
        questions = generate(posts, int(gigabytes * GIGABYTE))
        held_out = str(min(16_000, questions // 10))
        command = [sys.executable, "-m", "keyseq", "data", "stackexchange", str(posts), "--out", f"{folder}/out"]
        started = time.perf_counter()
        subprocess.run([*command, "--valid", held_out, "--test", held_out], check=True, stdout=subprocess.DEVNULL)
        seconds = time.perf_counter() - started
        megabytes = posts.stat().st_size / 10**6
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    peak = used.ru_maxrss * 1024 / 10**6
    return [
        Figure(name=f"stackexchange: {megabytes:,.0f} MB of posts", value=megabytes / seconds, unit="MB/s"),
        Figure(
            name="stackexchange: the same by its processor time",
            value=megabytes / (used.ru_utime + used.ru_stime),
            unit="MB/s",
        ),
        Figure(name="stackexchange: questions", value=questions / seconds, unit="questions/s"),
        Figure(
            name="stackexchange: memory at its peak",
            value=peak,
            unit="MB",
            baseline=f"{ALLOWED_MEGABYTES} MB allowed",
            ratio=peak / ALLOWED_MEGABYTES,
        ),
    ]


def run(*, quick: bool) -> list[Figure]:
    """Measure on a gigabyte, or on very little."""
    return measure(QUICK if quick else 1)


def main() -> None:
    """Measure on as much as the command line says."""
    parser = argparse.ArgumentParser("python -m benchmarks.stackexchange", description=__doc__)
    parser.add_argument("--gigabytes", type=float, default=1, help="size of the generated Posts.xml")
    parser.add_argument("--json", type=Path, default=Path("benchmarks.json"), help="where the figures are kept")
    arguments = parser.parse_args()
    figures = measure(arguments.gigabytes)
    print(show(figures), end="")
    keep(figures, arguments.json)


if __name__ == "__main__":
    main()
