"""A corpus as numbers on disk, read once and gone through as often as counting needs it."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from keyseq.errors import DataError
from keyseq.retrieval.terms import ANALYZER, StemmedWords, words_of
from keyseq.text.hashing import phrase_hash
from keyseq.text.presence import phrase_stems
from keyseq.text.tokenize import DIGIT
from keyseq.types import Document

LONGEST_LABEL = 6  # words of a keyphrase that is counted
MOST_FORMS = 3_000_000  # keyphrases in memory: beyond it the rarest are forgotten


class CountedKeyphrase(NamedTuple):
    """A keyphrase of a corpus: its stems, its most frequent form, and how many documents have it."""

    stems: tuple[str, ...]
    text: str
    documents: int


class TokenStore:
    """The words of a corpus in one file, its documents' keyphrases as numbers, and the keyphrases themselves."""

    def __init__(self, folder: Path) -> None:
        self.words: NDArray[np.uint32] = _mapped(folder / "words.u32")
        self.offsets, self.titles, self.gold, self.gold_offsets = (
            np.load(folder / f"{name}.npy") for name in ("offsets", "titles", "gold", "gold_offsets")
        )
        rows = json.loads((folder / "keyphrases.json").read_text(encoding="utf-8"))
        self.keyphrases = [CountedKeyphrase(tuple(words), text, count) for words, text, count in rows]

    def __len__(self) -> int:
        return len(self.titles)

    def document(self, number: int) -> StemmedWords:
        """The words of a document."""
        return StemmedWords(
            np.asarray(self.words[self.offsets[number] : self.offsets[number + 1]]), int(self.titles[number])
        )

    def documents(self) -> Iterator[StemmedWords]:
        """The words of each document."""
        return map(self.document, range(len(self)))


def store_tokens(documents: Iterable[Document], folder: Path) -> TokenStore:
    """Read a corpus into a folder."""
    offsets, titles, gold, gold_offsets = [0], [], [], [0]
    counts: Counter[tuple[str, ...]] = Counter()
    forms: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    with (folder / "words.u32").open("wb") as file:
        for document in documents:
            words = words_of(document)
            file.write(words.hashes.tobytes())
            offsets.append(offsets[-1] + len(words.hashes))
            titles.append(words.title)
            given = _given(document)
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
    return TokenStore(folder)


def _given(document: Document) -> dict[tuple[str, ...], str]:
    """A document's keyphrases by their stems, each once."""
    found: dict[tuple[str, ...], str] = {}
    for phrase in document.keyphrases or ():
        one = tuple(phrase_stems(phrase, ANALYZER))
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
