"""Documents made up by a seed: words by Zipf's law, keyphrases of which some are in the text."""

import random
from collections.abc import Iterator
from itertools import accumulate

from keyseq.types import Document

VOCABULARY = 50_000
PRESENT = 0.6  # of the keyphrases, as in scientific abstracts
TITLE = 12  # words
SENTENCE = 20
SYLLABLES = ["ba", "ce", "di", "fo", "gu", "la", "me", "ni", "po", "ru", "sta", "tre", "vi", "con", "ter", "gra"]
ENDINGS = ["", "s", "ing", "ed", "ation", "al", "ly", "ity", "ness", "ive"]


def documents(count: int, seed: int, words: int = 180, keyphrases: int = 5) -> Iterator[Document]:
    """Yield documents of `words` words, title included, and on average `keyphrases` keyphrases."""
    draw = random.Random(seed)
    vocabulary = _vocabulary(random.Random(0))
    weights = list(accumulate(1 / rank for rank in range(1, VOCABULARY + 1)))
    for number in range(count):
        text = draw.choices(vocabulary, cum_weights=weights, k=words)
        title, body = text[:TITLE], text[TITLE:]
        phrases = tuple(_phrase(draw, text, vocabulary) for _ in range(draw.randint(1, 2 * keyphrases - 1)))
        yield Document(id=str(number), title=_sentences(title), body=_sentences(body), keyphrases=phrases)


def predictions(document: Document, seed: int, count: int = 10) -> list[str]:
    """Make up predictions for a document: some of its keyphrases, some from its text, some wrong."""
    draw = random.Random(f"{seed} {document.id}")
    text = document.text.split()
    right = [phrase for phrase in document.keyphrases or () if draw.random() < 0.4]
    others = [_phrase(draw, text, text) for _ in range(count)]
    mixed = [*right, *others][:count]
    draw.shuffle(mixed)
    return mixed


def _vocabulary(draw: random.Random) -> list[str]:
    """Different words, the most frequent first: these are short, as in any language."""
    found: dict[str, float] = {}
    while len(found) < VOCABULARY:
        stem = "".join(draw.choices(SYLLABLES, k=draw.randint(1, 4)))
        word = stem + draw.choice(ENDINGS)
        found.setdefault(word, len(word) + 6 * draw.random())
    return sorted(found, key=found.__getitem__)


def _phrase(draw: random.Random, text: list[str], vocabulary: list[str]) -> str:
    length = draw.choice([1, 2, 2, 2, 3])
    if draw.random() < PRESENT:
        first = draw.randrange(len(text) - length)
        return " ".join(text[first : first + length]).replace(".", "").replace(",", "")
    return " ".join(draw.choices(vocabulary, k=length))


def _sentences(words: list[str]) -> str:
    """Write words as sentences with a comma in the middle."""
    lines = []
    for first in range(0, len(words), SENTENCE):
        line = words[first : first + SENTENCE]
        half = len(line) // 2
        lines.append(f"{' '.join(line[:half])}, {' '.join(line[half:])}.".capitalize())
    return " ".join(lines)
