"""A corpus with tags, read once: its words on disk, and a sample of its documents."""

import hashlib
import json
import random
from collections.abc import Collection, Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keyseq.adapting.tag_check import TagCheck
from keyseq.data.overlap import text_digest
from keyseq.retrieval.token_store import Integers, TokenStore, store_tokens
from keyseq.text.analyzer import ENGLISH, Analyzer
from keyseq.types import Document

SAMPLE, COUNTS = "sample.jsonl", "counts.json"


@dataclass(frozen=True)
class TaggedCorpus:
    """The words and tags of all documents, and some of the documents at random, with their numbers (S,).

    If a network that takes part learnt from this corpus, the first `unseen` of the sample are documents that it did not
    learn from; else `unseen` is 0.
    """

    store: TokenStore
    numbers: Integers
    sample: list[Document]
    untagged: int  # documents that were left out
    repeated: int  # documents that were left out since an earlier one has the same text
    unseen: int

    @classmethod
    def open(cls, folder: Path, analyzer: Analyzer = ENGLISH) -> "TaggedCorpus":
        """Read what `read_corpus` wrote."""
        lines = (folder / SAMPLE).read_text(encoding="utf-8").splitlines()
        rows = [json.loads(line) for line in lines]
        counts = json.loads((folder / COUNTS).read_text(encoding="utf-8"))
        numbers = np.array([row.pop("number") for row in rows], dtype=np.int64)
        return cls(TokenStore.open(folder, analyzer), numbers, [_document(row) for row in rows], **counts)

    def seen(self, places: Integers) -> NDArray[np.bool_]:
        """Which documents of the sample, by their places, the network learnt from."""
        return places >= (self.unseen or len(self.sample))


def read_corpus(
    documents: Iterable[Document],
    folder: Path,
    name: str,
    *,
    size: int,
    seed: int,
    analyzer: Analyzer = ENGLISH,
    held_out: Collection[str] = (),
) -> None:
    """Read a corpus into a folder, with a random sample of this many documents in random order.

    A corpus with uninformative tags is refused. Documents without tags are left out, and so are duplicates of earlier
    texts, which could leak from the training documents into the test documents. `held_out` are the digests of texts
    that a network was validated on; if half of them are here, it learnt from this corpus.
    """
    reader = _Reader(TagCheck(name), size, seed, held_out)
    store_tokens(reader.kept(documents), folder, analyzer)
    reader.check.finish()
    with (folder / SAMPLE).open("w", encoding="utf-8") as file:
        for number, document in reader.sample:
            file.write(json.dumps({"number": number, **asdict(document)}) + "\n")
    counts = {"untagged": reader.untagged, "repeated": reader.repeated, "unseen": reader.unseen}
    (folder / COUNTS).write_text(json.dumps(counts), encoding="utf-8")


class _Reader:
    def __init__(self, check: TagCheck, size: int, seed: int, held_out: Collection[str]) -> None:
        self._held_out = held_out
        self._apart: list[tuple[int, Document]] = []  # documents that were held out
        self.check, self._size, self._chance = check, size, random.Random(seed)  # noqa: S311  # a sample, not a secret
        self.untagged = self.repeated = 0
        self._drawn: list[tuple[int, Document]] = []
        self._seen: set[bytes] = set()

    def kept(self, documents: Iterable[Document]) -> Iterator[Document]:
        """The documents to learn from; a reservoir of them is drawn on the way."""
        number = 0
        for document in documents:
            if not self.check.see(document):
                self.untagged += 1
            elif self._is_repeated(document):
                self.repeated += 1
                self.check.see_repeated()
            else:
                self._draw(number, document)
                number += 1
                yield document
        if not number:
            self.check.finish()

    @property
    def unseen(self) -> int:
        """How many documents the network did not learn from, if it learnt from the others."""
        return len(self._apart) if 2 * len(self._apart) > len(self._held_out) else 0

    @property
    def sample(self) -> list[tuple[int, Document]]:
        """What was drawn, in random order, after what the network did not learn from."""
        drawn = [self._apart, self._drawn] if self.unseen else [self._apart + self._drawn]
        return [one for part in drawn for one in self._chance.sample(part, len(part))]

    def _draw(self, number: int, document: Document) -> None:
        if self._held_out and text_digest(document.text) in self._held_out:
            self._apart.append((number, document))
        elif len(self._drawn) < self._size:
            self._drawn.append((number, document))
        elif (place := self._chance.randrange(number + 1)) < self._size:
            self._drawn[place] = (number, document)

    def _is_repeated(self, document: Document) -> bool:
        digest = hashlib.blake2b(document.text.encode(errors="surrogatepass"), digest_size=8).digest()
        known = digest in self._seen
        self._seen.add(digest)
        return known


def _document(row: dict[str, Any]) -> Document:
    lists = {name: row[name] and tuple(row[name]) for name in ("keyphrases", "subjects")}
    return Document(**row | lists)
