"""One training step: loss, gradients, clipping, update; equivalent on one process and on several."""

import math
from dataclasses import dataclass
from datetime import timedelta

import numpy as np
import torch
from accelerate import Accelerator
from accelerate.utils import DistributedDataParallelKwargs, InitProcessGroupKwargs
from torch import Tensor, nn
from torch.optim import SGD, Adagrad, Adam, Optimizer

from keyseq.config import LossSettings, Settings, TrainingSettings
from keyseq.config.renamed import earlier_name
from keyseq.data.batching import Batch
from keyseq.errors import KeyseqError
from keyseq.network.losses import further_losses, separators, total_loss
from keyseq.network.seq2seq import Seq2Seq
from keyseq.training.bfloat16 import bfloat16_problem
from keyseq.training.schedule import learning_rate

WAIT = timedelta(hours=6)  # timeout for the process that encodes the corpus or validates longest
TERMS = ("nll", "orthogonal", "semantic", "repetition", "tags", "extractor")  # of the loss
_PRECISIONS = {"float32": "no", "bfloat16": "bf16", "float16": "fp16"}


class NotFiniteError(KeyseqError):
    """A loss or gradient that is NaN or infinite."""


@dataclass(frozen=True, slots=True)
class Terms:
    """Loss terms, gradient norm and learning rate of a step, over all processes."""

    nll: float
    orthogonal: float
    semantic: float
    repetition: float
    tags: float
    extractor: float
    loss: float
    gradient_norm: float
    learning_rate: float


def make_accelerator(settings: Settings) -> Accelerator:
    """The processes and the device of a run, as its launcher set them up."""
    training = settings.training
    on_cpu = not torch.accelerator.is_available()
    if on_cpu:
        _check_precision(training.precision)
    # pieces, or parts of them, that get no gradient unless their loss has a weight
    unused = (settings.model.target_encoder and not settings.loss.semantic) or (
        settings.model.tags and not settings.loss.tags
    )
    unused |= settings.model.titles  # of two decoders, a step trains one
    accelerator = Accelerator(
        cpu=on_cpu,  # otherwise accelerate treats processes without GPUs as independent
        mixed_precision="no" if on_cpu else _PRECISIONS[training.precision],
        kwargs_handlers=[
            # gradients that are views of the communication buckets need no copy
            DistributedDataParallelKwargs(find_unused_parameters=unused, gradient_as_bucket_view=True),
            InitProcessGroupKwargs(timeout=WAIT),
        ],
    )
    if training.threads:
        torch.set_num_threads(training.threads)
    return accelerator


def _check_precision(precision: str) -> None:
    """Reject a precision that training on this processor cannot have."""
    if precision == "float16":
        raise KeyseqError("training.precision=float16 needs a GPU, and there is none; use float32")
    if precision == "bfloat16" and (problem := bfloat16_problem()):
        raise KeyseqError(f"training.precision=bfloat16: {problem}; use float32")


def make_optimizer(network: nn.Module, settings: TrainingSettings) -> Optimizer:
    """The optimizer of the trained weights; the others are frozen."""
    for name, weight in network.named_parameters():
        weight.requires_grad_(any(one.startswith(settings.only) for one in (name, earlier_name(name))))
    trained = [weight for weight in network.parameters() if weight.requires_grad]
    if not trained:
        known = ", ".join(sorted({name.rpartition(".")[0] for name, _ in network.named_parameters()}))
        raise KeyseqError(f"training.only={settings.only}: no weight of this network has that prefix; it has {known}")
    match settings.optimizer:
        case "adam":
            return Adam(trained, settings.learning_rate, fused=True)
        case "adagrad":
            # avoids a large first step; the value of the released configurations
            return Adagrad(trained, settings.learning_rate, initial_accumulator_value=0.1)
    return SGD(trained, settings.learning_rate)


def part_of(batch: Batch, process: int, processes: int) -> Batch:
    """The part of a batch for one process, every n-th row; with too few rows, the first one, which gets weight 0."""
    return batch.rows(slice(process, None, processes) if process < len(batch) else slice(0, 1))


def weights(part: Batch, whole: Batch, settings: LossSettings) -> Tensor:
    """The weight of a part in the mean of each loss term over the whole batch: (6,)."""
    return torch.nan_to_num(_counts(part, settings) / _counts(whole, settings))


