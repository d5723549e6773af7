"""The decoder's hidden states while it generates the phrases of documents (section 5.2 of the paper)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import torch
from numpy.typing import NDArray

from keyseq.data.batching import AnyIds, collate, joined
from keyseq.data.examples import Dropped, example
from keyseq.data.network_inputs import NetworkInput, SourceWindow, input_fields, laid_out, network_input
from keyseq.data.parallel import Track, chunked
from keyseq.data.vocabulary import SEP, SPECIALS
from keyseq.decoding.policies import POLICIES
from keyseq.decoding.search import search
from keyseq.network.storage import Stored
from keyseq.runtime.torch import torch_stepper
from keyseq.text.tokenize import words
from keyseq.types import Document

BATCH = 32
GREEDY = POLICIES["greedy"]["one2seq"]
SEPARATOR = SPECIALS[SEP]

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Trace:
    """The words that a decoder generated for a document, `</s>` last, and the state h_d that emitted each."""

    words: tuple[str, ...]
    states: Floats  # (T, H)

    def phrases(self) -> list[tuple[str, ...]]:
        """The phrases as generated, repetitions included."""
        ends = [-1, *(place for place, word in enumerate(self.words) if word == SEPARATOR), len(self.words) - 1]
        generated = (self.words[before + 1 : end] for before, end in pairwise(ends))
        return [phrase for phrase in generated if phrase]


@dataclass(frozen=True, slots=True)
class Sample:
    """States (N, H) and the word that each of them emits."""

    states: Floats
    words: tuple[str, ...]

    def of(self, chosen: Iterable[str]) -> "Sample":
        """Only the states that emit one of these words."""
        wanted = set(chosen)
        places = [place for place, word in enumerate(self.words) if word in wanted]
        return Sample(self.states[places], tuple(self.words[place] for place in places))


def as_decoded(stored: Stored, documents: Sequence[Document], track: Track) -> Iterator[Trace]:
    """Decode greedily, so that each state depends on what the network itself generated before."""
    target, vocabulary = stored.settings.target, stored.vocabulary
    sources = ((document, words(document.text, target.tokenizer)[: target.source_words]) for document in documents)
    readable = [SourceWindow(document, source, vocabulary, target) for document, source in sources if source]
    stepper = torch_stepper(stored.network)
    chunks = -(-len(readable) // BATCH)
    for chunk in track(chunked(readable, BATCH), "decoder states", chunks):
        pairs = [network_input(window, stepper.fields) for window in chunk]
        found = [hypothesis for [hypothesis] in search(stepper, [source for source, _ in pairs], GREEDY)]
        traces = _traces(stored, pairs, [hypothesis.tokens for hypothesis in found])
        for trace, hypothesis in zip(traces, found, strict=True):
            # a truncated sequence has no `</s>`
            yield trace if hypothesis.finished else Trace(trace.words[:-1], trace.states[:-1])


def as_taught(stored: Stored, documents: Sequence[Document], track: Track) -> Iterator[Trace]:
    """Teacher forcing on the gold phrases, as in training, where the orthogonal penalty is defined (equation 3)."""
    target, vocabulary = stored.settings.target, stored.vocabulary
    examples = [made for document in documents if (made := example(document, target, Dropped())) is not None]
    stored.network.eval()
    fields = input_fields(stored.settings.model)
    for chunk in track(chunked(examples, BATCH), "separator states", -(-len(examples) // BATCH)):
        pairs = [network_input(SourceWindow(made.document, made.source, vocabulary, target), fields) for made in chunk]
        targets = []
        for made, (_, unknown) in zip(chunk, pairs, strict=True):
            chosen = made.targets[: target.phrases or None]
            phrases = [np.array(vocabulary.target_ids(phrase.words, unknown)) for phrase in chosen]
            positions = np.array([phrase.position for phrase in chosen])
            targets.append(joined(phrases, positions, vocabulary.divider if target.divided else None))
        yield from _traces(stored, pairs, targets)


def _traces(
    stored: Stored, sources: Sequence[tuple[NetworkInput, Mapping[str, int]]], targets: Sequence[AnyIds]
) -> Iterator[Trace]:
    inputs, unknown = [source for source, _ in sources], [list(words) for _, words in sources]
    further = laid_out(inputs, input_fields(stored.settings.model))
    batch = collate([one.ids for one in inputs], targets, len(stored.vocabulary), further)
    with torch.inference_mode():
        states = stored.network(batch).states.float().cpu().numpy()
    known = stored.vocabulary.words
    for row, length in enumerate(batch.target_lengths.tolist()):
        ids = batch.target_output[row, :length].tolist()
        generated = tuple(known[number] if number < len(known) else unknown[row][number - len(known)] for number in ids)
        yield Trace(generated, states[row, :length])


def after_separator(traces: Iterable[Trace], steps: int) -> Sample:
    """The states `steps` steps after the previous separator; they may emit a separator again."""
    states: list[Floats] = []
    emitted: list[str] = []
    for trace in traces:
        last = None
        for place, word in enumerate(trace.words):
            if last is not None and place - last == steps:
                states.append(trace.states[place])
                emitted.append(word)
            if word == SEPARATOR:
                last = place
    return Sample(np.array(states, dtype=np.float32), tuple(emitted))


def sampled(sample: Sample, size: int, seed: int) -> Sample:
    """A random sample of `size` states, or all if there are fewer."""
    if len(sample.words) <= size:
        return sample
    chosen = np.sort(np.random.default_rng(seed).choice(len(sample.words), size, replace=False))
    return Sample(sample.states[chosen], tuple(sample.words[place] for place in chosen.tolist()))


def separator_states(trace: Trace) -> Floats:
    """The states of a document that emit a separator, (n, H)."""
    return trace.states[[place for place, word in enumerate(trace.words) if word == SEPARATOR]]
