"""Batches of documents of similar length, with extended ids for copying.

Batching is stateless: the batches of an epoch are a function of (seed, epoch), so that a run can resume anywhere.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from keyseq.config import LossSettings, Settings
from keyseq.data.batch_dropping import PhraseDropping, left_over
from keyseq.data.corpus import EncodedCorpus, Ids
from keyseq.data.examples import ABSENT, ordered, sampled_phrases
from keyseq.data.network_inputs import NetworkInput, input_fields, laid_out
from keyseq.data.slots import NULL, slot_phrases, start_words
from keyseq.data.target_fields import divided, label_fields, target_fields
from keyseq.data.vocabulary import BOS, DIVIDER, EOS, PAD, SEP, UNK
from keyseq.errors import KeyseqError

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
    output = _ended(targets)
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


def _ended(targets: Sequence[AnyIds]) -> NDArray[np.int64]:
    """Targets as one array, each followed by EOS."""
    lengths = np.array([len(target) for target in targets]) + 1
    output = _padded(targets, lengths)
    output[np.arange(len(targets)), lengths - 1] = EOS
    return output


def in_slots(batch: Batch, is_null: Sequence[bool], starts: Sequence[int], settings: LossSettings) -> Batch:
    """A batch of one target per slot as (B, slots, T), each beginning with its control code.

    Its further inputs `empty` (B, slots) tell which slots have no phrase, and `weights` what each counts in the loss.
    """
    slots = len(starts)
    given = batch.target_input.view(-1, slots, batch.target_input.shape[1]).clone()
    given[:, :, 0] = torch.tensor(starts)
    empty = torch.tensor(is_null).view(-1, slots)
    null_weights = torch.tensor([settings.null_present, settings.null_absent]).repeat_interleave(slots // 2)
    return replace(
        batch,
        target_input=given,
        target_output=batch.target_output.view(given.shape),
        target_lengths=batch.target_lengths.view(-1, slots),
        further={**batch.further, "empty": empty, "weights": torch.where(empty, null_weights, 1.0)},
    )


class Batches:
    """A corpus as batches: `plan(epoch)` assigns examples to batches, `batch` builds one."""

    def __init__(self, corpus: EncodedCorpus, settings: Settings) -> None:
        self.corpus = corpus
        self._fields = [*input_fields(settings.model), *label_fields(settings.model)]
        self._of_targets = target_fields(settings.model)
        self._target = settings.target
        self._training = settings.training
        self._loss = settings.loss
        self._starts = start_words(settings.target, corpus.vocabulary)
        self._divider = corpus.vocabulary.divider if settings.target.divided else None
        if settings.target.divided and self._divider is None:
            raise KeyseqError(
                f"target.divided needs {DIVIDER} in the vocabulary, which this network was trained without;"
                " start from a network with divided targets, or train a new one"
            )
        counts = corpus.phrase_counts()
        if settings.target.paradigm == "one2one":
            self._document = np.repeat(np.arange(len(corpus)), counts)
            self._phrase = np.arange(len(self._document)) - np.repeat(np.cumsum(counts) - counts, counts)
        else:
            self._document = self._phrase = np.arange(len(corpus))
        self._dropping = PhraseDropping(corpus.vocabulary, settings.target) if settings.target.drop else None
        self._whole = (
            len(self._document) if settings.target.drop_variant == "append" else 0
        )  # examples kept as they are
        if self._dropping and self._whole:
            self._document = np.tile(self._document, 2)
            self._phrase = np.tile(self._phrase, 2)

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
        """Build a batch of these examples, with the sources and targets of an epoch."""
        read = [self._read(number, epoch) for number in examples.tolist()]
        inputs = [one.input for one in read]
        further = laid_out(inputs, self._fields)
        if self._target.paradigm == "one2set":
            return self._in_slots(read, further)
        for learnt in self._of_targets:
            further[learnt.name] = _ended([one.numbers(learnt.name) for one in read])
        targets = [one.target(None if self._target.paradigm == "one2one" else self._divider) for one in read]
        return collate([one.ids for one in inputs], targets, len(self.corpus.vocabulary), further)

    def _in_slots(self, read: Sequence["_Read"], further: Mapping[str, NDArray[Any]]) -> Batch:
        null = np.array([self.corpus.vocabulary.id(NULL)], dtype=np.uint32)
        slots = [(one, chosen) for one in read for chosen in one.chosen]
        targets = [one.phrases[chosen] if chosen >= 0 else null for one, chosen in slots]
        batch = collate([one.input.ids for one in read], targets, len(self.corpus.vocabulary), further)
        return in_slots(batch, [chosen < 0 for _, chosen in slots], self._starts, self._loss)

    def _read(self, example: int, epoch: int) -> "_Read":
        """An example in an epoch."""
        document = int(self._document[example])
        key = (self._training.seed, epoch, document)
        given, phrases = self.corpus.input(document), self.corpus.targets(document)
        positions = self.corpus.positions(document)
        if self._dropping and example >= self._whole:
            lengths = [len(phrase) for phrase in phrases]
            places, positions = self._dropping.places(given.ids, lengths, positions, key)
            given = left_over(given, places, self._fields)
        if self._target.paradigm == "one2one":
            return _Read(given, phrases, positions, [int(self._phrase[example])])
        if self._target.paradigm == "one2set":
            return _Read(given, phrases, positions, slot_phrases(positions, self._target, key))
        order = ordered(positions, self._target) if self._dropping else np.arange(len(positions))
        chosen = order[sampled_phrases(positions[order], self._target, key)].tolist()
        return _Read(given, phrases, positions, chosen)


class _Read(NamedTuple):
    """What the network reads of an example, its phrases, and those of the target by number, -1 for an empty slot."""

    input: NetworkInput
    phrases: list[Ids]
    positions: NDArray[np.int32]
    chosen: list[int]

    def target(self, divider: int | None) -> Ids:
        """The target ids."""
        return joined([self.phrases[number] for number in self.chosen], self.positions[self.chosen], divider)

    def numbers(self, name: str) -> Ids:
        """The numbers of the words of the target, as a further field of targets has them."""
        parts = divided(self.input.further[name], self.phrases)
        return _chained([parts[number] for number in self.chosen])


def joined(phrases: Sequence[AnyIds], positions: NDArray[np.int32], divider: int | None = None) -> Ids:
    """Phrases as one sequence, joined by separators; with a `divider`, that stands between present and absent ones."""
    if divider is None:
        return _chained(phrases)
    present = [phrase for phrase, position in zip(phrases, positions, strict=True) if position != ABSENT]
    absent = [phrase for phrase, position in zip(phrases, positions, strict=True) if position == ABSENT]
    return np.concatenate([_chained(present), np.array([divider], dtype=np.uint32), _chained(absent)])


def _chained(phrases: Sequence[AnyIds]) -> Ids:
    pieces = [part for phrase in phrases for part in (_SEPARATOR, phrase.astype(np.uint32))]
    return np.concatenate(pieces[1:]) if pieces else _SEPARATOR[:0]


_SEPARATOR = np.array([SEP], dtype=np.uint32)
