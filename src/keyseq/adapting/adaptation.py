"""`adapt`: a system adapted to a corpus with tags, compared with the one it begins with."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

from keyseq.adapting.adaptation_card import card
from keyseq.adapting.adaptation_settings import AdaptationSettings
from keyseq.adapting.adaptation_steps import AdaptationSteps, count_labels
from keyseq.adapting.background import terms_alone
from keyseq.adapting.before_after import BeforeAfter, measured
from keyseq.adapting.concept_learning import Subjects
from keyseq.adapting.rankings import answers
from keyseq.adapting.tagged_corpus import TaggedCorpus, read_corpus
from keyseq.data.formats import CorpusReading, ReadingReport, read_documents, write_documents
from keyseq.data.formats.source import STDIN
from keyseq.data.overlap import text_digest
from keyseq.data.parallel import Track, untracked
from keyseq.errors import DataError, KeyseqError
from keyseq.files import make_folder, write_whole_folder
from keyseq.imports import require
from keyseq.languages import name_of
from keyseq.retrieval.token_store import Integers
from keyseq.systems.combined import (
    CombinedParts,
    CombinedSystem,
    StoredSettings,
    Tables,
    put_network,
    read_parts,
    write_parts,
)
from keyseq.systems.combined_settings import CombinedSettings
from keyseq.systems.hub import CARD, VALID, locate
from keyseq.systems.kinds import KINDS
from keyseq.systems.learnt_versions import HELD_OUT
from keyseq.systems.neural import NeuralSystem
from keyseq.systems.registry import DEFAULT, kind_named, load
from keyseq.systems.work_folder import WorkFolder, file_states
from keyseq.text.analyzer import ENGLISH, Analyzer
from keyseq.types import Document, System
from keyseq.vocabularies.concept_lookup import ConceptLookup
from keyseq.vocabularies.controlled_vocabulary import ControlledVocabulary
from keyseq.vocabularies.language_check import foreign_labels
from keyseq.vocabularies.vocabulary_file import read_vocabulary

NONE = "none"
WITHOUT_DEFAULT = "textrank"  # compared with for other languages than English


def _unheard(_message: str) -> None:
    """Discard a message."""


@dataclass(frozen=True, kw_only=True)
class AdaptationJob:
    """A corpus, and a system to adapt to it.

    `corpus` are paths, or documents; `start` and `network` are names, folders or none. By default, a system for English
    begins with `scholar`, and one for another language with nothing. The settings whose names are in `given` are the
    user's: the size of the corpus does not change them.
    """

    corpus: Sequence[Path | str | Document]
    out: Path
    start: str | None = None
    network: str = NONE
    vocabulary: ControlledVocabulary | None = None
    settings: AdaptationSettings = field(default_factory=AdaptationSettings)
    given: frozenset[str] = frozenset()
    reading: CorpusReading = field(default_factory=CorpusReading)
    report: ReadingReport = field(default_factory=ReadingReport)
    track: Track = untracked
    note: Callable[[str], None] = _unheard

    @property
    def analyzer(self) -> Analyzer:
        """That of the language of the corpus."""
        return Analyzer.of(self.settings)

    @property
    def begins_with(self) -> str:
        """The system to begin with, or none."""
        if self.start is not None:
            return self.start
        return "scholar" if self.settings.language == ENGLISH.language else NONE

    @property
    def name(self) -> str:
        """The name of the corpus in messages."""
        return ", ".join(str(one) for one in self.corpus if not isinstance(one, Document)) or "the corpus"

    @property
    def validated_on(self) -> list[Path]:
        """The file of what was held out when the network was fine-tuned, if it was and something was."""
        path = Path(self.network).expanduser() / VALID
        return [path] if self.network != NONE and path.is_file() else []

    def held_out(self) -> frozenset[str]:
        """The digests of the texts that were held out."""
        return frozenset(text_digest(one.text) for path in self.validated_on for one in read_documents(path))

    def documents(self) -> Iterator[Document]:
        """The documents of the corpus."""
        for one in self.corpus:
            if isinstance(one, Document):
                yield one
            else:
                yield from self.track(self.reading.documents(one, self.report), str(one))

    def settings_for(self, corpus: TaggedCorpus) -> AdaptationSettings:
        """The settings for a corpus of this size."""
        labels = count_labels(corpus.store, self.settings.least)
        return self.settings.for_corpus(len(corpus.store), labels, self.given)

    def key(self) -> dict[str, Any]:
        """The cache key: everything the results depend on; documents in memory, or of a pipe, are always new."""
        paths = [Path(one) for one in self.corpus if not isinstance(one, Document)]
        states = file_states(path for path in (*paths, *self.validated_on) if path.exists())
        readable_again = len(paths) == len(self.corpus) and STDIN not in map(str, paths)
        return {
            "files": states if readable_again else uuid4().hex,
            "reading": repr(self.reading),
            "settings": asdict(self.settings),
            "given": sorted(self.given),
            "from": self.begins_with,
            "network": self.network,
            "vocabulary": self.vocabulary.name if self.vocabulary else "",
        }


@dataclass(frozen=True)
class Adaptation:
    """An adapted system: its folder, how it was made, and its scores beside those of the system before."""

    out: Path
    record: dict[str, Any]
    before_after: BeforeAfter

    @property
    def system(self) -> System:
        """The system, loaded."""
        return load(str(self.out))

    def table(self, format: str = "text") -> str:
        """The table of before and after as text or Markdown, with the signatures of the scores."""
        return self.before_after.render(format)


def adapt(
    corpus: Path | str | Iterable[Path | str | Document],
    out: Path | str,
    *,
    start: str | None = None,
    network: str = NONE,
    vocabulary: ControlledVocabulary | Path | str | None = None,
    **settings: Any,
) -> Adaptation:
    """Make a combined system from documents with tags, and write it into a new folder.

    `corpus` is a file, several, or documents. `start` is the system to begin with (`--from` of the command line), a
    name or a folder, or "none" for the corpus alone, which is the default for languages other than English; `network`
    is an exported network whose phrases become candidates, by name or folder. With a `vocabulary`, tags are its
    concepts, by URI or label, and the system gives concepts by itself. `settings` are those of `keyseq adapt --set`,
    such as `seed=1` or `language="fi"`.
    """
    terms = (
        vocabulary
        if vocabulary is None or isinstance(vocabulary, ControlledVocabulary)
        else read_vocabulary(vocabulary)
    )
    given: list[Path | str | Document] = [corpus] if isinstance(corpus, str | Path) else list(corpus)
    return run_adaptation(
        AdaptationJob(
            corpus=given,
            out=Path(out),
            start=start,
            network=network,
            vocabulary=terms,
            settings=AdaptationSettings(**settings),
            given=frozenset(settings),
        )
    )


def run_adaptation(job: AdaptationJob) -> Adaptation:
    """Run a job. Steps that were finished before an interruption are reused from the folder OUT.work."""
    require("lightgbm", "combined")  # checked before the work
    network, subjects = _network(job), _subjects(job)
    start = _start(job, subjects)
    make_folder(job.out.parent)
    with write_whole_folder(job.out) as partial:
        work = WorkFolder(job.out, job.key())
        corpus = TaggedCorpus.open(work.step("corpus", lambda folder: _read(job, subjects, folder)), job.analyzer)
        _tell_read(job, corpus, subjects)
        steps = AdaptationSteps(work, corpus, job.settings_for(corpus), start, network, subjects, job.track)
        before_after = _measured(job, steps)
        parts = steps.final()
        stored = StoredSettings(
            network=put_network(network, partial),
            documents=parts.tables.known.keyphraseness.documents,
            ranked=steps.split.ranked,
            retrieved=job.settings.retrieved,
        )
        write_parts(partial, parts, stored)
        record = _record(job, steps, stored, parts) | before_after.record()
        write_documents(_at(corpus, steps.split.kept), partial / HELD_OUT)  # no part of the system was fitted to them
        (partial / CARD).write_text(card(job.out.name, record, before_after), encoding="utf-8")
    work.remove()
    return Adaptation(job.out, record, before_after)


def _read(job: AdaptationJob, subjects: Subjects | None, folder: Path) -> None:
    documents = subjects.assigned(job.documents()) if subjects else job.documents()
    size = job.settings.ranked + job.settings.tested
    read_corpus(
        documents,
        folder,
        job.name,
        size=size,
        seed=job.settings.seed,
        analyzer=job.analyzer,
        held_out=job.held_out(),
    )


def _tell_read(job: AdaptationJob, corpus: TaggedCorpus, subjects: Subjects | None) -> None:
    if corpus.untagged:
        job.note(f"{job.name}: {corpus.untagged:,} documents without tags are left out")
    if corpus.repeated:
        job.note(f"{job.name}: {corpus.repeated:,} documents that repeat the text of an earlier one are left out")
    if corpus.unseen:
        job.note(
            f"{job.network} was trained on documents of {job.name}: the table, and the weight of its phrases, come from"
            f" the {corpus.unseen:,} documents that were held out then"
        )
    if subjects and subjects.known < subjects.tags:
        lacking = subjects.tags - subjects.known
        job.note(f"{job.name}: {lacking:,} of {subjects.tags:,} tags are not in the vocabulary and are left out")


def _measured(job: AdaptationJob, steps: AdaptationSteps) -> BeforeAfter:
    """Score the system to begin with, as it is, and the adapted one on held-out documents."""
    documents = _at(steps.corpus, steps.split.tested)
    adapted = CombinedSystem(job.out.name, steps.measured(), CombinedSettings())
    after = answers(adapted, documents, job.track, "after")
    before = answers(load(_before(job), **_settings_before(job)), documents, job.track, "before")
    return measured(documents, before, after, f"{job.name} (held out)", job.vocabulary, job.settings.language)


def _before(job: AdaptationJob) -> str:
    """The system to compare with: the one to begin with, or else the default of English, or a ranker."""
    if job.begins_with != NONE:
        return job.begins_with
    return DEFAULT if job.settings.language == ENGLISH.language else WITHOUT_DEFAULT


def _settings_before(job: AdaptationJob) -> dict[str, Any]:
    if _before(job) == WITHOUT_DEFAULT:
        return {"language": job.settings.language}
    return {"vocabulary": job.vocabulary} if job.vocabulary else {}


def _at(corpus: TaggedCorpus, places: Integers) -> list[Document]:
    return [corpus.sample[place] for place in places.tolist()]


def _start(job: AdaptationJob, subjects: Subjects | None) -> Tables | None:
    start = job.begins_with
    if start == NONE:
        return None
    if not KINDS[kind_named(start)].learns:
        raise KeyseqError(
            f"--from {start}: not a combined system; name one such as scholar, questions or general, or none"
        )
    parts = read_parts(locate(start).folder)
    if parts.analyzer != job.analyzer:
        theirs, own = (f"{name_of(one.language)} ({one.stemmer})" for one in (parts.analyzer, job.analyzer))
        raise KeyseqError(f"--from {start}: its language is {theirs}, but that of the corpus is {own}; use --from none")
    return parts.tables if subjects is None else terms_alone(parts.tables, subjects.lookup)


def _network(job: AdaptationJob) -> NeuralSystem | None:
    return None if job.network == NONE else NeuralSystem.from_pretrained(job.network)


def _subjects(job: AdaptationJob) -> Subjects | None:
    if job.vocabulary is None:
        return None
    job.vocabulary.index(job.analyzer)  # refused if it has no labels in the language of the texts
    if foreign := foreign_labels(job.vocabulary, job.analyzer):
        raise DataError(f"{foreign}; choose a vocabulary in the language of the texts")
    return Subjects(ConceptLookup(job.vocabulary, job.analyzer))


def _record(job: AdaptationJob, steps: AdaptationSteps, stored: StoredSettings, parts: CombinedParts) -> dict[str, Any]:
    """A record of the adaptation, as JSON."""
    return {
        "out": str(job.out),
        "from": job.begins_with,
        "language": job.settings.language,
        "weight": steps.weight,
        "network": stored.network,
        "vocabulary": job.vocabulary.name if job.vocabulary else None,
        "corpus": [Path(one).name for one in job.corpus if not isinstance(one, Document)],
        "documents": len(steps.corpus.store),
        "untagged": steps.corpus.untagged,
        "repeated": steps.corpus.repeated,
        "labels": len(parts.tables.labels),
        "ranked": stored.ranked,
        "beta": parts.beta,
        "tested": len(steps.split.tested),
        "kept": len(steps.split.kept),
        "compared_with": _before(job),
    }
