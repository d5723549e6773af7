"""One process that trains on generated documents and prints how long a step takes: started by `benchmarks.training`."""

import json
import os
import resource
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import count

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.parallel import DistributedDataParallel

from benchmarks.figures import fastest
from benchmarks.plain_seq2seq import PlainSeq2Seq
from keyseq.config import Settings, load_settings
from keyseq.data.batching import Batch, collate, in_slots
from keyseq.data.network_inputs import (
    InputField,
    NetworkInput,
    SourceWindow,
    further_inputs,
    input_fields,
    laid_out,
    source_ids,
)
from keyseq.data.slots import NULL, slot_words, start_words
from keyseq.data.target_fields import label_fields, target_fields
from keyseq.data.vocabulary import DIVIDER, SEP, SPECIALS, Vocabulary
from keyseq.network.decoder import HIDDEN
from keyseq.network.likelihood import log_likelihood
from keyseq.network.losses import further_losses, total_loss
from keyseq.network.recurrence import recurrent
from keyseq.network.seq2seq import Seq2Seq
from keyseq.training.allocator import keep_memory
from keyseq.training.policy_gradient import PolicySteps
from keyseq.training.steps import make_accelerator
from keyseq.types import Document


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What to measure. `documents` are those of one process."""

    plain: bool = False
    packed: bool = True
    settings: str = "catseq"
    overrides: tuple[str, ...] = ()
    documents: int = 64
    threads: int = 1
    steps: int = 5
    parts: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """The fastest step in seconds, of the clock and of the processor; memory in bytes; the loss; seconds by part.

    Processor time hardly changes when others use the machine, so it compares runs that had no machine of their own.
    """

    seconds: float
    processor: float
    memory: float
    loss: float
    parts: dict[str, float] = field(default_factory=dict)


def documents(number: int, words: int, seed: int = 17, settings: Settings | None = None) -> Batch:
    """Documents of 180–250 source words and 20–25 target words, half of them from the source; a few are unknown.

    With `settings`, those of a system: with its inputs, and with single phrases where it has such targets.
    """
    draw = np.random.default_rng(seed)
    sources, targets = [], []
    for _ in range(number):
        source = np.minimum(draw.zipf(1.2, draw.integers(180, 251)) + SEP, words + 3)
        target = np.where(draw.random(24) < 0.5, draw.choice(source, 24), draw.integers(SEP + 1, words, 24))
        if settings and settings.target.present_only:
            target = draw.choice(source, 24)
        target[3::4] = SEP
        sources.append(source)
        targets.append(target[: draw.integers(19, 25)])
    if settings is None:
        return collate(sources, targets, words)
    if settings.target.paradigm == "one2one":
        targets = [target[:3] for target in targets]
    fields = [*input_fields(settings.model), *label_fields(settings.model)]
    slots = slot_words(settings.target)
    vocabulary = Vocabulary.from_words([*(f"w{word}" for word in range(len(SPECIALS), words - len(slots))), *slots])
    inputs = [_input(source, vocabulary, settings, fields) for source in sources]
    if slots:
        return _slots([one.ids for one in inputs], targets, vocabulary, settings)
    batch = collate([one.ids for one in inputs], targets, words, laid_out(inputs, fields))
    numbers = torch.where(batch.target_output < len(SPECIALS), batch.target_output, len(SPECIALS))
    return replace(batch, further={**batch.further, **{one.name: numbers for one in target_fields(settings.model)}})


def _slots(
    sources: Sequence[NDArray[np.int64]],
    targets: Sequence[NDArray[np.int64]],
    vocabulary: Vocabulary,
    settings: Settings,
) -> Batch:
    """A batch in slots, of which the first have the phrases of the targets and the others none."""
    null, count = np.array([vocabulary.id(NULL)]), settings.target.slots
    parts = []
    for target in targets:
        phrases = [phrase[phrase != SEP] for phrase in np.split(target, np.flatnonzero(target == SEP))]
        parts += [*(phrase for phrase in phrases if len(phrase)), *[null] * count][:count]
    is_null = [part is null for part in parts]
    return in_slots(
        collate(sources, parts, len(vocabulary)), is_null, start_words(settings.target, vocabulary), settings.loss
    )


def _input(
    source: NDArray[np.int64], vocabulary: Vocabulary, settings: Settings, fields: list[InputField]
) -> NetworkInput:
    """The input of a document of these words, of which ten are the title and fifteen are retrieved."""
    named = [f"w{number}" for number in source.tolist()]
    keyphrases = (" ".join(named[:3]),)
    document = Document(id="1", title=" ".join(named[:10]), body=" ".join(named[10:]), keyphrases=keyphrases)
    further = further_inputs(SourceWindow(document, named, vocabulary, settings.target, named[:15]), fields)
    return NetworkInput(np.array(source_ids(source.tolist(), fields)), further)


def _rewarded(network: Seq2Seq, batch: Batch, settings: Settings, steps: int) -> Measured:
    """Take steps on rewards; documents of one process."""
    keep_memory()
    vocabulary = Vocabulary.from_words(
        [DIVIDER, *(f"w{number}" for number in range(len(network.embedding.weight) - 6))]
    )
    policy = PolicySteps(network, settings, make_accelerator(settings), vocabulary)
    numbers = count(1)
    return _timed(lambda: policy.take(batch, next(numbers)).loss, steps)


def measure(task: Task) -> Measured:
    """Take steps with dropout, gradients, clipping and Adam, and time them."""
    torch.set_num_threads(task.threads)
    torch.manual_seed(0)
    settings = load_settings(task.settings, task.overrides)
    words = settings.model.vocabulary
    network = Seq2Seq(settings.model, words)
    batch = documents(task.documents, words, seed=17 + int(os.environ.get("RANK", "0")), settings=settings)
    if settings.loss.reward != "none":
        return _rewarded(network, batch, settings, task.steps)
    if task.plain:
        plain = PlainSeq2Seq(network, task.packed)
        return _steps(plain, lambda: plain(batch), task.steps)
    keep_memory()
    if settings.training.precision == "bfloat16":
        network.pointer.precision = torch.bfloat16
    model: nn.Module = (
        DistributedDataParallel(network, gradient_as_bucket_view=True) if "RANK" in os.environ else network
    )
    measured = _steps(model, lambda: _loss(model, batch, settings), task.steps)
    return replace(measured, parts=dict(_parts(network, batch, settings, task.steps))) if task.parts else measured


def _loss(model: nn.Module, batch: Batch, settings: Settings) -> Tensor:
    """The loss with all its terms."""
    output = model(batch, repeats=settings.loss.repetition > 0, losses=further_losses(settings.loss))
    return total_loss(output, batch, settings.loss).total


def _steps(model: nn.Module, loss_of: Callable[[], Tensor], steps: int) -> Measured:
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, fused=True)

    def step() -> float:
        optimizer.zero_grad()
        loss = loss_of()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(model.parameters(), 2.0)
        optimizer.step()
        return loss.item()

    return _timed(step, steps)


def _timed(step: Callable[[], float], steps: int) -> Measured:
    """The fastest of some steps, after two more."""
    loss = step()
    step()
    clocks = []
    for _ in range(steps):
        started = time.perf_counter(), time.process_time()
        step()
        clocks.append((time.perf_counter() - started[0], time.process_time() - started[1]))
    seconds, processor = map(min, zip(*clocks, strict=True))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return Measured(seconds=seconds, processor=processor, memory=memory, loss=loss)


def _parts(network: Seq2Seq, batch: Batch, settings: Settings, repeats: int) -> Iterator[tuple[str, float]]:
    """Seconds of each part of the network by itself, forwards and backwards."""
    network.train()
    decoder, lengths = network.decoder, batch.target_lengths
    with torch.no_grad():
        encoded = network.encode(batch.source, batch.source_lengths)
        memory = network.remember(encoded, batch.source_extended)
        inputs = network.embedding(batch.target_input)
        states, _ = recurrent(decoder.gru, inputs, network.start(encoded)[HIDDEN][:, 0])
    leaves = [part.requires_grad_() for part in (memory.states, memory.keys, encoded.final, inputs, states)]
    rows = int(lengths.sum())
    readout = torch.randn(rows, settings.model.output_size).tanh_().requires_grad_()
    output, gold = network.pointer.vocabulary, torch.randint(network.pointer.vocabulary.out_features, (rows,))
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-3, fused=True)

    def backwards(*tensors: Tensor) -> None:
        torch.autograd.backward(tensors, [torch.ones_like(tensor) for tensor in tensors])

    def encoder() -> None:
        encoded = network.encode(batch.source, batch.source_lengths)
        backwards(encoded.states, network.remember(encoded, batch.source_extended).keys)

    def attention() -> None:
        log_attention = decoder.attention(states, memory, lengths=(lengths, batch.source_lengths))
        backwards(log_attention.exp() @ memory.states, log_attention)

    def update() -> None:
        nn.utils.clip_grad_norm_(network.parameters(), 2.0)
        optimizer.step()

    yield "encoder", fastest(encoder, repeats)
    yield "decoder", fastest(lambda: backwards(recurrent(decoder.gru, inputs, leaves[-1][:, 0])[0]), repeats)
    yield "attention", fastest(attention, repeats)
    yield "output", fastest(lambda: backwards(log_likelihood(readout, output.weight, output.bias, gold)), repeats)
    yield "optimizer", fastest(update, repeats)


def main() -> None:
    """Read a task from the command line, measure it, print what was found."""
    task = Task(**json.loads(sys.argv[1]))
    if "RANK" in os.environ:
        torch.distributed.init_process_group("gloo")
    measured = measure(task)
    if "RANK" in os.environ:
        torch.distributed.destroy_process_group()
    print(json.dumps(asdict(measured)))


if __name__ == "__main__":
    main()
