"""The kind of a text: scholarly, a question, news or another; a linear classifier over words."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from keyseq.arrays import map_arrays, write_arrays
from keyseq.text.analyzer import ENGLISH
from keyseq.text.hashing import stem_hashes
from keyseq.types import Document

Floats = NDArray[np.float32]
SIZE = 1 << 14  # places that words are hashed to
MOST_WORDS = 400  # of a text that are read
LONGEST_WORD = 16  # characters that as many words have on average at most, as a rule
FEWEST_WORDS = 12  # of a text that can be classified
EPOCHS, RATE, L2 = 6, 0.5, 1e-5
_ANALYZER = ENGLISH.with_tokenizer("unicode")


@dataclass(frozen=True)
class Router:
    """Weights (C, SIZE + 1) for the classes, the names of systems; the last is that of the bias."""

    classes: tuple[str, ...]
    weights: Floats

    def choose(self, document: Document) -> str:
        """The class of a document; the first if it has too few words to be classified, or the headings of a paper.

        A text without a question mark is not a question.
        """
        if len(document.text.split()) < FEWEST_WORDS or _is_paper(document.body):
            return self.classes[0]
        places, values = _vector(document)
        scores = self.weights[:, places] @ values + self.weights[:, -1]
        if "?" not in document.text and ASKING in self.classes:
            scores[self.classes.index(ASKING)] = -np.inf
        return self.classes[int(np.argmax(scores))]

    def save(self, path: Path) -> None:
        """Write the weights; they hold their classes in their names."""
        write_arrays(path, {name: row.astype(np.float16) for name, row in zip(self.classes, self.weights, strict=True)})

    @classmethod
    def load(cls, path: Path) -> "Router":
        """Read what `save` wrote."""
        rows = map_arrays(path)
        names = tuple(sorted(rows, key=lambda name: (name != FIRST, name)))
        return cls(names, np.stack([rows[name] for name in names]).astype(np.float32))


FIRST = "scholar"  # the class of a text that cannot be classified
ASKING = "questions"
_HEADING = re.compile(
    r"^[\d. ]{0,9}(abstract|introduction|related work|methods?|materials and methods|methodology|results|discussion"
    r"|results and discussion|references)[.: ]{0,9}$",
    re.IGNORECASE | re.MULTILINE,
)
FEWEST_HEADINGS = 3  # of a paper whose abstract has none, since its reader knew it


def fit_router(examples: Iterable[tuple[Document, str]], seed: int = 3435) -> Router:
    """Fit a softmax regression by stochastic gradient descent (Adagrad)."""
    known = [(_vector(document), name) for document, name in examples]
    classes = tuple(sorted({name for _, name in known}, key=lambda name: (name != FIRST, name)))
    weights = np.zeros((len(classes), SIZE + 1), dtype=np.float32)
    squares = np.full_like(weights, 1e-6)
    chance = np.random.default_rng(seed)
    for _ in range(EPOCHS):
        for number in chance.permutation(len(known)):
            (places, values), name = known[number]
            used, inputs = np.append(places, SIZE), np.append(values, np.float32(1.0))
            errors = _softmax(weights[:, used] @ inputs)
            errors[classes.index(name)] -= 1
            slopes = np.outer(errors, inputs) + L2 * weights[:, used]
            squares[:, used] += slopes**2
            weights[:, used] -= RATE * slopes / np.sqrt(squares[:, used])
    return Router(classes, weights)


def accuracy(router: Router, examples: Sequence[tuple[Document, str]]) -> float:
    """Share of the documents whose class is found."""
    return float(np.mean([router.choose(document) == name for document, name in examples]))


def _is_paper(text: str) -> bool:
    """Whether a text has the headings of a paper."""
    found = {match[1].lower() for match in _HEADING.finditer(text)}
    return "introduction" in found and ("abstract" in found or len(found) >= FEWEST_HEADINGS)


def _vector(document: Document) -> tuple[NDArray[np.int64], Floats]:
    """The feature vector of a text, of length 1: indices of its words and marks, and their weights."""
    found = [*_ANALYZER.text_stems(document.title), *_first_stems(document.body)]
    marks = [f"mark{ord(mark)}" for mark in "?!:;/\"'-$€%@#" if mark in document.text[: 6 * MOST_WORDS]]
    hashes = np.concatenate([stem_hashes(found), stem_hashes(marks)])
    places, counts = np.unique(hashes % SIZE, return_counts=True)
    values = np.log1p(counts).astype(np.float32)
    return places.astype(np.int64), values / max(float(np.sqrt(values @ values)), 1e-9)


def _first_stems(text: str) -> list[str]:
    """The stems of the first words, without a look at the rest of a long text."""
    stems = _ANALYZER.text_stems(text[: LONGEST_WORD * MOST_WORDS])
    if len(stems) <= MOST_WORDS:  # the last may be cut
        stems = _ANALYZER.text_stems(text)
    return stems[:MOST_WORDS]


def _softmax(scores: Floats) -> Floats:
    raised = np.exp(scores - scores.max())
    shares: Floats = raised / raised.sum()
    return shares
