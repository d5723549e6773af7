"""A validation part that is taken from a corpus: the same documents whenever the corpus is the same."""

import heapq
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from keyseq.data.overlap import text_digest
from keyseq.errors import DataError
from keyseq.types import Document

SHARE = 10  # one document in this many is held out
FEWEST, MOST = 20, 500  # documents of a validation part
LEAST = 2 * FEWEST  # documents of a corpus that can be divided


@dataclass(frozen=True, slots=True)
class Division:
    """The held-out documents of a corpus, and the number of the others; documents without keyphrases do not count."""

    held_out: list[Document]
    others: int


def divide(documents: Callable[[], Iterable[Document]], name: str) -> Division:
    """Hold out a tenth of a corpus, which is read twice; `name` is what messages call it.

    Documents are chosen by the digest of their text, so that neither their order nor those added later matter much.
    """
    count = sum(1 for _ in _tagged(documents()))
    if count < LEAST:
        told = f"only {count} documents have keyphrases" if count else "no document has keyphrases"
        raise DataError(f"{name}: {told}, of which a part is held out for validation; at least {LEAST} are needed")
    size = min(MOST, max(FEWEST, count // SHARE))
    chosen = heapq.nsmallest(size, _tagged(documents()), key=lambda document: text_digest(document.text))
    return Division(chosen, count - size)


def _tagged(documents: Iterable[Document]) -> Iterator[Document]:
    return (document for document in documents if document.keyphrases)
