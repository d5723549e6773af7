"""The corpora of an experiment: the paper's if available, otherwise substitutes, and subsets of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from keyseq.data.datasets import find
from keyseq.data.formats import read_documents, write_documents
from keyseq.errors import KeyseqError
from keyseq.experiments.budget import BATCH, FEWEST_TESTED
from keyseq.experiments.workspace import MissingPartError, Workspace, content, key
from keyseq.types import Document

# Substitutes for corpora of the paper that are not available; every report names them
STAND_INS = {
    "kp20k": {"train": "scholar", "valid": "kp20k_1000", "test": "kp20k_1000"},
    "stackex": {"train": "questions", "valid": "questions", "test": "questions"},
}


@dataclass(frozen=True, slots=True)
class LocatedCorpus:
    """A corpus file: its name, and the corpus of the paper that it is or substitutes."""

    name: str
    wanted: str
    path: Path

    @property
    def told(self) -> list[str]:
        """A sentence that names the substituted corpus, if any."""
        if self.name == self.wanted:
            return []
        return [f"{self.wanted} is not available: {self.name} is used instead, so differences reflect other documents."]

    def documents(self, first: int | None = None) -> list[Document]:
        """Its documents, or the first `first` of them."""
        return list(islice(read_documents(self.path), first))


@dataclass(frozen=True, slots=True)
class Training:
    """A training corpus, and the validation set that selects the best checkpoint."""

    train: LocatedCorpus
    valid: LocatedCorpus


def locate(wanted: str, split: str, data: Path | None) -> LocatedCorpus:
    """Find a corpus, or its substitute."""
    for name in (wanted, STAND_INS.get(wanted, {}).get(split)):
        try:
            if name is not None:
                return LocatedCorpus(name, wanted, find(name, split, data))
        except KeyseqError:
            continue
    raise MissingPartError(f"no data: {split}/{wanted}.jsonl")


def training(wanted: str, workspace: Workspace) -> Training:
    """Find a training corpus and its validation set; at a small scale, its first documents."""
    train = locate(wanted, "train", workspace.data)
    try:
        valid = LocatedCorpus(train.name, wanted, find(train.name, "valid", workspace.data))
    except KeyseqError:
        raise MissingPartError(f"no data: valid/{train.name}.jsonl") from None
    if not workspace.scale.is_whole:
        train = beginning(train, workspace.scale.steps * BATCH, workspace)
    return Training(train, valid)


def held_out(wanted: str, workspace: Workspace, first: int | None = None) -> LocatedCorpus:
    """Find a test set, or its first documents; at a small scale, fewer of them."""
    corpus = locate(wanted, "test", workspace.data)
    if workspace.scale.is_whole and first is None:
        return corpus
    size = sum(1 for _ in islice(read_documents(corpus.path), first))
    return beginning(corpus, workspace.scale.of(size, FEWEST_TESTED), workspace)


def beginning(corpus: LocatedCorpus, size: int, workspace: Workspace) -> LocatedCorpus:
    """The first documents of a corpus as a separate file, written once."""
    name = f"{corpus.name}-{size}-{key(content(corpus.path), corpus.path.suffixes)}.jsonl"
    path = workspace.folder("samples") / name
    if not path.is_file():
        write_documents(islice(read_documents(corpus.path), size), path)
    return LocatedCorpus(corpus.name, corpus.wanted, path)


def digest(documents: Sequence[Document]) -> str:
    """A digest of everything that a system reads of the documents."""
    return key([[document.id, document.title, document.body] for document in documents])
