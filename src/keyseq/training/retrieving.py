"""Retrieval in training: an index of the training documents, and what each retrieves from the others."""

import filecmp
import hashlib
import json
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from filelock import FileLock

from keyseq.config import Settings, TargetSettings
from keyseq.data.examples import Dropped, Example, example
from keyseq.data.formats import read_documents
from keyseq.data.network_inputs import NEIGHBOURS
from keyseq.data.parallel import Work
from keyseq.data.preparation import LOCK
from keyseq.files import make_folder, sha256, write_whole_binary, write_whole_folder
from keyseq.retrieval.phrase_retriever import open_retriever, write_index
from keyseq.text.analyzer import Analyzer
from keyseq.types import Document
from keyseq.version import __version__

_opened = lru_cache(2)(open_retriever)


@dataclass(frozen=True, slots=True)
class RetrievingExamples:
    """Makes examples with what their documents retrieve; training documents do not retrieve themselves."""

    index: Path
    copies: bool = False

    def __call__(self, document: Document, settings: TargetSettings, dropped: Dropped) -> Example | None:
        """The example of a document, or None, with the reason counted in `dropped`."""
        made = example(document, settings, dropped)
        if made is None:
            return None
        retriever = _opened(self.index, Analyzer.of(settings))
        return replace(made, retrieved=retriever.texts(document, self.copies))


def training_index(files: Sequence[Path], settings: Settings, cache: Path, work: Work) -> Path:
    """The index of the documents of training files, made if the folder `cache` does not have it."""
    folder = cache / f"neighbours-{_key(files, settings, work)}"
    if not folder.is_dir():
        make_folder(cache)
        with FileLock(cache / LOCK):  # of concurrent runs, one makes it and the others wait
            if not folder.is_dir():
                with write_whole_folder(folder) as partial:
                    documents = _documents(files, work)
                    write_index(documents, Analyzer.of(settings.target), partial / NEIGHBOURS, work.track)
    return folder / NEIGHBOURS


def keep_index(index: Path, run: Path) -> None:
    """Copy an index into the folder of a run, where an export finds it."""
    place = run / NEIGHBOURS
    if not place.is_file() or not filecmp.cmp(index, place, shallow=False):
        with index.open("rb") as source, write_whole_binary(place) as file:
            shutil.copyfileobj(source, file)


def _documents(files: Sequence[Path], work: Work) -> Iterator[Document]:
    for file in files:
        for document in work.track(read_documents(file, skipped=[] if work.skip_bad else None), f"indexing {file}"):
            if work.without is None or document not in work.without:
                yield document


def _key(files: Sequence[Path], settings: Settings, work: Work) -> str:
    target = settings.target
    parts = [
        __version__,
        [[file.suffix, sha256(file)] for file in files],
        work.skip_bad,
        [target.language, target.tokenizer, target.stemmer],
        work.without.digest() if work.without else "",
    ]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:20]