def _counts(batch: Batch, settings: LossSettings) -> Tensor:
    """The denominators of the loss terms, words or documents, for orthogonality those with several separators."""
    several = separators(batch, settings).sum(dim=1) > 1
    words = batch.target_lengths.sum()
    return torch.tensor([words, several.sum(), len(batch), words, words, len(batch)], dtype=torch.float32)


class Updates:
    """What all kinds of training steps share. Random numbers depend on (seed, step, process) alone."""

    def __init__(self, network: Seq2Seq, settings: Settings, accelerator: Accelerator) -> None:
        self._settings = settings
        self._accelerator = accelerator
        if settings.training.precision == "bfloat16" and accelerator.device.type == "cpu":
            network.pointer.precision = torch.bfloat16
        self._network, self._optimizer = accelerator.prepare(
            network, make_optimizer(network.to(accelerator.device), settings.training)
        )

    @property
    def optimizer(self) -> Optimizer:
        """The wrapped optimizer, for its state."""
        optimizer: Optimizer = self._optimizer.optimizer
        return optimizer

    def _seed(self, step: int, process: int) -> torch.Generator:
        """Seed dropout, and return the generator for negatives."""
        key = (self._settings.training.seed, step, process)
        dropout, negatives = np.random.SeedSequence(key).generate_state(2, np.uint64).tolist()
        torch.manual_seed(dropout)
        return torch.Generator(self._accelerator.device).manual_seed(negatives)

    def _sum(self, values: Tensor) -> list[float]:
        summed: list[float] = self._accelerator.reduce(values).tolist()
        return summed

    def _update(self, loss: Tensor, rate: float) -> float:
        """Update the weights, and return the gradient norm before clipping."""
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        self._optimizer.zero_grad()
        self._accelerator.backward(loss)
        clip = self._settings.training.clip or math.inf
        norm = float(self._accelerator.clip_grad_norm_(self._network.parameters(), clip))
        if self._accelerator.scaler is None:  # with float16 the scaler skips such steps by design
            check_finite(norm, f"the gradient norm is {norm}")
        self._optimizer.step()
        return norm


class Steps(Updates):
    """Takes training steps on the loss of gold targets."""

    def __init__(self, network: Seq2Seq, settings: Settings, accelerator: Accelerator) -> None:
        super().__init__(network, settings, accelerator)
        self._weights = torch.tensor([1.0, *(getattr(settings.loss, name) for name in TERMS[1:])])

    def take(self, whole: Batch, step: int) -> Terms:
        """Take step 1, 2, … on a batch, of which this process computes its part."""
        return self._take(whole, step, self._settings.loss)

    def take_titles(self, whole: Batch, step: int) -> Terms:
        """The same on a batch whose targets are titles."""
        return self._take(whole, step, LossSettings(), titles=True)

    def _take(self, whole: Batch, step: int, settings: LossSettings, titles: bool = False) -> Terms:
        process, processes = self._accelerator.process_index, self._accelerator.num_processes
        generator = self._seed(step, process)
        part = part_of(whole, process, processes)
        shares = weights(part, whole, settings) if process < len(whole) else torch.zeros(len(TERMS))
        part = part.to(self._accelerator.device)
        repeats = settings.repetition > 0
        output = self._network(part, repeats=repeats, losses=further_losses(settings), titles=titles)
        losses = total_loss(output, part, settings, generator)
        terms = torch.stack([getattr(losses, name) for name in TERMS]) * shares.to(losses.nll.device)
        loss = terms @ self._weights.to(terms.device)
        *summed, total = self._sum(torch.cat([terms.detach(), loss.detach()[None]]))
        named = dict(zip(TERMS, summed, strict=True))
        parts = ", ".join(f"{name} {value:.4g}" for name, value in named.items())
        check_finite(total, f"the loss is {total} ({parts})")
        rate = learning_rate(step, self._settings.training)
        norm = self._update(loss * processes, rate)  # gradients are averaged over processes, the loss is a sum
        return Terms(**named, loss=total, gradient_norm=norm, learning_rate=rate)


def check_finite(value: float, problem: str) -> None:
    """Raise an error with the problem if a value is NaN or infinite."""
    if not math.isfinite(value):
        raise NotFiniteError(problem)
