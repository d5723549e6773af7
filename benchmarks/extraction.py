"""Documents per second of the extractive systems on one thread, and the tagger beside textblob's own loop."""

import random
from collections.abc import Iterator

import keyseq
from benchmarks.figures import Figure, fastest
from keyseq.text.tagging import english

SENTENCES = 7
WORDS = {
    "noun": """network graph protein market robot algorithm climate language system image signal policy forest cell
        database sensor student learning model surface energy treatment memory galaxy software kernel""",
    "adjective": "neural deep social sparse random thermal nonlinear clinical robust parallel semantic molecular",
    "verb": "improves describes measures predicts compares reduces explains controls",
    "link": "of for in with under between",
}
NOUNS, ADJECTIVES, VERBS, LINKS = map(str.split, WORDS.values())


def documents(count: int, seed: int) -> list[str]:
    """Abstracts of about 150 words, made up of English words by a small grammar."""
    draw = random.Random(seed)
    return [" ".join(_sentence(draw) for _ in range(SENTENCES)) for _ in range(count)]


def _sentence(draw: random.Random) -> str:
    clauses = " , and ".join(" ".join(_clause(draw)) for _ in range(2))
    return f"We show that {clauses}."


def _clause(draw: random.Random) -> Iterator[str]:
    yield from ("the", *_phrase(draw), draw.choice(LINKS), *_phrase(draw))
    yield from (draw.choice(VERBS), "a", *_phrase(draw))


def _phrase(draw: random.Random) -> list[str]:
    words = draw.sample(ADJECTIVES, k=draw.choice([0, 1, 1])) + draw.sample(NOUNS, k=draw.choice([1, 1, 2]))
    if draw.random() < 0.1:
        words[0] = f"{draw.choice(ADJECTIVES)}-{draw.choice(NOUNS)}"
    return words


def run(quick: bool = False) -> list[Figure]:
    """Measure on generated abstracts."""
    texts = documents(50 if quick else 500, seed=3)
    figures = []
    for name in ("textrank", "tfidf"):
        system = keyseq.load(name)
        system.predict(texts[:1])  # tables are read at first use
        rate = len(texts) / fastest(lambda system=system: system.predict(texts))  # type: ignore[misc]
        figures.append(Figure(name=f"extract: {name}", value=rate, unit="documents/s"))
    return figures + _tagging(texts[:20])


def _tagging(texts: list[str]) -> list[Figure]:
    from textblob._text import find_tags
    from textblob.en import lexicon

    sentences = [sentence.split() for text in texts for sentence in text.split(". ")]
    count, tagger = sum(map(len, sentences)), english()
    rules = {"lexicon": lexicon, "morphology": lexicon.morphology, "context": lexicon.context}
    theirs = count / fastest(lambda: [find_tags(words, **rules) for words in sentences], repeats=3)
    ours = count / fastest(lambda: [tagger.tag(words) for words in sentences])
    return [
        Figure(name="tag: textblob's loop", value=theirs, unit="words/s"),
        Figure(name="tag: keyseq", value=ours, unit="words/s", baseline="textblob's loop", ratio=ours / theirs),
    ]
