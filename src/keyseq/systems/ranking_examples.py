"""Training examples of a ranker: the candidates of documents with keyphrases, and their features."""

import random
from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from keyseq.data.parallel import Track, chunked, untracked
from keyseq.ranking.learning import RankingExample
from keyseq.ranking.pool import Pool
from keyseq.systems.combined import CandidateSource
from keyseq.text.analyzer import Analyzer
from keyseq.text.hashing import Hashes, phrase_hash
from keyseq.text.presence import phrase_stems
from keyseq.types import Document

BATCH = 64
Names = Callable[[Document], Iterable[str]]


def keyphrases(document: Document) -> Iterable[str]:
    """The gold phrases of a document: its keyphrases."""
    return document.keyphrases or ()


def ranking_examples(
    source: CandidateSource,
    documents: Sequence[Document],
    untitled: Sequence[bool],
    track: Track = untracked,
    names: Names = keyphrases,
) -> Iterator[tuple[Pool, RankingExample]]:
    """The candidates of documents; of some, the title is read as a part of the text, as in a plain file."""
    numbered = list(zip(documents, untitled, strict=True))
    for batch in chunked(track(numbered, "candidates", len(numbered)), BATCH):
        plain = [Document(id=one.id, body=one.text) if bare else one for one, bare in batch]
        for pool, (document, _) in zip(source.pools(plain), batch, strict=True):
            yield pool, RankingExample.of(pool, _keys(names(document), pool.reading.source.analyzer))


def drawn_untitled(count: int, share: float, seed: int) -> list[bool]:
    """Draw the documents that are read without a separate title."""
    chance = random.Random(seed)  # noqa: S311  # a choice, not a secret
    return [chance.random() < share for _ in range(count)]


def _keys(phrases: Iterable[str], analyzer: Analyzer) -> Hashes:
    stemmed = {tuple(phrase_stems(phrase, analyzer)) for phrase in phrases}
    return np.unique(np.array([phrase_hash(one) for one in stemmed if one], dtype=np.uint32))
