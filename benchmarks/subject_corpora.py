"""Documents with subjects, written as keyseq and Annif read them; the vocabulary is the subjects of training."""

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from keyseq.data.datasets import data_folder
from keyseq.data.formats import read_documents
from keyseq.errors import DataError
from keyseq.files import make_folder, write_whole
from keyseq.types import Document

DRAWN = 300  # documents of training that validate, where a corpus has no validation part
SEED = 1


@dataclass(frozen=True)
class Source:
    """Where the parts of a corpus are in the data folder, and its language."""

    title: str
    language: str
    parts: dict[str, str]


SOURCES = {
    "questions": Source(
        "Questions of Stack Exchange with their tags",
        "en",
        {"train": "train/questions.jsonl.xz", "valid": "valid/questions.jsonl", "test": "test/questions.jsonl"},
    ),
    "finnish": Source(
        "Finnish questions to librarians with subjects of a thesaurus",
        "fi",
        {"train": "languages/fi/train.jsonl.xz", "test": "languages/fi/test.jsonl"},
    ),
}


@dataclass(frozen=True)
class SubjectCorpus:
    """A corpus to learn from and a part to measure on, with the URIs of the subjects of training."""

    name: str
    source: Source
    train: Sequence[Document]
    measured: Sequence[Document]
    uris: dict[str, str]

    @classmethod
    def read(cls, name: str, data: Path | None, part: str) -> "SubjectCorpus":
        """Read the training part and `part`; a validation part that is not there is drawn from training."""
        source, folder = SOURCES[name], data_folder(data)
        if folder is None:
            raise DataError("no data: name the folder of the corpora with --data or KEYSEQ_DATA")
        train = list(read_documents(folder / source.parts["train"]))
        if part in source.parts:
            measured = list(read_documents(folder / source.parts[part]))
        else:
            random.Random(SEED).shuffle(train)
            measured, train = train[:DRAWN], train[DRAWN:]
        labels = sorted({label for document in train for label in document.keyphrases or ()})
        uris = {label: f"http://example.org/{name}/{number}" for number, label in enumerate(labels, start=1)}
        return cls(name, source, train, measured, uris)

    def write(self, folder: Path) -> None:
        """Write `train`, `measured` and `one`, a single document, as .jsonl and .tsv, and the vocabulary."""
        make_folder(folder)
        with write_whole(folder / "vocabulary.tsv") as file:
            file.writelines(f"<{uri}>\t{label}\n" for label, uri in self.uris.items())
        for name, documents in {"train": self.train, "measured": self.measured, "one": self.measured[:1]}.items():
            with write_whole(folder / f"{name}.jsonl") as file:
                file.writelines(f"{json.dumps(self._record(one), ensure_ascii=False)}\n" for one in documents)
            with write_whole(folder / f"{name}.tsv") as file:
                file.writelines(self._row(one) for one in documents)

    def subjects(self, document: Document) -> list[str]:
        """The labels of a document's subjects, those alone that training has: Annif knows no others."""
        return [label for label in dict.fromkeys(document.keyphrases or ()) if label in self.uris]

    def _record(self, one: Document) -> dict[str, object]:
        labels = self.subjects(one)
        return {
            "id": one.id,
            "title": one.title,
            "abstract": one.body,
            "keywords": labels,
            "subjects": [self.uris[label] for label in labels],
        }

    def _row(self, one: Document) -> str:
        text = " ".join(f"{one.title} {one.body}".split())
        return f"{text}\t{' '.join(f'<{self.uris[label]}>' for label in self.subjects(one))}\n"
