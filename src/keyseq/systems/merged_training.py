"""Training of merged systems: the scorer is fitted to documents that the network was not trained on."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import chain, islice
from typing import Any, Literal

import numpy as np

from keyseq.arrays import write_arrays
from keyseq.config.fields import check, setting
from keyseq.config.single import overridden, to_toml
from keyseq.data.formats import read_documents
from keyseq.data.parallel import chunked
from keyseq.errors import DataError, KeyseqError
from keyseq.files import make_folder, write_whole_folder
from keyseq.ranking.phrase_scorer import FEATURES, PhraseScorer
from keyseq.systems.hub import CARD
from keyseq.systems.merged import (
    MARK,
    NETWORK,
    SCORER,
    MergeCandidates,
    MergedSettings,
    MergedSystem,
    ScorerName,
    StoredMerge,
)
from keyseq.systems.neural import NeuralSystem
from keyseq.systems.training_job import TrainingJob, TrainingOutcome
from keyseq.text.presence import phrase_stems
from keyseq.types import Document
from keyseq.version import __version__

READ = 32  # documents at a time


@dataclass(frozen=True, kw_only=True)
class MergeTrainingSettings:
    """The settings of a combined system that is merged as published."""

    merge: Literal["published"] = setting("published", "how candidates are merged: as published for KG-KE-KR-M")
    scorer: ScorerName = setting("logistic", "scorer of phrases, by which their scores are multiplied, or none")
    sample: int = setting(1_000, "maximum documents for the scorer", least=1)

    def __post_init__(self) -> None:
        check("combined", self)


def train_merged(job: TrainingJob) -> TrainingOutcome:
    """Merge what a network generates, extracts and retrieves; the scorer is learnt from the documents of --train.

    The new folder contains the network, and is written whole or not at all.
    """
    settings = overridden("combined", MergeTrainingSettings, job.overrides)
    network, skipped = _network(job), list[str]()
    make_folder(job.out.parent)
    with write_whole_folder(job.out) as partial:
        scorer, count = None, 0
        if settings.scorer != "none":
            system = MergedSystem(job.out.name, network, None, MergedSettings())
            documents = list(islice(_documents(job, skipped if job.skip_bad else None), settings.sample))
            scorer, count = _learnt(job, system, documents), len(documents)
            write_arrays(partial / SCORER, {"weights": scorer.weights})
        stored = StoredMerge(scorer=settings.scorer, documents=count)
        network.save_pretrained(partial / NETWORK)
        (partial / MARK).write_text(to_toml("merged", stored), encoding="utf-8")
        (partial / CARD).write_text(_card(job, stored, network, scorer), encoding="utf-8")
    job.progress.note(f"scorer of {count:,} documents; keyseq generate --system {job.out} uses it")
    record = {"system": job.system, "merge": settings.merge, **asdict(stored), "out": str(job.out)}
    return TrainingOutcome(record=record, skipped=skipped, skipped_count=len(skipped))


def _network(job: TrainingJob) -> NeuralSystem:
    name = job.options.get("network", "none")
    if name == "none":
        raise KeyseqError("combined.merge=published merges what a network generates; name it with --network")
    network = NeuralSystem.from_pretrained(name)
    if not (network.extracts or network.model.retriever):
        raise KeyseqError(
            f"{name}: has neither an extractor nor retrieved phrases to merge with what it generates; train kg-ke-kr"
        )
    if job.valid is not None:
        raise KeyseqError("combined.merge=published learns its scorer from --train alone; leave --valid out")
    return network


def _documents(job: TrainingJob, skipped: list[str] | None) -> Iterator[Document]:
    read = chain.from_iterable(read_documents(path, skipped=skipped) for path in job.train)
    return (document for document in read if document.keyphrases)


def _learnt(job: TrainingJob, system: MergedSystem, documents: Sequence[Document]) -> PhraseScorer:
    """A scorer over all candidates of some documents."""
    features, labels = [], []
    chunks = list(chunked(documents, READ))
    for chunk in job.progress.track(chunks, "candidates", len(chunks)):
        for candidates in system.candidates(chunk):
            words = list(dict.fromkeys(one.words for found in candidates.found.values() for one in found))
            if words:
                features.append(system.measure(candidates, words))
                labels.append(_labels(candidates, words))
    if not any(own.any() for own in labels):
        raise DataError(f"{job.train[0]}: no keyphrase of a document is among its candidates, so nothing can be learnt")
    return PhraseScorer.fit(np.concatenate(features), np.concatenate(labels))


def _labels(candidates: MergeCandidates, words: Sequence[Sequence[str]]) -> Any:  # an array of bool
    analyzer = candidates.source.analyzer
    gold = {tuple(phrase_stems(phrase, analyzer)) for phrase in candidates.document.keyphrases or ()}
    return np.array([tuple(analyzer.stems(one)) in gold for one in words])


def _card(job: TrainingJob, stored: StoredMerge, network: NeuralSystem, scorer: PhraseScorer | None) -> str:
    """The model card."""
    sources = ["generated"] + ["extracted"] * network.extracts + ["retrieved"] * bool(network.model.retriever)
    learnt = ", ".join(path.name for path in job.train)
    told = f"a logistic regression, learnt from {stored.documents:,} documents of {learnt}" if scorer else "none"
    weights = zip((*FEATURES, "bias"), scorer.weights.tolist(), strict=True) if scorer else ()
    table = "\n".join(f"| {name} | {weight:.2f} |" for name, weight in weights)
    return (
        f"# {job.out.name}: a merged system of keyseq {__version__}\n\n"
        f"Phrases: {', '.join(sources)}. The scores of each source are scaled to the mean of the generated ones,\n"
        f"multiplied by the scorer's probability, and added up. Scorer: {told}.\n\n"
        + (f"| | weight |\n|---|---:|\n{table}\n\n" if scorer else "")
        + f"    keyseq generate paper.txt --system ./{job.out.name}\n\n"
        f"The network has a card of its own, `{NETWORK}/{CARD}`. Settings: `{json.dumps(asdict(stored))}`.\n"
    )
