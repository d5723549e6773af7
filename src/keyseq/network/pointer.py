"""The pointer softmax: a word is generated from the vocabulary or copied from the source (equations 11–13)."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn.functional import logsigmoid

from keyseq.config import ModelSettings
from keyseq.data.batching import Batch
from keyseq.data.vocabulary import BOS, PAD, SEP, UNK
from keyseq.network.attention import lowest
from keyseq.network.likelihood import log_likelihood
from keyseq.network.piece import Decoded
from keyseq.network.products import Projection

NEVER = -1e4  # a logit whose probability is 0


@dataclass(frozen=True, slots=True)
class Likelihood:
    """The log-likelihood of the gold words, and of repeated first words of phrases."""

    words: Tensor  # (B, T), log p of the gold words, 0 at padding
    repeats: Tensor | None  # (N,), log p of repeating the first word of an earlier phrase; None if not requested


class Pointer(nn.Module):
    """p(y) = s · p_a(y) + (1 − s) · p_x(y) (equation 12) over the vocabulary extended by the words of the source.

    With a smaller output vocabulary, only its words can be generated; the others can only be copied.
    """

    def __init__(self, settings: ModelSettings, words: int) -> None:
        super().__init__()
        self.words = words
        self.vocabulary = nn.Linear(settings.output_size, settings.generable(words))
        self.switch = make_switch(settings)
        self.precision = torch.float32  # of the products over the vocabulary in training

    def forward(self, decoded: Decoded, source_extended: Tensor, size: int) -> Tensor:
        """log p over an extended vocabulary of `size` words (D, N, size), −∞ for words that cannot be produced."""
        return self.probabilities(decoded, source_extended, size).log()

    def probabilities(self, decoded: Decoded, source_extended: Tensor, size: int) -> Tensor:
        """p over an extended vocabulary of `size` words (D, N, size); most are 0, of which logarithms are slow."""
        switch = self.switch(decoded)[:, :, None]
        generated = logsigmoid(switch) + self.vocabulary(decoded.readout).log_softmax(dim=-1)
        copied = (logsigmoid(-switch) + decoded.log_copying).exp()
        words = source_extended[:, None].expand_as(copied)
        probabilities = copied.new_zeros(*copied.shape[:2], size).scatter_add(2, words, copied)
        probabilities[:, :, : generated.shape[2]] += generated.exp()
        return probabilities

    def likelihood(
        self, decoded: Decoded, batch: Batch, repeats: bool = False, switch: nn.Module | None = None
    ) -> Likelihood:
        """log p of every gold word (B, T), 0 at padding, and of repeated first words if `repeats`.

        Another decoder can have its own `switch`. A gold word that can be neither generated nor copied counts as UNK,
        which can only be generated.
        """
        rows, steps = (batch.target_output != PAD).nonzero(as_tuple=True)  # (N,) of B × T
        gold = batch.target_output[rows, steps]
        matches = batch.source_extended[rows] == gold[:, None]  # (N, S)
        generable = gold < self.vocabulary.out_features
        readout, output = decoded.readout[rows, steps], self.vocabulary
        known = gold.where(generable, UNK)
        log_generated = log_likelihood(
            readout, output.weight, output.bias, known, self.precision if self.training else None
        )
        generated = log_generated.masked_fill(~generable & matches.any(dim=-1), lowest(log_generated))
        copied = _log_copied(decoded.log_copying[rows, steps], matches)
        switches = (switch or self.switch)(decoded)
        likelihoods = mixed(generated, copied, switches[rows, steps])
        empty = likelihoods.new_zeros(batch.target_output.shape)
        words = empty.index_put((rows, steps), likelihoods)
        if not repeats:
            return Likelihood(words, None)
        normalizer = (readout * output.weight[known]).sum(dim=1) + output.bias[known] - log_generated
        return Likelihood(words, self._repeats(decoded, batch, switches, empty.index_put((rows, steps), normalizer)))

    def _repeats(self, decoded: Decoded, batch: Batch, switch: Tensor, normalizer: Tensor) -> Tensor:
        """log p (N,) of repeating the first word of an earlier phrase; `normalizer` (B, T) is the vocabulary's."""
        rows, steps, earlier = repeated_beginnings(batch).nonzero(as_tuple=True)
        words = batch.target_output[rows, earlier]
        generable = words < self.vocabulary.out_features
        known = words.where(generable, UNK)
        logits = (decoded.readout[rows, steps] * self.vocabulary.weight[known]).sum(dim=1) + self.vocabulary.bias[known]
        generated = (logits - normalizer[rows, steps]).masked_fill(~generable, lowest(logits))
        copied = _log_copied(decoded.log_copying[rows, steps], batch.source_extended[rows] == words[:, None])
        return mixed(generated, copied, switch[rows, steps])


class Switch(nn.Module):
    """s = L₅^σ(tanh(L₆(Σ α h_e) + L₇(h_d))), here its logit (equation 13)."""

    def __init__(self, settings: ModelSettings) -> None:
        super().__init__()
        self.context = Projection(settings.memory_size, settings.switch_size)
        self.state = Projection(settings.hidden_size, settings.switch_size, bias=False)  # one bias for the sum
        self.squash = nn.Linear(settings.switch_size, 1)

    def forward(self, decoded: Decoded) -> Tensor:
        """The logit (B, T) of generating rather than copying."""
        logit: Tensor = self.squash(torch.tanh(self.context(decoded.context) + self.state(decoded.dropped)))
        return logit[..., 0]


class ReadoutSwitch(nn.Module):
    """The switch of the released code, one layer over the readout."""

    def __init__(self, settings: ModelSettings) -> None:
        super().__init__()
        self.squash = nn.Linear(settings.output_size, 1)

    def forward(self, decoded: Decoded) -> Tensor:
        """The logit (B, T) of generating rather than copying."""
        logit: Tensor = self.squash(decoded.readout)
        return logit[..., 0]


def repeated_beginnings(batch: Batch) -> Tensor:
    """The mask (B, T, T) of pairs of steps that begin a phrase, the second earlier and with another gold word."""
    begins = (batch.target_input == BOS) | (batch.target_input == SEP)
    words = batch.target_output
    earlier = torch.ones(words.shape[1], words.shape[1], dtype=torch.bool, device=words.device).tril(diagonal=-1)
    pairs = begins[:, :, None] & begins[:, None, :] & earlier
    return pairs & (words[:, :, None] != words[:, None, :]) & (words != UNK)[:, None, :]


def _log_copied(log_attention: Tensor, matches: Tensor) -> Tensor:
    """log p_x (N,): the attention (N, S) summed over all positions of a word."""
    return log_attention.masked_fill(~matches, lowest(log_attention)).logsumexp(dim=-1)


class CopyingOnly(nn.Module):
    """A switch that never generates a word."""

    def forward(self, decoded: Decoded) -> Tensor:
        """The logit (B, T), the same for all."""
        return torch.full_like(decoded.readout[..., 0], NEVER)


def make_switch(settings: ModelSettings) -> nn.Module:
    """The switch that settings name."""
    if settings.pointer_only:
        return CopyingOnly()
    return Switch(settings) if settings.switch == "context" else ReadoutSwitch(settings)


def mixed(log_generated: Tensor, log_copied: Tensor, switch: Tensor) -> Tensor:
    """log(s · p_a + (1 − s) · p_x) computed in log space (equation 12)."""
    return torch.logaddexp(logsigmoid(switch) + log_generated, logsigmoid(-switch) + log_copied)
