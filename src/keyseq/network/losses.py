"""The loss functions of training (equations 2–4)."""

from dataclasses import dataclass

import torch
from torch import Tensor

from keyseq.config import LossSettings
from keyseq.data.batching import Batch
from keyseq.data.vocabulary import EOS, PAD, SEP
from keyseq.network.seq2seq import Output

PIECES = ("tags", "extractor")  # the settings of pieces that have losses, and of their weights


@dataclass(frozen=True, slots=True)
class Losses:
    """The terms of the loss of a batch, as scalars; a term of weight 0 is not computed and 0."""

    nll: Tensor
    orthogonal: Tensor
    semantic: Tensor
    repetition: Tensor
    tags: Tensor
    extractor: Tensor
    total: Tensor


def total_loss(
    output: Output, batch: Batch, settings: LossSettings, generator: torch.Generator | None = None
) -> Losses:
    """L = L_NLL + λ_OR · L_OR + λ_SC · L_SC (equation 4), L_NLL being the mean over target words.

    Not in the paper: λ_R · L_R, the unlikelihood of repeats. `generator` draws the negatives.
    """
    words = (batch.target_output != PAD).sum().clamp(min=1)
    nll = -output.log_likelihood.sum() / words
    orthogonal = semantic = repetition = nll.new_zeros(())
    if settings.orthogonal:
        squared = settings.orthogonal_norm == "squared"
        orthogonal = orthogonal_penalty(output.states, separators(batch, settings), squared)
    if settings.semantic and output.scores is not None:
        semantic = contrastive_loss(output.scores, settings.negatives, generator)
    if settings.repetition and output.repeats is not None:
        repetition = unlikelihood(output.repeats) / words
    tags, extractor = (output.further.get(name, nll.new_zeros(())) for name in PIECES)
    weighted = settings.orthogonal * orthogonal + settings.semantic * semantic + settings.repetition * repetition
    weighted = weighted + settings.tags * tags + settings.extractor * extractor
    return Losses(nll, orthogonal, semantic, repetition, tags, extractor, nll + weighted)


def further_losses(settings: LossSettings) -> list[str]:
    """The pieces with losses of their own, of non-zero weight."""
    return [name for name in PIECES if getattr(settings, name)]


def separators(batch: Batch, settings: LossSettings) -> Tensor:
    """The mask (B, T) of states that emit a separator, as the settings define it."""
    emitted = batch.target_output == SEP
    return emitted | (batch.target_output == EOS) if settings.orthogonal_states == "separators+end" else emitted


def orthogonal_penalty(states: Tensor, separators: Tensor, squared: bool = False) -> Tensor:
    """Orthogonal regularisation of the states that emit separators: ‖HᵀH ⊙ (1 − I)‖₂ (equation 3).

    `states` is (B, T, H), `separators` (B, T). The mean is over documents with at least two separators. `squared`
    is the variant of the released code, ‖…‖² / (n(n − 1)).
    """
    chosen = states * separators[:, :, None]  # a zero state is orthogonal to all
    products = chosen @ chosen.transpose(1, 2)  # (B, T, T)
    squares = products.square().sum(dim=(1, 2)) - products.diagonal(dim1=1, dim2=2).square().sum(dim=1)
    counts = separators.sum(dim=1)
    several = counts > 1
    if squared:
        penalties = squares / (counts * (counts - 1)).clamp(min=1)
    else:
        # the gradient of the root at zero is infinite; the subgradient of the norm there is zero
        positive = squares > 0
        penalties = torch.where(positive, squares, 1).sqrt() * positive
    return (penalties * several).sum() / several.sum().clamp(min=1)


def unlikelihood(log_probabilities: Tensor) -> Tensor:
    """Unlikelihood loss: −Σ log(1 − p) of words that should not be generated (Welleck et al., 2020)."""
    certain = 1 - torch.finfo(log_probabilities.dtype).eps
    return -torch.log1p(-log_probabilities.exp().clamp(max=certain)).sum()


def contrastive_loss(scores: Tensor, negatives: int, generator: torch.Generator | None = None) -> Tensor:
    """−log g(true) / Σ g over the true source and `negatives` others of the batch (equation 2), mean over documents.

    `scores` (B targets, B sources) are log g. With fewer other sources, all are used; the loss of a batch of one is 0.
    """
    others = min(negatives, len(scores) - 1)
    order = torch.rand(scores.shape, generator=generator, device=scores.device)
    order.fill_diagonal_(-1)  # the true source is always drawn, and first
    drawn = order.argsort(dim=1)[:, : others + 1]
    return -scores.gather(1, drawn).log_softmax(dim=1)[:, 0].mean()
