"""Train the combined systems of the package again: `scholar` from its corpora, `news` as a ranker over `general`.

python -m benchmarks.shipped scholar --data DIR --corpora CLEAN --out scholar
python -m benchmarks.shipped scholar --data DIR --corpora CLEAN --out ranker --tables scholar   # the ranker alone
python -m benchmarks.shipped news --data DIR --out news

CLEAN has the training parts, cleaned: `keyseq data clean DIR/train/scholar.jsonl.xz --out CLEAN/scholar.jsonl --against
DIR/test --against DIR/valid`, and likewise elife and papers-misc.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from keyseq.cli.console import track
from keyseq.data.formats import read_documents
from keyseq.errors import KeyseqError
from keyseq.files import write_whole
from keyseq.systems.combined_training import train_combined
from keyseq.systems.training_job import ProgressDisplay, TrainingJob
from keyseq.types import Document

SETTINGS = {
    "scholar": (
        "support=140",
        "weights=46",
        "growth=0.5",
        "prior=0.05",
        "retrieved=200",
        "scattered=80",
        "trees=300",
        "rate=0.05",
        "columns=0.4",
        "leaf=100",
        "l2=10",
        "most_rows=1500000",
        "untitled=0.1",
    ),
    # without profiles and network: on the validation part of news, present F1@O is 26.8 without and 24.0 with them
    "news": ("tables=general", "retrieved=0", "trees=100", "rate=0.06", "leaf=80"),
}
TABLES = {"scholar": ("scholar", "elife"), "news": ()}
NETWORK = {"scholar": "scholar-network", "news": "none"}


@dataclass(frozen=True)
class Part:
    """The first documents of a file that a ranker learns from, whole or with keyphrases of several words alone."""

    path: str  # of DIR, or, after "clean/", of CLEAN
    count: int | None = None
    several_words: bool = False

    def documents(self, data: Path, corpora: Path | None) -> Iterator[Document]:
        """The documents with keyphrases."""
        folder, name = (
            (corpora or data, self.path.removeprefix("clean/")) if "clean/" in self.path else (data, self.path)
        )
        [path] = folder.glob(f"{name}.jsonl*")
        return islice((one for one in map(self._chosen, read_documents(path)) if one.keyphrases), self.count)

    def _chosen(self, document: Document) -> Document:
        if not self.several_words:
            return document
        phrases = tuple(phrase for phrase in document.keyphrases or () if len(phrase.split()) > 1)
        return Document(id=document.id, title=document.title, body=document.body, keyphrases=phrases)


# Few of inspec: its indexers name nearly every noun phrase, which costs the authors' keywords elsewhere a point or two
RANKED: dict[str, Sequence[Part]] = {
    "scholar": (
        Part("valid/scholar"),
        Part("valid/kp20k_1000"),
        Part("valid/krapivin"),
        Part("valid/semeval"),
        Part("valid/inspec", 120),
        Part("clean/papers-misc", 2_000),
    ),
    "news": (
        Part("train/news", several_words=True),
        Part("valid/news", several_words=True),
        Part("valid/inspec", 200, several_words=True),
    ),
}


def main() -> None:
    """Write what the ranker learns from beside the output, and train."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("system", choices=sorted(SETTINGS))
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--corpora", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--tables", help="a system whose counts and profiles are kept: only a ranker is learnt")
    options = parser.parse_args()
    valid = options.out.with_name(f"{options.out.name}-ranked.jsonl")
    try:
        with write_whole(valid) as file:
            for part in RANKED[options.system]:
                for document in part.documents(options.data, options.corpora):
                    file.write(json.dumps(_record(document), ensure_ascii=False) + "\n")
        job = TrainingJob(
            system="combined",
            train=[options.corpora / f"{name}.jsonl" for name in TABLES[options.system] if not options.tables],
            valid=valid,
            out=options.out,
            overrides=[f"combined.{setting}" for setting in _settings(options.system, options.tables)],
            options={"network": NETWORK[options.system]},
            progress=ProgressDisplay(track=track, note=print),
        )
        train_combined(job)
    except KeyseqError as error:
        sys.exit(str(error))


def _settings(system: str, tables: str | None) -> list[str]:
    return [*SETTINGS[system], *([f"tables={tables}"] if tables else [])]


def _record(document: Document) -> dict[str, object]:
    return {
        "id": document.id,
        "title": document.title,
        "abstract": document.body,
        "keywords": list(document.keyphrases or ()),
    }


if __name__ == "__main__":
    main()
