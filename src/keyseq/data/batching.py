"""Batches of documents of similar length, with extended ids for copying.

Batching is stateless: the batches of an epoch are a function of (seed, epoch), so that a run can resume anywhere.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from keyseq.config import Settings
from keyseq.data.corpus import EncodedCorpus, Ids
from keyseq.data.examples import sampled_phrases
from keyseq.data.network_inputs import input_fields, laid_out
from keyseq.data.vocabulary import BOS, EOS, PAD, SEP, UNK

AnyIds = NDArray[np.uint32] | NDArray[np.int64]

POOL = 100  # batches per pool of documents sorted by length: larger pools have less padding and less shuffling


@dataclass(frozen=True, slots=True)
class Batch:
    """A padded batch: B examples, S source words, T target words, V words in the vocabulary."""

    source: Tensor  # (B, S) int64; a word outside the vocabulary is UNK
    source_extended: Tensor  # (B, S) int64; a word outside the vocabulary is V + its number within the document
    source_lengths: Tensor  # (B,) int64
    target_input: Tensor  # (B, T) int64, beginning with BOS; a word outside the vocabulary is UNK
    target_output: Tensor  # (B, T) int64, extended, ending with EOS; a word in neither vocabulary nor source is UNK
    target_lengths: Tensor  # (B,) int64
    further: Mapping[str, Tensor] = field(default_factory=dict)  # (B, …) further inputs of the network, by name

    def __len__(self) -> int:
        return len(self.source)

    def to(self, device: torch.device | str) -> "Batch":
        """The same batch on a device."""
        return self._each(lambda tensor: tensor.to(device, non_blocking=True))

    def rows(self, chosen: slice) -> "Batch":
        """Some of the examples, with the same padding."""
        return self._each(lambda tensor: tensor[chosen])

    def _each(self, change: Callable[[Tensor], Tensor]) -> "Batch":
        parts = {one.name: getattr(self, one.name) for one in fields(self) if one.name != "further"}
        further = {name: change(tensor) for name, tensor in self.further.items()}
        return Batch(**{name: change(tensor) for name, tensor in parts.items()}, further=further)


def collate(
    sources: Sequence[AnyIds],
    targets: Sequence[AnyIds],
    vocabulary_size: int,
    further: Mapping[str, NDArray[Any]] | None = None,
) -> Batch:
    """Pad examples of extended ids to a batch; `targets` have no BOS and EOS, `further` inputs are arrays already."""
    source_lengths = np.array([len(source) for source in sources])
    target_lengths = np.array([len(target) for target in targets]) + 1
    source = _padded(sources, source_lengths)
    output = _padded(targets, target_lengths)
    output[np.arange(len(targets)), target_lengths - 1] = EOS
    given = np.empty_like(output)
    given[:, 0] = BOS
    given[:, 1:] = np.where(output[:, :-1] == EOS, PAD, output[:, :-1])
    return Batch(
        source=torch.from_numpy(np.where(source < vocabulary_size, source, UNK)),
        source_extended=torch.from_numpy(source),
        source_lengths=torch.from_numpy(source_lengths),
        target_input=torch.from_numpy(np.where(given < vocabulary_size, given, UNK)),
        target_output=torch.from_numpy(output),
        target_lengths=torch.from_numpy(target_lengths),
        further={name: torch.from_numpy(array) for name, array in (further or {}).items()},
    )


def _padded(rows: Sequence[AnyIds], lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Rows as one array, padded to the longest length."""
    table = np.full((len(rows), lengths.max()), PAD, dtype=np.int64)
    filled = np.arange(table.shape[1]) < np.array([len(row) for row in rows])[:, None]
    table[filled] = np.concatenate(rows)
    return table


class Batches:
    """A corpus as batches: `plan(epoch)` assigns examples to batches, `batch` builds one."""

    def __init__(self, corpus: EncodedCorpus, settings: Settings) -> None:
        self.corpus = corpus
        self._fields = input_fields(settings.model)
        self._target = settings.target
        self._training = settings.training
        counts = corpus.phrase_counts()
        if settings.target.paradigm == "one2one":
            self._document = np.repeat(np.arange(len(corpus)), counts)
            self._phrase = np.arange(len(self._document)) - np.repeat(np.cumsum(counts) - counts, counts)
        else:
            self._document = np.arange(len(corpus))

    def __len__(self) -> int:
        """The number of examples: documents, or phrases under one2one."""
        return len(self._document)

    @cached_property
    def _lengths(self) -> NDArray[np.int32]:
        return self.corpus.source_lengths()[self._document]

    def plan(self, epoch: int) -> list[NDArray[np.int64]]:
        """The examples of each batch of an epoch: shuffled, sorted by length within pools, split, batches shuffled."""
        generator = np.random.default_rng((self._training.seed, epoch))
        order = generator.permutation(len(self))
        pool = POOL * self._typical_size()
        batches = []
        for start in range(0, len(order), pool):
            members = order[start : start + pool]
            members = members[np.argsort(self._lengths[members], kind="stable")]
            batches += self._cut(members)
        return [batches[number] for number in generator.permutation(len(batches))]

    def _typical_size(self) -> int:
        if not self._training.batch_tokens:
            return self._training.batch_size
        return max(1, int(self._training.batch_tokens / self._lengths.mean()))

    def _cut(self, members: NDArray[np.int64]) -> list[NDArray[np.int64]]:
        """Split examples sorted by length into batches by number of examples, or of padded source words."""
        if not self._training.batch_tokens:
            return np.split(members, range(self._training.batch_size, len(members), self._training.batch_size))
        cuts, start = [], 0
        for place, length in enumerate(self._lengths[members].tolist()):
            if place > start and (place + 1 - start) * length > self._training.batch_tokens:
                cuts.append(place)
                start = place
        return np.split(members, cuts)

    def batch(self, examples: NDArray[np.int64], epoch: int) -> Batch:
        """Build a batch of these examples, with the targets of an epoch."""
        numbers = examples.tolist()
        inputs = [self.corpus.input(self._document[number]) for number in numbers]
        targets = [self._target_ids(number, epoch) for number in numbers]
        further = laid_out(inputs, self._fields)
        return collate([one.ids for one in inputs], targets, len(self.corpus.vocabulary), further)

    def _target_ids(self, example: int, epoch: int) -> Ids:
        """The target ids of an example, phrases joined by SEP."""
        document = int(self._document[example])
        targets = self.corpus.targets(document)
        if self._target.paradigm == "one2one":
            return targets[int(self._phrase[example])]
        key = (self._training.seed, epoch, document)
        pieces: list[Ids] = []
        for number in sampled_phrases(self.corpus.positions(document), self._target, key):
            pieces += (_SEPARATOR, targets[number])
        return np.concatenate(pieces[1:])


_SEPARATOR = np.array([SEP], dtype=np.uint32)
