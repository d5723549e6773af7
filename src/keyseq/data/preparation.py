"""Encode documents to a corpus on disk, by several processes, and cache it by key.

The key is a digest of the contents of files and of every setting that affects the result, so a corpus is never stale.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

import pyarrow as pa
from filelock import FileLock

from keyseq.config import Settings, TargetSettings
from keyseq.data.corpus import DOCUMENTS, REPORT, VOCABULARY, CorpusReport, EncodedCorpus, encode, schema
from keyseq.data.examples import Dropped, Example, example
from keyseq.data.formats import read_documents
from keyseq.data.parallel import Work, chunked, run
from keyseq.data.slots import slot_words
from keyseq.data.vocabulary import DIVIDER, SPECIALS, Vocabulary, ranked
from keyseq.errors import DataError
from keyseq.files import make_folder, sha256, write_whole_folder
from keyseq.text.stem import PORTER
from keyseq.types import Document
from keyseq.version import __version__

LAYOUT = 2  # version of the folder's layout; part of its key
CHUNK = 2_000  # documents that a process takes at a time
LOCK = ".lock"

ExampleMaker = Callable[[Document, TargetSettings, Dropped], Example | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """How the vocabulary is chosen: the `size` most frequent words, or those `known` and `new` more."""

    size: int = 0
    known: Vocabulary | None = None
    new: int = 0

    def choose(self, source: Counter[str], target: Counter[str], slots: Sequence[str] = ()) -> Vocabulary:
        """The vocabulary of a corpus with these counts, which are consumed, and the words of slots."""
        if self.known is None:
            chosen = Vocabulary.from_counts(source, target, self.size - len(slots)).words
            return Vocabulary((*chosen[: len(SPECIALS)], *slots, *chosen[len(SPECIALS) :]))
        for word in self.known.words:
            del source[word], target[word]
        return self.known.extended([*slots, *ranked(source, target, self.new)])

    def key(self) -> list[object]:
        """The part of the cache key."""
        known = hashlib.sha256("\n".join(self.known.words).encode()).hexdigest() if self.known else ""
        return [self.size, known, self.new]


def prepare(
    files: Sequence[Path],
    settings: Settings,
    words: Words,
    cache: Path,
    work: Work | None = None,
    make: ExampleMaker = example,
) -> EncodedCorpus:
    """Open the encoded corpus of these files, encoding it first if the folder `cache` does not have it.

    `make` makes the example of a document.
    """
    work = work or Work()
    folder = cache / _key(files, settings, words, work, make)
    if not folder.is_dir():
        make_folder(cache)
        with FileLock(cache / LOCK):  # of concurrent runs, one encodes and the others wait
            if not folder.is_dir():
                _build(files, settings, words, folder, work, make)
    return EncodedCorpus.open(folder)


def _key(files: Sequence[Path], settings: Settings, words: Words, work: Work, make: ExampleMaker) -> str:
    target, reads = settings.target, [*settings.model.reads, *settings.model.learns]
    parts = [
        LAYOUT,
        __version__,
        work.skip_bad,
        [[file.suffix, sha256(file)] for file in files],  # the suffix determines the format
        [target.tokenizer, target.source_words, target.phrase_words, target.filter, target.order],
        words.key(),
        # defaults are left out, so that corpora of earlier versions keep their keys
        *(["present only"] if target.present_only else []),
        *(["divided"] if target.divided else []),
        *([target.stemmer] if target.stemmer != PORTER else []),
        *([reads] if reads else []),
        *([_name(make)] if make is not example else []),
        *([slots] if (slots := slot_words(target)) else []),
        *([target.untitled] if "title" in reads else []),
        *([work.without.digest()] if work.without else []),
    ]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:20]


def _name(make: ExampleMaker) -> str:
    """The name of a function, or of the class of an object."""
    return getattr(make, "__name__", type(make).__name__)


def _build(
    files: Sequence[Path], settings: Settings, words: Words, folder: Path, work: Work, make: ExampleMaker
) -> None:
    vocabulary = words.known
    if vocabulary is None or words.new:
        vocabulary = _vocabulary(files, settings.target, words, work)
    with write_whole_folder(folder) as partial_folder:
        skipped: list[str] = []
        documents = _shown(_documents(files, work, skipped), work.see)
        chunks = chunked(work.track(documents, "encoding documents"), CHUNK)
        encoded = run(partial(_encode, settings, vocabulary, make), chunks, work.processes)
        report = _write(encoded, schema(settings), partial_folder / DOCUMENTS)
        if not report.documents:
            raise DataError(_unusable(files, report))
        vocabulary.save(partial_folder / VOCABULARY)
        text = json.dumps(asdict(report) | {"skipped_records": len(skipped)}, indent=2)
        (partial_folder / REPORT).write_text(f"{text}\n", encoding="utf-8")


def _vocabulary(files: Sequence[Path], settings: TargetSettings, words: Words, work: Work) -> Vocabulary:
    source, target = Counter[str](), Counter[str]()
    chunks = chunked(work.track(_documents(files, work, []), "counting words"), CHUNK)
    for chunk_source, chunk_target in run(partial(_count, settings), chunks, work.processes):
        source.update(chunk_source)
        target.update(chunk_target)
    return words.choose(source, target, slot_words(settings))


def _documents(files: Iterable[Path], work: Work, skipped: list[str]) -> Iterator[Document]:
    for file in files:
        for document in read_documents(file, skipped=skipped if work.skip_bad else None):
            if work.without is None or document not in work.without:
                yield document


def _shown(documents: Iterable[Document], see: Callable[[Document], None]) -> Iterator[Document]:
    for document in documents:
        see(document)
        yield document


def _examples(
    documents: Iterable[Document], settings: TargetSettings, dropped: Dropped, make: ExampleMaker = example
) -> Iterator[Example]:
    for document in documents:
        made = make(document, settings, dropped)
        if made is not None:
            yield made


def _count(settings: TargetSettings, documents: Sequence[Document]) -> tuple[Counter[str], Counter[str]]:
    source, target = Counter[str](), Counter[str]()
    for made in _examples(documents, settings, Dropped()):
        source.update(made.source)
        for phrase in made.targets:
            target.update(phrase.words)
        target.update([DIVIDER] if settings.divided else ())
    return source, target


def _encode(
    settings: Settings, vocabulary: Vocabulary, make: ExampleMaker, documents: Sequence[Document]
) -> tuple[pa.RecordBatch, Dropped]:
    dropped = Dropped()
    examples = list(_examples(documents, settings.target, dropped, make))
    return encode(examples, vocabulary, settings, settings.target.untitled), dropped


def _write(encoded: Iterable[tuple[pa.RecordBatch, Dropped]], columns: pa.Schema, path: Path) -> CorpusReport:
    dropped = Dropped()
    documents = source_words = phrases = 0
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, columns) as writer:
        for batch, chunk_dropped in encoded:
            writer.write_batch(batch)
            dropped.update(chunk_dropped)
            documents += batch.num_rows
            source_words += len(batch.column("source").values)
            phrases += len(batch.column("positions").values)
    return CorpusReport(
        documents=documents,
        source_words=source_words,
        phrases=phrases,
        dropped_documents=dict(dropped.documents),
        dropped_phrases=dict(dropped.phrases),
    )


def _unusable(files: Iterable[Path], report: CorpusReport) -> str:
    reasons = ", ".join(f"{count:,} with {reason}" for reason, count in report.dropped_documents.items())
    names = ", ".join(str(file) for file in files)
    return f"{names}: no document to train on ({reasons or 'the file is empty'})"
