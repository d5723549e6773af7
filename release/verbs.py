"""Every command that writes, on small inputs: what it is killed in, given a full disk in, and traced in."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from keyseq.adapting.feedback_log import FeedbackLog, read_feedback

KEYSEQ = (sys.executable, "-m", "keyseq")
STEPS = ("--set", "training.threads=1", "--set", "training.checkpoint_every=4", "--set", "training.validate_every=8")
TREES = ("trees=8", "leaves=4", "leaf=5", "held_out=0.4", "contained=2")
COMBINED = [part for change in TREES for part in ("--set", f"combined.{change}")]
TRAIN = ("--train", "corpus.jsonl", "--valid", "valid.jsonl", *STEPS)
TOPICS = {
    "zoology": ("social tiger", "grass zebra", "old lion", "night safari", "large herd"),
    "astronomy": ("red planet", "bright comet", "stable orbit", "spiral galaxy", "long telescope"),
    "cooking": ("copper pan", "sharp knife", "warm oven", "wooden spoon", "iron kettle"),
}


@dataclass(frozen=True)
class Verb:
    """A command line in a folder of inputs; `again` is how it is repeated after an interruption."""

    name: str
    arguments: tuple[str, ...]
    overwrites: bool = False  # replaces files only with --overwrite, which a repetition needs

    @property
    def command(self) -> tuple[str, ...]:
        """What to run."""
        return (*KEYSEQ, *self.arguments)

    @property
    def again(self) -> tuple[str, ...]:
        """What to run after an interruption."""
        return (*self.command, "--overwrite") if self.overwrites else self.command


def _verb(name: str, line: str, *more: str, overwrites: bool = False) -> Verb:
    return Verb(name, (*line.split(), *more), overwrites)


VERBS = (
    _verb("generate", "generate corpus.jsonl --system tfidf --out out.csv", overwrites=True),
    _verb("generate, parts", "generate corpus.jsonl --system tfidf --workers 2 --part-size 16 --out parts"),
    _verb("generate, a library in place", "generate library.bib --system tfidf --out library.bib"),
    _verb("generate, together", "generate corpus.jsonl --together --system ./mine --out together.csv", overwrites=True),
    _verb("data convert", "data convert corpus.jsonl converted.src", overwrites=True),
    _verb("data convert, a folder", "data convert corpus.jsonl folder --to folder"),
    _verb(
        "data clean", "data clean corpus.jsonl --processes 2 --out clean.jsonl.gz --report report.md", overwrites=True
    ),
    _verb("data drop", "data drop corpus.jsonl --out dropped.jsonl.xz", overwrites=True),
    _verb("data fill", "data fill corpus.jsonl said.jsonl --out filled.jsonl", overwrites=True),
    _verb("data frequencies", "data frequencies corpus.jsonl --out frequencies.txt.gz", overwrites=True),
    _verb("data stats", "data stats corpus.jsonl --plot histogram.svg", overwrites=True),
    _verb(
        "data stackexchange", "data stackexchange dump --sites cs --valid 5 --test 5 --out questions", overwrites=True
    ),
    _verb("evaluate", "evaluate corpus.jsonl said.jsonl --per-document scores.csv --out report.html", overwrites=True),
    _verb(
        "compare",
        "compare corpus.jsonl said.jsonl other.jsonl --samples 99 --plot plot.svg --out compared.html",
        overwrites=True,
    ),
    _verb("vocabulary compile", "vocabulary compile terms.tsv", overwrites=True),
    _verb("train kea", "train kea --train corpus.jsonl --out kea"),
    _verb("train maui", "train maui --train corpus.jsonl --valid valid.jsonl --out maui"),
    _verb("train combined", "train combined --train corpus.jsonl --out combined", *COMBINED),
    _verb("train a network", "train tiny --out trained --set training.steps=16", *TRAIN),
    _verb("train, fine-tuning", "train tiny --from run --out finer --set training.steps=8", *TRAIN),
    _verb("adapt", "adapt corpus.jsonl --from none --out adapted --set adapt.trees=8 --set adapt.leaf=5"),
    _verb("learn", "learn mine"),
    _verb("average", "average run/last run/best --out mean"),
    _verb("export", "export run network --weights int8"),
    _verb("calibrate", "calibrate exported valid.jsonl --documents 8"),
    _verb("experiment, statistics", "experiment statistics --data data --out experiments"),
    _verb(
        "experiment, networks",
        "experiment self-terminating --systems catseq --scale 0.0001 --data data --out experiments",
    ),
)


MADE = (  # the systems that are among the inputs
    _verb("a run", "train tiny --out run --set training.steps=8", *TRAIN),
    _verb("a network", "export run exported"),
    _verb("a combined system", "train combined --train corpus.jsonl --out mine", *COMBINED),
)


def write_inputs(folder: Path) -> None:
    """What the commands read, systems among it."""
    write_texts(folder)
    for verb in MADE:
        subprocess.run(verb.command, cwd=folder, check=True, capture_output=True)
    FeedbackLog(folder / "mine").append(read_feedback(folder / "corrections.jsonl"))


def write_texts(folder: Path) -> None:
    """The texts that the commands read."""
    folder.mkdir(parents=True)
    documents = list(_documents(90))
    _write(folder / "corpus.jsonl", documents)
    _write(folder / "valid.jsonl", _documents(110)[90:])
    for name, shift in (("said.jsonl", 0), ("other.jsonl", 1)):
        _write(folder / name, [{"id": one["id"], "keyphrases": one["keywords"][shift:]} for one in documents])
    _write(folder / "corrections.jsonl", [_correction(number) for number in range(10)])
    entries = [
        f"@article{{k{one['id']},\n  title = {{{one['title']}}},\n  note = {{Keep me.}}\n}}\n" for one in documents
    ]
    (folder / "library.bib").write_text("% mine\n" + "".join(entries))
    terms = [f"<http://example.org/{number}>\t{topic}\n" for number, topic in enumerate(TOPICS)]
    (folder / "terms.tsv").write_text("".join(terms))
    _write_dump(folder / "dump" / "cs.stackexchange.com" / "Posts.xml")
    for split, name in (("train", "scholar"), ("valid", "scholar"), ("test", "kp20k_1000")):
        _write(folder / "data" / split / f"{name}.jsonl", _documents(160 if split == "train" else 20))


def fresh(inputs: Path, folder: Path) -> Path:
    """A copy of the inputs at a place that is always the same, since some outputs name it."""
    shutil.rmtree(folder, ignore_errors=True)
    return shutil.copytree(inputs, folder)


def _documents(count: int) -> list[dict[str, str | list[str]]]:
    """Each has a topic that it never names, and two phrases that it does."""
    return list(_written(count))


def _written(count: int) -> Iterator[dict[str, str | list[str]]]:
    for number in range(count):
        topic = list(TOPICS)[number % len(TOPICS)]
        first, second, third = (TOPICS[topic][(number // 3 + step) % 5] for step in (0, 1, 3))
        body = (
            f"We study the {first} and a {second} in case {number}. The {first} is compared with the {second}, and in "
            f"{number + 7} years with the {third}; nobody knows why."
        )
        yield {"id": str(number), "title": f"On the {first}", "abstract": body, "keywords": [first, second, topic]}


def _correction(number: int) -> dict[str, object]:
    text = f"Note {number}: we study public transport and a bicycle lane. The bicycle lane meets public transport."
    return {"text": text, "rejected": ["bicycle lane"], "added": ["life in cities"]}


def _write(path: Path, records: Sequence[object]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in records))


def _write_dump(path: Path) -> None:
    path.parent.mkdir(parents=True)
    rows = [
        f'<row Id="{number}" PostTypeId="1" Title="Title {number}" Tags="|java|" Body="Body {number}" />\n'
        for number in range(30)
    ]
    path.write_text(f"<posts>\n{''.join(rows)}</posts>\n")
