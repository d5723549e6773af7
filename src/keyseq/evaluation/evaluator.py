"""Score predictions against gold: streamed, in chunks, on several processes for large corpora."""

import hashlib
import itertools
import multiprocessing
import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from keyseq.data.parallel import run
from keyseq.errors import DataError, KeyseqError, UnfitValueError, named_value
from keyseq.evaluation import protocols
from keyseq.evaluation.concept_names import ConceptNames
from keyseq.evaluation.matching import Compared, Matcher, compared
from keyseq.evaluation.metrics import DEFAULT, SUBJECT_INDEXING, Floats, MatchedPart, Name, parse
from keyseq.evaluation.protocols import Protocol
from keyseq.evaluation.scoring import Scores, micro_parts
from keyseq.evaluation.semantic import PhraseEncoder, load_encoder, semantic_values
from keyseq.evaluation.subject_table import Assigned, SubjectTable
from keyseq.predictions.pairing import Pair, Phrases, given, pair
from keyseq.predictions.phrase_separators import separator_hint
from keyseq.predictions.readers import SEPARATOR, Prediction, read_predictions
from keyseq.text.presence import without_brackets
from keyseq.types import Document
from keyseq.vocabularies.concept_lookup import ConceptLookup
from keyseq.vocabularies.controlled_vocabulary import ControlledVocabulary

CHUNK = 500  # documents: enough to be worth sending to another process, few enough to hold in memory
CHARACTERS = 1_000_000  # of a chunk, for corpora of long documents
ALL = "all"  # protocols, on the command line
PAYS = 5  # chunks below which starting processes costs more than they save

Predictions = Mapping[str, Phrases] | Iterable[Phrases | Prediction] | Path | str


class _Scored(NamedTuple):
    """The values of a chunk of documents, and their subjects where a metric asks for them."""

    values: dict[str, Floats]
    assigned: list[Assigned]


_Score = Callable[[list[Compared]], _Scored]


def evaluate(
    gold: Iterable[Document] | Path | str,
    predictions: Predictions,
    *,
    protocol: Protocol | str = protocols.DEFAULT,
    metrics: Sequence[str] | str | None = None,
    name: str | None = None,
    processes: int | None = None,
    vocabulary: ControlledVocabulary | None = None,
    separator: str = SEPARATOR,
    semantic_model: Path | PhraseEncoder | None = None,
) -> Scores:
    """Score predictions against the keyphrases of gold documents.

    `gold` are documents, or the path of a corpus. `predictions` are phrases, best first: one list per document in
    the order of the documents, or lists by document id, or the path of a prediction file. Both are streamed.
    `name` is what signatures call the corpus. A large corpus is scored by as many `processes` as there are cores;
    by default by one where processes are not forked, since starting others would run the caller's script again.
    Under a protocol that compares concepts, a `vocabulary` says which labels and URIs are one concept. `separator` is
    that of phrases in a prediction file that holds them as text. `semantic_model` is the folder of a sentence-embedding
    model for metrics such as `all.semantic-f1@m`; by default, that of an installed package.
    """
    if protocol == ALL:
        raise KeyseqError("keyseq.evaluate scores under one protocol; keyseq.evaluation.evaluate_all does under all")
    rules = protocols.find(protocol) if isinstance(protocol, str) else protocol
    named = [metrics] if isinstance(metrics, str) else metrics
    asked = [parse(name) for name in (usual_metrics(rules) if named is None else named)]
    corpus = _Corpus(gold, name)
    read = _read_file(Path(predictions), separator) if isinstance(predictions, str | Path) else given(predictions)
    lookup = None if vocabulary is None else ConceptLookup(vocabulary, rules.analyzer)
    if rules.compare == "concepts":
        names = ConceptNames(corpus.documents, lookup)
        corpus.documents, read = names.documents(), names.predictions(read)
    chunks = _chunks(rules, pair(corpus, read))
    encoder = _encoder(asked, rules, semantic_model)
    score = partial(_score, rules, _needed(asked, rules), encoder)
    tables = list(_map(score, chunks, 1 if encoder else processes or _cores()))
    if not tables:
        raise DataError(f"no documents in {corpus.name}")
    return Scores(
        ids=tuple(corpus.ids),
        values={name: np.concatenate([table.values[name] for table in tables]) for name in tables[0].values},
        metrics=tuple(map(str, asked)),
        protocol=rules,
        data=corpus.label,
        subjects=_subjects(tables, lookup) if any(name.of_subjects for name in asked) else None,
        model=encoder.label if encoder else "",
    )


def _encoder(names: Sequence[Name], rules: Protocol, model: Path | PhraseEncoder | None) -> PhraseEncoder | None:
    """The sentence-embedding model, if a metric asks for one."""
    if not any(name.definition.semantic for name in names):
        return None
    if rules.compare == "concepts":
        raise KeyseqError(f"semantic metrics compare phrases, and {rules.name} compares concepts; leave them out")
    return model if isinstance(model, PhraseEncoder) else load_encoder(model)


def _read_file(path: Path, separator: str) -> Iterator[Prediction]:
    if hint := separator_hint(path, separator):
        warnings.warn(hint.replace("add --separator ", "pass separator="), stacklevel=3)
    return read_predictions(path, separator=separator)


def usual_metrics(rules: Protocol) -> tuple[str, ...]:
    """The metrics that are computed unless others are asked for."""
    return SUBJECT_INDEXING if rules.compare == "concepts" else DEFAULT


