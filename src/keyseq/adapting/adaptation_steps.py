"""The steps of adaptation: tables, the weight of the background, the ranker; each stores its result."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from keyseq.adapting.adaptation_settings import AdaptationSettings
from keyseq.adapting.background import with_background
from keyseq.adapting.concept_learning import ConceptExample, Subjects, judged_concepts, learn_concepts
from keyseq.adapting.document_split import DocumentSplit
from keyseq.adapting.tagged_corpus import TaggedCorpus
from keyseq.arrays import map_arrays, write_arrays
from keyseq.data.parallel import Track
from keyseq.ranking.candidate_ranker import CandidateRanker
from keyseq.ranking.concept_candidates import ConceptFinder
from keyseq.ranking.concept_features import ConceptWeights
from keyseq.ranking.learning import Learnt, RankingExample, cross_fitted, learn
from keyseq.ranking.recall_weight import JudgedRanking, best_weight
from keyseq.ranking.runs import Flags, Floats
from keyseq.retrieval.counting import RunCounts
from keyseq.retrieval.token_store import Integers, TokenStore
from keyseq.systems.combined import (
    CONCEPTS,
    RANKER,
    CandidateSource,
    CombinedParts,
    LearntConcepts,
    Tables,
    givable,
    read_tables,
    write_tables,
)
from keyseq.systems.neural import NeuralSystem
from keyseq.systems.ranking_examples import drawn_untitled, keyphrases, ranking_examples
from keyseq.systems.table_fitting import fit_tables
from keyseq.systems.work_folder import WorkFolder
from keyseq.text.analyzer import Analyzer

WEIGHTS = (0.0, 0.2, 1.0)  # of the profiles of the system to begin with, that are compared
CHOICE, BETA = "choice.json", "beta.json"


@dataclass(frozen=True)
class HeldOutExample:
    """A training document: its candidates and, with a vocabulary, the concepts among them."""

    ranking: RankingExample
    givable: Flags  # (N,) of its candidates
    concepts: ConceptExample | None


class AdaptationSteps:
    """Fits tables and ranker to a corpus; `start` are the tables of the system to begin with."""

    def __init__(
        self,
        work: WorkFolder,
        corpus: TaggedCorpus,
        settings: AdaptationSettings,
        start: Tables | None,
        network: NeuralSystem | None,
        subjects: Subjects | None,
        track: Track,
    ) -> None:
        self.work, self.corpus, self.track = work, corpus, track
        self.settings = settings
        self.start, self.network, self.subjects, self.analyzer = start, network, subjects, Analyzer.of(settings)
        self.split = DocumentSplit.of(len(corpus.store), len(corpus.sample), settings, corpus.unseen)

    @cached_property
    def weight(self) -> float:
        """The weight of the other system's profiles with which the ranker is best by cross-fitting."""
        if self.start is None or self.start.known.profiles is None:
            return 0.0

        def choose(folder: Path) -> None:
            scores = {weight: self._score(weight) for weight in WEIGHTS}
            (folder / CHOICE).write_text(json.dumps(max(scores, key=lambda one: scores[one])), encoding="utf-8")

        return float(json.loads((self.work.step("weight", choose) / CHOICE).read_text(encoding="utf-8")))

    def measured(self) -> CombinedParts:
        """The system to measure: no part of it was fitted to the test documents."""
        own = self._fold(0) if len(self.split.folds) == 1 else self._tables("untested", self.split.tested)
        return self._parts(own)

    def final(self) -> CombinedParts:
        """The final system: the same ranker, and tables of all documents but the held-out ones."""
        return self._parts(self._tables("all", self.split.kept))

    def _parts(self, own: Tables) -> CombinedParts:
        ranker, weights, beta = self._learnt
        concepts = LearntConcepts(self.subjects.lookup.vocabulary, weights) if self.subjects and weights else None
        return CombinedParts(self._joined(own, self.weight), ranker, self.network, concepts, self.analyzer, beta)

    @cached_property
    def _learnt(self) -> tuple[CandidateRanker, ConceptWeights | None, float]:
        folder = self.work.step("ranker", self._learn)
        weights = ConceptWeights.from_arrays(map_arrays(folder / CONCEPTS)) if self.subjects else None
        beta = float(json.loads((folder / BETA).read_text(encoding="utf-8")))
        return CandidateRanker.from_arrays(map_arrays(folder / RANKER)), weights, beta

    def _learn(self, folder: Path) -> None:
        examples = list(self._examples(self.weight, self.split.ranked))
        learnt = learn([one.ranking for one in examples], self.settings, self.track)
        ranker, judged = learnt.ranker, _judged(examples, learnt)
        if self.subjects is not None:
            concepts = [one.concepts for one in examples if one.concepts]
            present = [one.ranking.sketch.in_text for one in examples]
            weights, ranker = learn_concepts(concepts, learnt, present)
            judged = judged_concepts(concepts, learnt, present, weights, ranker.others)
            write_arrays(folder / CONCEPTS, weights.arrays())
        write_arrays(folder / RANKER, ranker.arrays())
        (folder / BETA).write_text(json.dumps(best_weight(judged)), encoding="utf-8")

    def _score(self, weight: float) -> float:
        """The nDCG of the ranker's first trees by cross-fitting, with this weight."""
        examples = [one.ranking for one in self._examples(weight, self.settings.compared)]
        logits = cross_fitted(examples, replace(self.settings, trees=80, rate=0.12), 2, self.track)
        return float(np.mean([_ndcg(*pair) for pair in zip(logits, examples, strict=True)]))

    def _examples(self, weight: float, count: int) -> Iterator[HeldOutExample]:
        """The first documents, this many, fold by fold."""
        for number, places in enumerate(self.split.folds):
            first = places[: max(0, count)]
            count -= len(first)
            if len(first):
                yield from self._fold_examples(self._joined(self._fold(number), weight), first)

    def _fold_examples(self, tables: Tables, places: Integers) -> Iterator[HeldOutExample]:
        """Without the network for documents that it was trained on: it is better on them than on new ones."""
        seen = self.corpus.seen(places)
        for network, own in ((self.network, places[~seen]), (None, places[seen])):
            if len(own):
                yield from self._found_by(network, tables, own)

    def _found_by(self, network: NeuralSystem | None, tables: Tables, places: Integers) -> Iterator[HeldOutExample]:
        documents = [self.corpus.sample[place] for place in places.tolist()]
        untitled = drawn_untitled(len(documents), self.settings.untitled, self.settings.seed)
        source = CandidateSource(tables.known, network, analyzer=self.analyzer)
        if self.subjects is None:
            for pool, example in ranking_examples(source, documents, untitled, self.track, keyphrases):
                yield HeldOutExample(example, givable(pool), None)
            return
        finder = ConceptFinder(self.subjects.lookup.vocabulary, tables.labels, self.analyzer)
        found = ranking_examples(source, documents, untitled, self.track, self.subjects.names)
        for document, (pool, example) in zip(documents, found, strict=True):
            concepts = self.subjects.concepts(document)
            counted = replace(example, keyphrases=len(concepts))
            yield HeldOutExample(counted, givable(pool), ConceptExample.of(pool, finder, concepts))

    def _fold(self, number: int) -> Tables:
        apart = np.concatenate([self.split.tested, self.split.folds[number]])
        return self._tables(f"fold-{number}", apart)

    def _joined(self, own: Tables, weight: float) -> Tables:
        return with_background(own, self.start, weight, self.settings.retrieved)

    def _tables(self, name: str, apart: Integers) -> Tables:
        """Counts and profiles of all documents but some of the sample."""

        def fit(folder: Path) -> None:
            counted = self._counted.without(self.corpus.numbers[apart])
            settings = self.settings.for_labels(count_labels(counted.store, self.settings.least))
            write_tables(folder, fit_tables(counted, settings, self.track))

        return read_tables(self.work.step(name, fit))

    @cached_property
    def _counted(self) -> RunCounts:
        """The runs of all documents, counted once for all of the tables."""
        return RunCounts.of(self.corpus.store, self.settings.contained, self.track)


def count_labels(store: TokenStore, least: int) -> int:
    """The number of tags that at least this many documents have."""
    return sum(one.documents >= least for one in store.keyphrases)


def _judged(examples: Sequence[HeldOutExample], learnt: Learnt) -> list[JudgedRanking]:
    """The candidates of documents, ranked by trees that were not trained on them."""
    return [
        JudgedRanking(chances[one.givable], one.ranking.gold[one.givable], one.ranking.keyphrases, learnt.ranker.others)
        for chances, one in zip(learnt.held_out, examples, strict=True)
    ]


def _ndcg(logits: Floats, example: RankingExample) -> float:
    """Normalised discounted cumulative gain of a document's candidates: those beyond its list count too."""
    discounts = 1 / np.log2(2 + np.arange(max(len(logits), example.keyphrases)))
    gains = example.gold[np.argsort(-logits, kind="stable")]
    return float(discounts[: len(gains)] @ gains / max(discounts[: example.keyphrases].sum(), 1e-9))
