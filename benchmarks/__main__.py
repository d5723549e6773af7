"""Run benchmarks and print their figures: `python -m benchmarks [NAME…] [--quick] [--before PATH] [--json FILE]`."""

import argparse
import importlib
import sys
from pathlib import Path

from benchmarks.figures import Figure, keep, show
from benchmarks.startup import checkout

BENCHMARKS = {
    "speed": "one table: training, decoding, evaluation, extraction, start, memory and serving beside plain\n"
    "    implementations, the processor's limit and an earlier checkout (--before); --only WORD for a part of it",
    "batch": "documents by one process, by workers and by Ray: the same output, speed, start, memory, bytes",
    "tokenizing": "tokens per second",
    "corpus": "keyseq train on 500,000 documents: encoding speed and memory",
    "default": "the default system beside its network alone: one abstract, many abstracts, a cold start",
    "evaluation": "evaluated documents per second, cold and warm",
    "extraction": "documents per second of tfidf and textrank",
    "decoding": "documents decoded per second and alone at the paper's sizes, beside a plain beam search; memory",
    "serving": "keyseq serve at 1, 8 and 64 clients beside direct predictions; overload; memory over time",
    "startup": "start of the command line beside `python -c pass`, of the default system beside its network, and\n"
    "    of `keyseq generate` beside an earlier checkout (--before)",
    "stackexchange": "the StackEx builder on a generated Posts.xml of 1 GB: speed and memory",
    "training": "documents trained on per second at the paper's sizes, beside a plain implementation",
    "vocabulary": "a vocabulary of 100,000 concepts: how fast it loads, and what it adds to a text",
}


def main() -> None:
    """Parse the command line, run, print, keep."""
    names = "\n".join(f"  {name}: {what}" for name, what in BENCHMARKS.items())
    parser = argparse.ArgumentParser(
        "python -m benchmarks", description=f"{__doc__}\n\n{names}", formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="which to run; speed if none is named")
    parser.add_argument("--quick", action="store_true", help="small inputs: to see that it runs, not to measure")
    parser.add_argument("--json", type=Path, default=Path("benchmarks.json"), help="where the figures are kept")
    parser.add_argument(
        "--before",
        type=checkout,
        metavar="PATH",
        help="an earlier checkout of keyseq, for speed and startup",
    )
    parser.add_argument("--only", default="", metavar="WORD", help="speed: only the work whose name has it")
    parser.add_argument("--all", action="store_true", help="training: every system beside catseq")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.names if name not in BENCHMARKS]
    if unknown:
        parser.error(f"unknown benchmark '{unknown[0]}'; choose from {', '.join(BENCHMARKS)}")
    speed = {"before": arguments.before, "only": arguments.only}
    options = {"speed": speed, "startup": {"before": arguments.before}, "training": {"every": arguments.all}}
    figures: list[Figure] = []
    for name in arguments.names or ("speed",):
        sys.stderr.write(f"{name} …\n")
        figures += importlib.import_module(f"benchmarks.{name}").run(quick=arguments.quick, **options.get(name, {}))
    print(show(figures), end="")
    keep(figures, arguments.json)


if __name__ == "__main__":
    main()
