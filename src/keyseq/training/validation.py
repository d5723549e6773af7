"""How good a network is in the middle of training: its loss, and the phrases it says greedily.

The greedy decoder here is a batched one in torch, for validation alone; `keyseq.decoding` searches in earnest.
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np
import torch
from accelerate import Accelerator
from accelerate.utils import gather_object

from keyseq.config import Settings
from keyseq.data.batching import Batch, Batches, collate
from keyseq.data.corpus import Corpus, encode
from keyseq.data.examples import Dropped, example
from keyseq.data.vocabulary import BOS, EOS, PAD, SEP, UNK, Vocabulary
from keyseq.errors import DataError
from keyseq.evaluation import evaluate
from keyseq.network.pointer import log_probabilities
from keyseq.network.seq2seq import Seq2Seq
from keyseq.types import Document

BATCH = 32
LONGEST = 40  # words of a sequence, as in the paper's decoding
METRICS = ("present.f1@o", "present.f1@m", "absent.f1@o", "absent.f1@m")


class Validation:
    """Documents with keyphrases, encoded once, decoded and scored again and again."""

    def __init__(self, documents: Sequence[Document], settings: Settings, vocabulary: Vocabulary) -> None:
        self._says_sequences = settings.target.paradigm == "one2seq"
        pairs = [(document, example(document, settings.target, Dropped())) for document in documents]
        self._documents = [document for document, made in pairs if made is not None]
        if not self._documents:
            raise DataError("no document to validate on: none has a usable keyphrase")
        examples = [made for _, made in pairs if made is not None]
        self._unknown = [list(vocabulary.source_ids(made.source)[1]) for made in examples]
        self._corpus = Corpus(vocabulary, [encode(examples, vocabulary)])
        self._batches = Batches(self._corpus, settings)

    def __call__(self, network: Seq2Seq, accelerator: Accelerator) -> dict[str, float]:
        """The loss, and for sequences of phrases the scores of what the network says; the same on every process."""
        network.eval()
        with torch.inference_mode():
            values = {"loss": self._loss(network, accelerator)}
            if self._says_sequences:
                values |= self._scores(self._say(network, accelerator))
        network.train()
        return values

    def _loss(self, network: Seq2Seq, accelerator: Accelerator) -> float:
        """The mean negative log-likelihood of a target word."""
        total = torch.zeros(2, device=accelerator.device)
        for members in self._batches.plan(0)[accelerator.process_index :: accelerator.num_processes]:
            batch = self._batches.batch(members, 0).to(accelerator.device)
            total += torch.stack([-network(batch).log_likelihood.sum(), batch.target_lengths.sum()])
        loss, words = accelerator.reduce(total).tolist()
        return float(loss / words)

    def _say(self, network: Seq2Seq, accelerator: Accelerator) -> list[list[str]]:
        """The phrases of each document, greedily decoded; each process says its share."""
        by_length = np.argsort(self._corpus.source_lengths(), kind="stable")
        batches = np.split(by_length, range(BATCH, len(by_length), BATCH))
        said: list[tuple[int, list[str]]] = []
        for members in batches[accelerator.process_index :: accelerator.num_processes]:
            sources = [self._corpus.source(number) for number in members.tolist()]
            nothing = [np.array([], dtype=np.uint32)] * len(members)
            batch = collate(sources, nothing, len(self._corpus.vocabulary)).to(accelerator.device)
            sequences = greedy(network, batch, len(self._corpus.vocabulary))
            said += [(number, self._phrases(number, ids)) for number, ids in zip(members, sequences, strict=True)]
        return [phrases for _, phrases in sorted(gather_object(said))]

    def _phrases(self, document: int, ids: Sequence[int]) -> list[str]:
        vocabulary, unknown = self._corpus.vocabulary, self._unknown[document]
        phrases: list[list[str]] = [[]]
        for number in ids:
            if number == SEP:
                phrases.append([])
            else:
                known = number < len(vocabulary)
                phrases[-1].append(vocabulary.words[number] if known else unknown[number - len(vocabulary)])
        return [" ".join(phrase) for phrase in phrases]

    def _scores(self, phrases: Sequence[Sequence[str]]) -> dict[str, float]:
        scores = evaluate(self._documents, phrases, metrics=METRICS, processes=1)
        values = {name: scores.aggregate(name) for name in METRICS}
        return {name: value for name, value in values.items() if not math.isnan(value)}  # no document has such phrases


def selection(values: Mapping[str, float]) -> float:
    """The number that the best checkpoint has most of: present F1@O, as in the paper.

    Absent F1@O where no document has a present phrase, and less loss where phrases are learnt one by one, since one
    greedy phrase a document says little about the many that a beam gives.
    """
    return values.get("present.f1@o", values.get("absent.f1@o", -values["loss"]))


def greedy(network: Seq2Seq, batch: Batch, words: int) -> list[list[int]]:
    """The most probable next word again and again, in extended ids, without `</s>`; rows that end leave the batch."""
    size = max(words, int(batch.source_extended.max()) + 1)
    extended = batch.source_extended
    memory = network.encode(batch.source, batch.source_lengths, extended)
    state = network.start(memory)
    tokens = torch.full_like(batch.source_lengths, BOS)
    said = torch.full((len(batch), LONGEST), EOS, device=tokens.device)
    rows = torch.arange(len(batch), device=tokens.device)
    for place in range(LONGEST):
        choice, state = network.step(tokens, state, memory)
        scores = log_probabilities(choice, extended, size)
        scores[:, [PAD, UNK, BOS]] = -math.inf
        said[rows, place] = tokens = scores.argmax(dim=1)
        going = (tokens != EOS).nonzero()[:, 0]
        if not len(going):
            break
        if len(going) < len(rows):
            rows, tokens, extended = rows[going], tokens[going], extended[going]
            state, memory = state.select(going), memory.select(going)
    return [row[: row.index(EOS)] if EOS in row else row for row in said.tolist()]
