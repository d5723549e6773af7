"""An encoded corpus on disk: examples as word ids in a memory-mapped Arrow file.

Source and target ids are extended: a word outside the vocabulary of V words has the id V + its number among such words
of its document, so that a batch needs no strings.
"""

import bisect
import itertools
import json
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from keyseq.config import Settings
from keyseq.data.examples import Example
from keyseq.data.network_inputs import InputField, NetworkInput, SourceWindow, further_inputs, input_fields, source_ids
from keyseq.data.target_fields import TargetField, label_fields, target_fields
from keyseq.data.vocabulary import Vocabulary
from keyseq.errors import DataError

Ids = NDArray[np.uint32]

COLUMNS = [
    ("source", pa.list_(pa.uint32())),
    ("targets", pa.list_(pa.list_(pa.uint32()))),
    ("positions", pa.list_(pa.int32())),
]
DOCUMENTS, VOCABULARY, REPORT = "documents.arrow", "vocabulary.txt", "corpus.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusReport:
    """The number of documents in the corpus, and of those dropped by reason."""

    documents: int = 0
    source_words: int = 0
    phrases: int = 0
    dropped_documents: dict[str, int] = field(default_factory=dict)
    dropped_phrases: dict[str, int] = field(default_factory=dict)
    skipped_records: int = 0

    def __str__(self) -> str:
        dropped = [f"{count:,} with {reason}" for reason, count in self.dropped_documents.items()]
        left_out = [f"{count:,} {reason}" for reason, count in self.dropped_phrases.items()]
        return (
            f"{self.documents:,} documents, {self.phrases:,} keyphrases"
            f" (left out: {'; '.join(dropped) or 'no document'}; keyphrases: {', '.join(left_out) or 'none'})"
        )


def schema(settings: Settings) -> pa.Schema:
    """The columns of a corpus: source, targets, stored further inputs, and what is stored of targets."""
    inputs = [*input_fields(settings.model), *label_fields(settings.model)]
    stored: list[InputField | TargetField] = [one for one in inputs if one.read]
    stored += target_fields(settings.model)
    further = [(one.name, pa.list_(pa.from_numpy_dtype(np.dtype(one.stored)))) for one in stored]
    return pa.schema([*COLUMNS, *further])


def encode(
    examples: Sequence[Example], vocabulary: Vocabulary, settings: Settings, untitled: float = 0.0
) -> pa.RecordBatch:
    """Encode examples as ids, with the further inputs of a network with these settings.

    The share `untitled` of the documents, always the same ones, loses the title as an input, but not in the source.
    """
    fields = [*input_fields(settings.model), *label_fields(settings.model)]
    of_targets = target_fields(settings.model)
    rows = []
    for example in examples:
        document = example.document
        if untitled and zlib.crc32(document.text.encode()) < untitled * 2**32:
            document = replace(document, title="")
        window = SourceWindow(document, example.source, vocabulary, settings.target, example.retrieved)
        learnt = {one.name: np.array(one.read(example, settings.target), dtype=one.stored) for one in of_targets}
        rows.append(_row(example, vocabulary, fields) | further_inputs(window, fields) | learnt)
    return pa.RecordBatch.from_pylist(rows, schema(settings))


def _row(example: Example, vocabulary: Vocabulary, fields: Sequence[InputField]) -> dict[str, Any]:
    source, unknown = vocabulary.source_ids(example.source)
    return {
        "source": source_ids(source, fields),
        "targets": [vocabulary.target_ids(target.words, unknown) for target in example.targets],
        "positions": [target.position for target in example.targets],
    }


@dataclass(frozen=True, slots=True)
class _EncodedPart:
    """One record batch as flat arrays: row i's source is `source[source_at[i]:source_at[i + 1]]`, and so on."""

    source: Ids
    source_at: NDArray[np.int32]
    targets: Ids
    target_at: NDArray[np.int32]
    phrase_at: NDArray[np.int32]
    positions: NDArray[np.int32]
    further: dict[str, tuple[NDArray[Any], NDArray[np.int32]]]  # values, and offsets of rows

    @classmethod
    def of(cls, batch: pa.RecordBatch) -> "_EncodedPart":
        source, targets, positions, *further = batch.columns
        lists = dict(zip(batch.schema.names[len(COLUMNS) :], further, strict=True))
        phrases = targets.values
        return cls(
            source.values.to_numpy(),
            source.offsets.to_numpy(),
            phrases.values.to_numpy(),
            phrases.offsets.to_numpy(),
            targets.offsets.to_numpy(),
            positions.values.to_numpy(),
            {name: (column.values.to_numpy(), column.offsets.to_numpy()) for name, column in lists.items()},
        )


class EncodedCorpus:
    """Encoded documents, memory-mapped when opened from a folder."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        batches: Iterable[pa.RecordBatch],
        report: CorpusReport | None = None,
        name: str = "",
    ) -> None:
        self.name = name
        self.vocabulary = vocabulary
        self.report = report or CorpusReport()
        self._parts = [_EncodedPart.of(batch) for batch in batches]
        sizes = [len(part.source_at) - 1 for part in self._parts]
        self._starts = np.cumsum([0, *sizes]).tolist()

    @classmethod
    def open(cls, folder: Path) -> "EncodedCorpus":
        """Memory-map a prepared folder."""
        vocabulary = Vocabulary.load(folder / VOCABULARY)
        try:
            report = CorpusReport(**json.loads((folder / REPORT).read_text(encoding="utf-8")))
            file = pa.ipc.open_file(pa.memory_map(str(folder / DOCUMENTS)))
            batches = [file.get_batch(number) for number in range(file.num_record_batches)]
        except (OSError, ValueError, TypeError, RecursionError) as error:  # Arrow's errors are ValueErrors
            raise DataError(f"{folder}: damaged corpus ({error}); delete this folder to build it again") from None
        return cls(vocabulary, batches, report, folder.name)

    def __len__(self) -> int:
        return int(self._starts[-1])

    def source(self, document: int) -> Ids:
        """The extended ids of a document's source words."""
        part, row = self._locate(document)
        return part.source[part.source_at[row] : part.source_at[row + 1]]

    def input(self, document: int) -> NetworkInput:
        """What a network reads of a document."""
        part, row = self._locate(document)
        further = {name: values[at[row] : at[row + 1]] for name, (values, at) in part.further.items()}
        return NetworkInput(self.source(document), further)

    def targets(self, document: int) -> list[Ids]:
        """The extended ids of a document's keyphrases."""
        part, row = self._locate(document)
        at = part.target_at[part.phrase_at[row] : part.phrase_at[row + 1] + 1].tolist()
        return [part.targets[start:end] for start, end in itertools.pairwise(at)]

    def positions(self, document: int) -> NDArray[np.int32]:
        """Where a document's keyphrases first occur in its source."""
        part, row = self._locate(document)
        return part.positions[part.phrase_at[row] : part.phrase_at[row + 1]]

    def source_lengths(self) -> NDArray[np.int32]:
        """The number of source words of each document."""
        return np.concatenate([np.diff(part.source_at) for part in self._parts])

    def phrase_counts(self) -> NDArray[np.int32]:
        """The number of keyphrases of each document."""
        return np.concatenate([np.diff(part.phrase_at) for part in self._parts])

    def _locate(self, document: int) -> tuple[_EncodedPart, int]:
        number = bisect.bisect_right(self._starts, document) - 1
        return self._parts[number], document - self._starts[number]
