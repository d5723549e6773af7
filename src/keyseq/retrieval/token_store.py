"""A corpus as token ids on disk, encoded once and iterated over as often as counting requires."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from keyseq.errors import DataError
from keyseq.retrieval.profiles import ranges
from keyseq.retrieval.terms import StemmedWords, for_counting, stop_hashes, words_of
from keyseq.text.analyzer import ENGLISH, Analyzer
from keyseq.text.hashing import Hashes, phrase_hash
from keyseq.text.presence import phrase_stems
from keyseq.text.tokenize import DIGIT
from keyseq.types import Document

Integers = NDArray[np.int64]
LONGEST_LABEL = 6  # words of a keyphrase that is counted
MOST_FORMS = 3_000_000  # keyphrases in memory: beyond it the rarest are forgotten


class CountedKeyphrase(NamedTuple):
    """A keyphrase of a corpus: its stems, its most frequent form, and how many documents have it."""

    stems: tuple[str, ...]
    text: str
    documents: int


@dataclass(frozen=True)
class TokenStore:
    """The words of a corpus in one file, its documents' keyphrases as numbers, and the keyphrases themselves.

    The words of document d are those from `starts[d]` to `ends[d]`.
    """

    words: NDArray[np.uint32]
    starts: Integers  # (N,)
    ends: Integers  # (N,)
    titles: Integers  # (N,) how many of its words are the title's
    gold: Hashes  # the numbers of all documents' keyphrases in a row
    gold_offsets: Integers  # (N + 1,)
    keyphrases: Sequence[CountedKeyphrase]  # the most frequent first
    stop_words: Hashes  # of the language, sorted

    @classmethod
    def open(cls, folder: Path, analyzer: Analyzer = ENGLISH) -> "TokenStore":
        """Map what `store_tokens` wrote."""
        offsets, titles, gold, gold_offsets = (
            np.load(folder / f"{name}.npy") for name in ("offsets", "titles", "gold", "gold_offsets")
        )
        rows = json.loads((folder / "keyphrases.json").read_text(encoding="utf-8"))
        keyphrases = [CountedKeyphrase(tuple(words), text, count) for words, text, count in rows]
        words, stop_words = _mapped(folder / "words.u32"), stop_hashes(for_counting(analyzer))
        return cls(words, offsets[:-1], offsets[1:], titles, gold, gold_offsets, keyphrases, stop_words)

    def __len__(self) -> int:
        return len(self.titles)

    def part(self, numbers: Integers) -> "TokenStore":
        """Some of the documents, as if there were no others."""
        sizes = np.diff(self.gold_offsets)[numbers]
        gold = self.gold[ranges(self.gold_offsets[numbers], self.gold_offsets[numbers] + sizes)]
        keys, times = np.unique(gold, return_counts=True)
        counts = dict(zip(keys.tolist(), times.tolist(), strict=True))
        kept = (one._replace(documents=counts.get(phrase_hash(one.stems), 0)) for one in self.keyphrases)
        return TokenStore(
            self.words,
            self.starts[numbers],
            self.ends[numbers],
            self.titles[numbers],
            gold,
            np.concatenate([[0], np.cumsum(sizes)]),
            sorted((one for one in kept if one.documents), key=lambda one: (-one.documents, one.stems)),
            self.stop_words,
        )

    def document(self, number: int) -> StemmedWords:
        """The words of a document."""
        words = np.asarray(self.words[self.starts[number] : self.ends[number]])
        return StemmedWords(words, int(self.titles[number]), self.stop_words)

    def documents(self) -> Iterator[StemmedWords]:
        """The words of each document."""
        return map(self.document, range(len(self)))


def store_tokens(documents: Iterable[Document], folder: Path, analyzer: Analyzer = ENGLISH) -> TokenStore:
    """Read a corpus into a folder."""
    offsets, titles, gold, gold_offsets = [0], [], [], [0]
    counts: Counter[tuple[str, ...]] = Counter()
    forms: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    with (folder / "words.u32").open("wb") as file:
        for document in documents:
            words = words_of(document, analyzer)
            file.write(words.hashes.tobytes())
            offsets.append(offsets[-1] + len(words.hashes))
            titles.append(words.title)
            given = _given(document, for_counting(analyzer))
            gold += [phrase_hash(one) for one in given]
            gold_offsets.append(len(gold))
            counts.update(given.keys())
            for one, text in given.items():
                forms[one][text] += 1
            if len(counts) > MOST_FORMS:
                _forget(counts, forms)
    if not titles:
        raise DataError("the corpus has no documents to learn from")
    if not counts:
        raise DataError("no document of the corpus has keyphrases to learn from")
    for name, values in {"offsets": offsets, "titles": titles, "gold": gold, "gold_offsets": gold_offsets}.items():
        np.save(folder / f"{name}.npy", np.array(values, dtype=np.uint32 if name == "gold" else np.int64))
    ranked = sorted(counts, key=lambda one: (-counts[one], one))
    rows = [(one, _usual(forms[one]), counts[one]) for one in ranked]
    (folder / "keyphrases.json").write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")
    return TokenStore.open(folder, analyzer)


def _given(document: Document, analyzer: Analyzer) -> dict[tuple[str, ...], str]:
    """A document's keyphrases by their stems, each once."""
    found: dict[tuple[str, ...], str] = {}
    for phrase in document.keyphrases or ():
        one = tuple(phrase_stems(phrase, analyzer))
        if 0 < len(one) <= LONGEST_LABEL and any(stem != DIGIT and any(map(str.isalpha, stem)) for stem in one):
            found.setdefault(one, " ".join(phrase.split()))
    return found


def _usual(forms: Counter[str]) -> str:
    """The most frequent form; of several, that with the fewest capitals."""
    return min(forms, key=lambda form: (-forms[form], sum(map(str.isupper, form)), form))


def _forget(counts: Counter[tuple[str, ...]], forms: dict[tuple[str, ...], Counter[str]]) -> None:
    for one in [one for one, count in counts.items() if count == 1]:
        del counts[one], forms[one]


def _mapped(path: Path) -> NDArray[np.uint32]:
    if not path.stat().st_size:
        return np.zeros(0, dtype=np.uint32)
    return np.memmap(path, dtype=np.uint32, mode="r")
