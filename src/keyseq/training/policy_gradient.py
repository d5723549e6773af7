"""Self-critical training on a reward: drawn sequences that earn more than the greedy ones become more probable.

After Rennie et al. (2017) and, with rewards of two parts, Chan et al. (2019).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from accelerate import Accelerator
from numpy.typing import NDArray
from torch import Tensor

from keyseq.config import Settings
from keyseq.data.batching import Batch
from keyseq.data.vocabulary import BOS, EOS, PAD, UNK, Vocabulary
from keyseq.network.decoder import Carried
from keyseq.network.seq2seq import Seq2Seq
from keyseq.training.rewards import Reward, Rewards
from keyseq.training.schedule import learning_rate
from keyseq.training.steps import Updates, check_finite, part_of


@dataclass(frozen=True, slots=True)
class PolicyTerms:
    """The loss and the mean rewards of a step, over all processes: of drawn sequences by part, and of greedy ones."""

    loss: float
    reward: float
    present_reward: float
    absent_reward: float
    greedy_reward: float
    drawn_words: float
    gradient_norm: float
    learning_rate: float


class PolicySteps(Updates):
    """Takes training steps on a reward; dropout is off, so that sequences are scored as they were drawn."""

    def __init__(self, network: Seq2Seq, settings: Settings, accelerator: Accelerator, vocabulary: Vocabulary) -> None:
        super().__init__(network, settings, accelerator)
        self._rewards, self._words = Rewards(vocabulary, settings.target), len(vocabulary)

    def take(self, whole: Batch, step: int) -> PolicyTerms:
        """Take step 1, 2, … on a batch, of which this process computes its part."""
        process, processes = self._accelerator.process_index, self._accelerator.num_processes
        self._seed(step, process)
        part = part_of(whole, process, processes).to(self._accelerator.device)
        share = float(process < len(whole))  # 0 for a process without documents of its own
        self._network.eval()
        drawn, greedy = generated(self._accelerator.unwrap_model(self._network), part, self._settings.loss.reward_words)
        returns, earned, usual = self._returns(drawn, greedy, part)
        [words] = self._sum(share * (drawn != PAD).sum()[None])
        likelihood = self._network(as_targets(part, drawn, self._words)).log_likelihood
        self._network.train()
        loss = -share * (likelihood * returns[:, : likelihood.shape[1]]).sum() / words
        sums = torch.tensor([[*one, sum(other)] for one, other in zip(earned, usual, strict=True)]).sum(dim=0)
        total, present, absent, before = self._sum(torch.cat([loss.detach()[None], share * sums.to(loss) / len(whole)]))
        check_finite(total, f"the loss is {total} (mean reward {present + absent:.4g})")
        rate = learning_rate(step, self._settings.training)
        norm = self._update(loss * processes, rate)  # gradients are averaged over processes, the loss is a sum
        return PolicyTerms(
            loss=total,
            reward=present + absent,
            present_reward=present,
            absent_reward=absent,
            greedy_reward=before,
            drawn_words=words / len(whole),
            gradient_norm=norm,
            learning_rate=rate,
        )

    def _returns(self, drawn: Tensor, greedy: Tensor, part: Batch) -> tuple[Tensor, list[Reward], list[Reward]]:
        """The returns (B, T) of the drawn words, and the rewards of drawn and of greedy sequences."""
        gold = list(map(_words, part.target_output.tolist()))
        rows = list(map(_words, drawn.tolist()))
        earned = [self._rewards(mine, wanted) for mine, wanted in zip(rows, gold, strict=True)]
        usual = [self._rewards(_words(mine), wanted) for mine, wanted in zip(greedy.tolist(), gold, strict=True)]
        table = np.zeros(drawn.shape, dtype=np.float32)
        for row, mine, reward, baseline in zip(table, rows, earned, usual, strict=True):
            row[: len(mine)] = returns_of(mine, reward, baseline, self._rewards.divider)
        return torch.from_numpy(table).to(drawn.device), earned, usual


def returns_of(words: Sequence[int], reward: Reward, baseline: Reward, divider: int | None) -> NDArray[np.float32]:
    """The return of each word: what is earned from it on, beyond the `baseline`.

    The present part is earned at the first divider, the absent part at the end; without a divider both at the end.
    """
    end = next((place for place, word in enumerate(words) if word == divider), len(words) - 1)
    found = np.full(len(words), reward.absent - baseline.absent, dtype=np.float32)
    found[: end + 1] += reward.present - baseline.present
    return found


@torch.no_grad()
def generated(network: Seq2Seq, batch: Batch, longest: int) -> tuple[Tensor, Tensor]:
    """A drawn and a greedy sequence of each document, (B, T) extended ids with `</s>`, then padding."""
    encoded = network.encode(batch.source, batch.source_lengths, batch.further)
    memory, start = network.remember(encoded, batch.source_extended), network.start(encoded)
    state: Carried = {name: torch.cat([part, part], dim=1) for name, part in start.items()}  # as two hypotheses
    size = max(network.embedding.num_embeddings, int(batch.source_extended.max()) + 1)
    chosen = batch.source.new_full((len(batch), 2), BOS)
    ended, sequences = torch.zeros_like(chosen, dtype=torch.bool), []
    for _ in range(longest):
        decoded, state = network.step(chosen, state, memory)
        chances = network.pointer.probabilities(decoded, batch.source_extended, size)
        chances[:, :, [PAD, UNK, BOS]] = 0
        pair = torch.stack([drawn_words(chances[:, 0]), chances[:, 1].argmax(dim=-1)], dim=1)
        chosen = pair.masked_fill(ended, PAD)
        sequences.append(chosen)
        ended |= chosen == EOS
        if ended.all():
            break
    both = torch.stack(sequences, dim=2)
    return both[:, 0], both[:, 1]


def drawn_words(chances: Tensor) -> Tensor:
    """A word (B,) of each distribution (B, words), which need not add up to 1.

    `torch.multinomial` takes a random number for each word; ours takes one for each distribution.
    """
    below = chances.double().cumsum(dim=-1)
    lots = torch.rand(len(chances), 1, dtype=below.dtype, device=below.device) * below[:, -1:]
    return torch.searchsorted(below, lots, right=True)[:, 0]


def as_targets(batch: Batch, sequences: Tensor, words: int) -> Batch:
    """The batch with these sequences (B, T) in place of its targets, for a vocabulary of `words`."""
    lengths = (sequences != PAD).sum(dim=1)
    sequences = sequences[:, : int(lengths.max())]
    read = torch.where(sequences < words, sequences, UNK).masked_fill(sequences == EOS, PAD)
    begun = torch.cat([torch.full_like(read[:, :1], BOS), read[:, :-1]], dim=1)
    return replace(batch, target_input=begun, target_output=sequences, target_lengths=lengths)


def _words(row: Sequence[int]) -> list[int]:
    return [word for word in row if word != PAD]
