"""Validation during training: the loss, and the scores of greedy decoding."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from statistics import fmean

import numpy as np
import torch
from accelerate import Accelerator
from accelerate.utils import gather_object

from keyseq.config import Settings
from keyseq.data.batching import Batches, joined
from keyseq.data.corpus import EncodedCorpus, encode
from keyseq.data.examples import Dropped, example
from keyseq.data.preparation import ExampleMaker
from keyseq.data.slots import NULL, start_words
from keyseq.data.vocabulary import SEP, Vocabulary
from keyseq.decoding.policies import POLICIES
from keyseq.decoding.search import search
from keyseq.errors import DataError
from keyseq.evaluation import evaluate
from keyseq.network.seq2seq import Seq2Seq
from keyseq.runtime.torch import torch_stepper
from keyseq.training.rewards import Rewards
from keyseq.types import Document

BATCH = 32
LOSS_WEIGHT = 1e-3  # small against differences of scores
REWARD = "reward"  # the name of the mean reward among the scores
METRICS = ("present.f1@o", "present.f1@m", "absent.f1@o", "absent.f1@m", "all.f1@m")


class Validation:
    """Validation documents, encoded once and scored repeatedly."""

    def __init__(
        self, documents: Sequence[Document], settings: Settings, vocabulary: Vocabulary, make: ExampleMaker = example
    ) -> None:
        self._paradigm = settings.target.paradigm
        pairs = [(document, make(document, settings.target, Dropped())) for document in documents]
        self._documents = [document for document, made in pairs if made is not None]
        if not self._documents:
            raise DataError("no document to validate on: none has a usable keyphrase")
        examples = [made for _, made in pairs if made is not None]
        self._unknown = [list(vocabulary.source_ids(made.source)[1]) for made in examples]
        self._corpus = EncodedCorpus(vocabulary, [encode(examples, vocabulary, settings)])
        whole = replace(settings, target=replace(settings.target, drop=0.0))
        self._batches = Batches(self._corpus, whole)
        starts, separators = start_words(settings.target, vocabulary), vocabulary.separators
        self._policy = replace(POLICIES["greedy"][self._paradigm], starts=starts, separators=separators)
        self._rewards = Rewards(vocabulary, settings.target) if settings.loss.reward != "none" else None

    def __call__(self, network: Seq2Seq, accelerator: Accelerator) -> dict[str, float]:
        """The loss and, unless one2one, the scores of greedy decoding; equal on every process."""
        network.eval()
        with torch.inference_mode():
            values = {"loss": self._loss(network, accelerator)}
            if self._paradigm != "one2one":
                generated = self._generated(network, accelerator)
                values |= self._scores([self._phrases(number, ids) for number, ids in enumerate(generated)])
                values |= self._reward(generated)
        network.train()
        return values

    def _loss(self, network: Seq2Seq, accelerator: Accelerator) -> float:
        """The mean negative log-likelihood per target word."""
        total = torch.zeros(2, device=accelerator.device)
        for members in self._batches.plan(0)[accelerator.process_index :: accelerator.num_processes]:
            batch = self._batches.batch(members, 0).to(accelerator.device)
            total += torch.stack([-network(batch).log_likelihood.sum(), batch.target_lengths.sum()])
        loss, words = accelerator.reduce(total).tolist()
        return float(loss / words)

    def _generated(self, network: Seq2Seq, accelerator: Accelerator) -> list[list[int]]:
        """The ids of each document's sequence by greedy decoding, distributed over the processes."""
        stepper = torch_stepper(network)
        by_length = np.argsort(self._corpus.source_lengths(), kind="stable")
        batches = np.split(by_length, range(BATCH, len(by_length), BATCH))
        generated: list[tuple[int, list[int]]] = []
        for members in batches[accelerator.process_index :: accelerator.num_processes]:
            sources = [self._corpus.input(number) for number in members.tolist()]
            for number, found in zip(members, search(stepper, sources, self._policy), strict=True):
                parts = [[SEP, *hypothesis.tokens.tolist()] for hypothesis in found]
                generated.append((number, list(chain.from_iterable(parts))[1:]))
        return [ids for _, ids in sorted(gather_object(generated))]

    def _phrases(self, document: int, ids: Sequence[int]) -> list[str]:
        vocabulary, unknown = self._corpus.vocabulary, self._unknown[document]
        phrases: list[list[str]] = [[]]
        for number in ids:
            if number in self._policy.separators:
                phrases.append([])
            else:
                known = number < len(vocabulary)
                phrases[-1].append(vocabulary.words[number] if known else unknown[number - len(vocabulary)])
        return [" ".join(phrase) for phrase in phrases if phrase != [NULL]]

    def _reward(self, generated: Sequence[Sequence[int]]) -> dict[str, float]:
        """The mean reward of both parts, for a network that is trained on it."""
        if self._rewards is None:
            return {}
        earned = []
        for number, ids in enumerate(generated):
            gold = joined(self._corpus.targets(number), self._corpus.positions(number), self._rewards.divider)
            earned.append(sum(self._rewards(ids, gold.tolist())))
        return {REWARD: fmean(earned)}

    def _scores(self, phrases: Sequence[Sequence[str]]) -> dict[str, float]:
        scores = evaluate(self._documents, phrases, metrics=METRICS, processes=1)
        values = {name: scores.aggregate(name) for name in METRICS}
        return {name: value for name, value in values.items() if not math.isnan(value)}  # no document has such phrases


def selection(values: Mapping[str, float], fine_tunes: bool = False) -> float:
    """The score that selects the best checkpoint: present F1@O, as in the paper.

    It is absent F1@O if no document has a present phrase, and the negative loss for one2one, where a single greedy
    phrase is hardly indicative of the many of a beam. Fine-tuning selects by F1@M over all phrases, to which every
    document of a small validation part contributes; between equals, as while no phrase is right yet, the loss decides.
    """
    if REWARD in values:  # what the network is trained on
        return values[REWARD]
    if fine_tunes and "all.f1@m" in values:
        return values["all.f1@m"] - LOSS_WEIGHT * values["loss"]
    return values.get("present.f1@o", values.get("absent.f1@o", -values["loss"]))
