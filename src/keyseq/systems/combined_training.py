"""Training of combined systems: counts and profiles of a corpus, a network's phrases, and the ranker over them."""

import random
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from keyseq.config.fields import check, setting
from keyseq.config.language_settings import LanguageSettings
from keyseq.config.single import overridden
from keyseq.data.formats import read_documents, write_documents
from keyseq.errors import DataError
from keyseq.files import make_folder, write_whole_folder
from keyseq.imports import require
from keyseq.ranking.boosting import BoostingSettings
from keyseq.ranking.expected_f1 import best_count
from keyseq.ranking.learning import Learnt, RankingExample, learn
from keyseq.ranking.pool import MOST_LABELS
from keyseq.ranking.reliability import calibration_error, reliability
from keyseq.retrieval.counting import RunCounts
from keyseq.retrieval.token_store import store_tokens
from keyseq.systems.combined import (
    CandidateSource,
    CombinedParts,
    StoredSettings,
    Tables,
    put_network,
    read_tables,
    write_parts,
    write_tables,
)
from keyseq.systems.hub import CARD, locate
from keyseq.systems.learnt_versions import HELD_OUT
from keyseq.systems.neural import NeuralSystem
from keyseq.systems.ranking_examples import drawn_untitled, ranking_examples
from keyseq.systems.table_fitting import TableSettings, fit_tables
from keyseq.systems.training_job import TrainingJob, TrainingOutcome
from keyseq.systems.work_folder import WorkFolder, file_states
from keyseq.text.analyzer import Analyzer
from keyseq.types import Document
from keyseq.version import __version__

KEPT = 200  # held-out documents stored with the system, for checks of later changes
FEWEST = 40  # documents for the ranker, in a large enough corpus


@dataclass(frozen=True, kw_only=True)
class CombinedTrainingSettings(TableSettings, BoostingSettings, LanguageSettings):
    """Hyperparameters of a combined system: language, profiles, trees, and the documents of the ranker."""

    held_out: float = setting(0.1, "share of the corpus for the ranker, if there is no --valid", least=0.001, below=1)
    sample: int = setting(8_000, "maximum documents for the ranker", least=20)
    untitled: float = setting(0.15, "fraction of these whose title is read as a part of the text", least=0, below=1)
    retrieved: int = setting(MOST_LABELS, "number of labels retrieved per text; 0: no profiles", least=0)
    scattered: int = setting(0, "number of further labels whose words a text has, but not adjacent", least=0)
    merge: Literal["learnt", "published"] = setting(
        "learnt", "candidates are merged by the ranker, or those of a network alone as published for KG-KE-KR-M"
    )
    tables: str = setting("", "a combined system whose counts and profiles are used; only the ranker is learnt then")

    def __post_init__(self) -> None:
        super().__post_init__()
        check("combined", self)


def train_combined(job: TrainingJob) -> TrainingOutcome:
    """Make a combined system from a corpus and write it into a new folder, whole or not at all.

    Steps that were finished before an interruption are reused from the folder OUT.work by the same command.
    """
    if "combined.merge=published" in ("".join(one.split()) for one in job.overrides):
        from keyseq.systems.merged_training import train_merged

        return train_merged(job)
    require("lightgbm", "combined")  # checked before the work
    settings = overridden("combined", CombinedTrainingSettings, job.overrides)
    network, skipped = _network(job), list[str]()
    make_folder(job.out.parent)
    with write_whole_folder(job.out) as partial:
        steps = _Steps(job, settings, network, skipped if job.skip_bad else None)
        learnt, tables, examples, held = steps.all()
        stored = StoredSettings(
            network=put_network(network, partial),
            tables=settings.tables,
            documents=tables.known.keyphraseness.documents,
            ranked=len(examples),
            retrieved=settings.retrieved,
            scattered=settings.scattered,
        )
        write_parts(partial, CombinedParts(tables, learnt.ranker, network, analyzer=steps.analyzer), stored)
        record = {"system": job.system, **asdict(stored), "held_out": held_out_scores(learnt, examples)}
        write_documents(held[:KEPT], partial / HELD_OUT)
        (partial / CARD).write_text(_card(job, record), encoding="utf-8")
    steps.work.remove()
    told = ", ".join(f"{name} {value:.3f}" for name, value in record["held_out"].items())
    job.progress.note(
        f"profiles and counts from {stored.documents:,} documents, ranker from {stored.ranked:,}; on held-out "
        f"documents: {told}; keyseq generate --system {job.out} uses it"
    )
    return TrainingOutcome(record=record | {"out": str(job.out)}, skipped=skipped, skipped_count=len(skipped))