def _subjects(tables: Iterable[_Scored], lookup: ConceptLookup | None) -> SubjectTable:
    table = SubjectTable.of(assigned for chunk in tables for assigned in chunk.assigned)
    if lookup is None:
        return table
    found = {name: lookup.find(name) for name in table.names}
    labels = {name: lookup.label(concept) for name, concept in found.items() if concept is not None}
    return replace(table, concepts=len(lookup.vocabulary), labels=labels)


def oracle(documents: Iterable[Document], protocol: Protocol) -> Iterator[list[str]]:
    """The gold phrases as predictions, in gold order: an upper bound."""
    for document in documents:
        by_uri = protocol.compare == "concepts" and document.subjects is not None
        phrases = (document.subjects if by_uri else document.keyphrases) or ()
        yield [phrase if protocol.brackets == "keep" else without_brackets(phrase) for phrase in phrases]


class _Corpus:
    """Gold documents as a stream that records their ids and a digest for the signature."""

    def __init__(self, gold: Iterable[Document] | Path | str, name: str | None) -> None:
        self.name = name or (Path(gold).name.split(".")[0] if isinstance(gold, str | Path) else "documents")
        self.ids: list[str] = []
        if not isinstance(gold, Iterable | Path):
            raise UnfitValueError(f"gold is a list of documents or the path of a corpus, not {named_value(gold)}")
        self.documents = _read(Path(gold)) if isinstance(gold, str | Path) else gold
        self._digest = hashlib.sha256()

    def __iter__(self) -> Iterator[Document]:
        for index, document in enumerate(self.documents):
            if not isinstance(document, Document):
                raise UnfitValueError(
                    f"gold {index} (counted from 0) is {named_value(document)}, not a keyseq.Document, whose text "
                    "tells which keyphrases are present"
                )
            if document.keyphrases is None:
                raise DataError(f"{self.name}: document '{document.id}' has no gold keyphrases; remove it or add them")
            content = "\0".join((document.title, document.body, *document.keyphrases))
            self._digest.update(f"{content}\n".encode(errors="surrogatepass"))
            self.ids.append(document.id)
            yield document

    @property
    def label(self) -> str:
        """Name and digest of texts and keyphrases; ids do not affect scores."""
        return f"{self.name}:{self._digest.hexdigest()[:8]}"


def _read(path: Path) -> Iterator[Document]:
    from keyseq.data.formats import read_documents  # not needed for documents in memory

    return read_documents(path)


def _needed(names: Sequence[Name], protocol: Protocol) -> tuple[Name, ...]:
    """The requested metrics, and those that their aggregates are computed from."""
    parts = ("precision", "recall") if protocol.average == "f1-of-means" else ()
    made_of = [name.of(part) for name in names if name.definition.aggregate == "f1" for part in parts]
    made_of += [part for name in names if name.definition.aggregate == "micro" for part in micro_parts(name)]
    return tuple(dict.fromkeys([*names, *made_of]))


def _score(rules: Protocol, names: Sequence[Name], encoder: PhraseEncoder | None, chunk: Sequence[Compared]) -> _Scored:
    """The values of a chunk of documents."""
    novelty = {name.part for name in names if name.metric == "alpha-ndcg"}
    matcher = Matcher(rules, novelty)
    parts = matcher.match(chunk)
    assigned = list(map(matcher.assigned, chunk)) if any(name.of_subjects for name in names) else []
    values = {str(name): _values(name, parts, rules) for name in names}
    if encoder is not None:
        semantic = [name for name in names if name.definition.semantic]
        found = semantic_values(list(map(matcher.phrases, chunk)), semantic, encoder)
        for name in semantic:
            values[str(name)] = _averaged(name, found[str(name)], parts[name.part], rules)
    return _Scored(values, assigned)


def _values(name: Name, parts: Mapping[str, MatchedPart], protocol: Protocol) -> Floats:
    part = parts["all" if name.part == "predictions" else name.part]
    values = name.definition.score(part.cut(name.at, name.padded or protocol.precision == "k"))
    return _averaged(name, values, part, protocol)


def _averaged(name: Name, values: Floats, part: MatchedPart, protocol: Protocol) -> Floats:
    """The values of documents that enter the average, NaN for the others."""
    if protocol.documents == "with-targets" and not name.definition.everywhere:
        return np.where(part.targets > 0, values, np.nan)
    if protocol.no_gold == "one" and name.metric == "ndcg":
        return np.where(part.targets > 0, values, 1.0)
    return values


def _chunks(rules: Protocol, pairs: Iterable[Pair]) -> Iterator[list[Compared]]:
    chunk: list[Compared] = []
    characters = 0
    for one in pairs:
        chunk.append(compared(rules, *one))
        characters += len(chunk[-1][0])
        if len(chunk) >= CHUNK or characters >= CHARACTERS:
            yield chunk
            chunk, characters = [], 0
    if chunk:
        yield chunk


def _cores() -> int:
    safe = multiprocessing.get_start_method() == "fork" and multiprocessing.parent_process() is None
    return (os.cpu_count() or 1) if safe else 1


def _map(score: _Score, chunks: Iterator[list[Compared]], processes: int) -> Iterator[_Scored]:
    """Score chunks in order, on other processes if there are enough chunks."""
    first = list(itertools.islice(chunks, PAYS if processes > 1 else 0))
    chunks = itertools.chain(first, chunks)
    if len(first) < PAYS:
        yield from map(score, chunks)
        return
    # scored here, so that forked processes start with the stems of the most frequent words already cached
    yield score(next(chunks))
    yield from run(score, chunks, processes, ProcessPoolExecutor)
