"""A small text with hand-made counts, profiles and generated phrases, so that every feature can be worked out."""

import numpy as np

from keyseq.extractive.reading import Reading
from keyseq.ranking.pool import GeneratedPhrase, Known, Pool
from keyseq.retrieval.keyphraseness import Keyphraseness
from keyseq.retrieval.profiles import Profiles
from keyseq.text.hashing import phrase_hash, stem_hashes
from keyseq.text.presence import phrase_stems

TITLE = "Solar panels"
# eighteen words: the marks count, "the" and "of" are stop words
TEXT = "Solar panels . Solar panels power the house of 3 owners. Cheap solar heating, SOLAR panels"
LABELS = ("solar energy", "solar panels", "heating")
GENERATED = (GeneratedPhrase(("photovoltaic", "cells"), 0.5, 0.75), GeneratedPhrase(("solar", "panels"), 0.25, 0.5))


def key(phrase):
    return phrase_hash(phrase_stems(phrase))


def keyphraseness(phrases=(), words=()):
    """Counts over 99 documents from (phrase, given, contained) and (word, begins, ends)."""
    phrases, words = (sorted((key(name), *values) for name, *values in rows) for rows in (phrases, words))
    columns = [np.array([row[place] for row in phrases], dtype=np.uint32) for place in range(3)]
    roles = [np.array([row[place] for row in words], dtype=np.uint32) for place in range(3)]
    return Keyphraseness(
        documents=99,
        phrases=columns[0],
        as_keyphrase=columns[1],
        containing=columns[2],
        words=roles[0],
        beginning=roles[1],
        ending=roles[2],
    )


def profiles(weights, labels=LABELS):
    """Profiles from {term: (idf, {label: weight})}."""
    terms = sorted(weights, key=key)
    entries = [(label, weight) for term in terms for label, weight in weights[term][1].items()]
    scale = np.array([max([abs(weight) for label, weight in entries if label == name] or [1]) for name in labels])
    words = [stem_hashes(phrase_stems(label)) for label in labels]
    return Profiles(
        terms=np.array([key(term) for term in terms], dtype=np.uint32),
        idf=np.array([weights[term][0] for term in terms], dtype=np.float32),
        offsets=np.concatenate([[0], np.cumsum([len(weights[term][1]) for term in terms])]).astype(np.uint32),
        labels=np.array([labels.index(label) for label, _ in entries], dtype=np.uint16),
        weights=np.array([round(127 * weight / scale[labels.index(label)]) for label, weight in entries], np.int8),
        scale=(scale / 127).astype(np.float32),
        keys=np.array([key(label) for label in labels], dtype=np.uint32),
        words=np.concatenate(words),
        word_offsets=np.concatenate([[0], np.cumsum([len(one) for one in words])]).astype(np.uint32),
    )


def known():
    return Known(
        keyphraseness(
            [("solar", 2, 24), ("panels", 0, 9), ("solar panels", 4, 19)], [("solar", 7, 1), ("panels", 0, 3)]
        ),
        profiles({"solar": (1.0, {"solar energy": 0.5}), "house": (2.0, {"solar panels": 1.0})}),
        keyphraseness([("solar panels", 9, 29)]),
    )


def pool(text=TEXT, title=TITLE, knowing=None, generated=GENERATED):
    return Pool(Reading(text), title, knowing or known(), generated)


def number(pool, phrase):
    """The place of a candidate."""
    [found] = np.flatnonzero(pool.keys == key(phrase))
    return int(found)