def held_out_scores(learnt: Learnt, examples: Sequence[RankingExample]) -> dict[str, float]:
    """The scores of the ranker on held-out documents: F1@M over all phrases, and the calibration error."""
    scores, counts = [], []
    for chances, example in zip(learnt.held_out, examples, strict=True):
        order = np.argsort(-chances, kind="stable")
        count = best_count(chances[order], learnt.ranker.others)
        hits = int(example.gold[order[:count]].sum())
        scores.append(2 * hits / max(1, count + example.keyphrases))
        counts.append(count)
    every = np.concatenate(learnt.held_out)
    gold = np.concatenate([example.gold for example in examples])
    present = np.concatenate([example.sketch.in_text for example in examples])
    errors = {
        f"calibration error, {name}": calibration_error(reliability(every[own], gold[own]))
        for name, own in (("present", present), ("absent", ~present))
    }
    return {"f1@m": float(np.mean(scores)), "phrases": float(np.mean(counts)), **errors}


class _Steps:
    """The steps of a training; what each finishes is kept in the folder of work, and taken from there."""

    def __init__(
        self,
        job: TrainingJob,
        settings: CombinedTrainingSettings,
        network: NeuralSystem | None,
        skipped: list[str] | None,
    ) -> None:
        self.job, self.settings, self.network, self.skipped = job, settings, network, skipped
        self.track, self.analyzer = job.progress.track, Analyzer.of(settings)
        files = [*job.train, *([job.valid] if job.valid else [])]
        key = {
            "files": file_states(files),
            "settings": asdict(settings),
            "network": network.name if network else "",
        }
        self.work = WorkFolder(job.out, key)

    def all(self) -> tuple[Learnt, Tables, list[RankingExample], list[Document]]:
        """Learn everything; without a validation part, tables are made again with what was held out for the ranker."""
        held = self._held_out()
        apart = frozenset() if self.job.valid else frozenset(document.id for document in held)
        tables = self._tables("tables", apart)
        examples = self._examples(tables, held)
        learnt = learn(examples, self.settings, self.track)
        return learnt, self._tables("all", frozenset()) if apart else tables, examples, held

    def _corpus(self) -> Iterator[Document]:
        for path in self.job.train:
            for document in self.track(read_documents(path, skipped=self.skipped), str(path)):
                if document.keyphrases:
                    yield document

    def _held_out(self) -> list[Document]:
        """The documents from which the ranker learns: those of the validation part, or a draw from the corpus."""
        chance = random.Random(self.settings.seed)  # noqa: S311  # a sample, not a secret
        if self.job.valid is not None:
            kept = [one for one in read_documents(self.job.valid, skipped=self.skipped) if one.keyphrases]
        else:
            kept = [one for one in self._corpus() if chance.random() < self.settings.held_out]
            if len(kept) < FEWEST:  # a small corpus
                every = list(self._corpus())
                kept = chance.sample(every, min(FEWEST, len(every) // 2))
        if not kept:
            raise DataError(
                f"{self.job.valid or self.job.train[0]}: no documents with keyphrases to learn a ranker from"
            )
        return kept if len(kept) <= self.settings.sample else chance.sample(kept, self.settings.sample)

    def _tables(self, name: str, without: frozenset[str]) -> Tables:
        """Counts and profiles of the corpus, or of the system that is named for them."""
        if self.settings.tables:
            return self._read(locate(self.settings.tables).folder)

        def fit(folder: Path) -> None:
            with tempfile.TemporaryDirectory(dir=self.work.path) as place:
                kept = (one for one in self._corpus() if one.id not in without)
                store = store_tokens(kept, Path(place), self.analyzer)
                counted = RunCounts.of(store, self.settings.contained, self.track)
                write_tables(folder, fit_tables(counted, self.settings, self.track))

        return self._read(self.work.step(name, fit))

    def _read(self, folder: Path) -> Tables:
        return read_tables(folder).retrieving(self.settings.retrieved, self.settings.scattered)

    def _examples(self, tables: Tables, documents: list[Document]) -> list[RankingExample]:
        source = CandidateSource(tables.known, self.network, analyzer=self.analyzer)
        untitled = drawn_untitled(len(documents), self.settings.untitled, self.settings.seed)
        return [example for _, example in ranking_examples(source, documents, untitled, self.track)]


def _network(job: TrainingJob) -> NeuralSystem | None:
    """The network of the system; by default none."""
    name = job.options.get("network", "none")
    return None if name == "none" else NeuralSystem.from_pretrained(name)


def _card(job: TrainingJob, record: dict[str, Any]) -> str:
    """The model card."""
    sources = ", ".join(path.name for path in job.train)
    scores = "\n".join(f"| {name} | {value:.3f} |" for name, value in record["held_out"].items())
    network = f"the network `{record['network']}`" if record["network"] else "no network"
    return (
        f"# {job.out.name}: a combined system of keyseq {__version__}\n\n"
        f"Candidates of the text, of the profiles of known keyphrases and of {network}; ranked by boosted trees.\n"
        f"Profiles and counts: {record['documents']:,} documents of {sources}. Ranker: {record['ranked']:,} documents\n"
        f"of {job.valid.name if job.valid else 'the same corpus, held out'}.\n\n"
        f"On held-out documents, by cross-fitting:\n\n| | |\n|---|---:|\n{scores}\n\n"
        f"    keyseq generate paper.txt --system ./{job.out.name}\n"
    )
