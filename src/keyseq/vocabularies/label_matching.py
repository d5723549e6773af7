"""The labels of a vocabulary in a text: whole labels, in any inflected form, the longest wherever one holds another."""

import re
from collections import defaultdict
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from keyseq.text.analyzer import Analyzer
from keyseq.text.hashing import phrase_hash, run_hashes, stem_hashes
from keyseq.text.presence import SourceText
from keyseq.vocabularies.comparable import comparable, is_acronym, label_forms
from keyseq.vocabularies.controlled_vocabulary import ControlledVocabulary

_JOINT = re.compile(r"[^\S\n]*(?:\n[^\S\n]*)?[-‐‑–/'’&]?[^\S\n]*(?:\n[^\S\n]*)?")  # between words of one label
_MOST_JOINED = 12  # characters


class LabelMatch(NamedTuple):
    """A label at a place of a text: from token `first` up to, without it, token `last`."""

    label: int
    first: int
    last: int


def find_labels(vocabulary: ControlledVocabulary, source: SourceText) -> list[LabelMatch]:
    """Where a text has labels of a vocabulary; a label inside of a longer one is not found there."""
    index, light = vocabulary.index(source.analyzer), source.analyzer.light
    stems, tokens = comparable(source.text, source.tokens, light)
    hashes = stem_hashes(stems)
    found = []
    for length in index.lengths.tolist():
        places, labels = index.find(run_hashes(hashes, length))
        for place, label in zip(places.tolist(), labels.tolist(), strict=True):
            match = LabelMatch(label, tokens[place], tokens[place + length - 1] + 1)
            is_label = stems[place : place + length] in vocabulary.forms(label, light)
            if is_label and _fits(vocabulary.labels[label], match, source):
                found.append(match)
    return _longest(found)


def by_concept(vocabulary: ControlledVocabulary, matches: Iterable[LabelMatch]) -> dict[int, list[LabelMatch]]:
    """The matches of each concept, in the order of the text; of its labels at one place only the best kind's."""
    found: defaultdict[int, dict[tuple[int, int], LabelMatch]] = defaultdict(dict)
    for match in sorted(matches, key=lambda match: (match.first, match.label)):  # preferred labels have lower numbers
        found[int(vocabulary.label_concepts[match.label])].setdefault((match.first, match.last), match)
    return {concept: list(own.values()) for concept, own in found.items()}


def unambiguous(vocabulary: ControlledVocabulary, matches: Iterable[LabelMatch]) -> list[LabelMatch]:
    """At each place the label of one concept: one that is preferred before others, and the first of the vocabulary."""
    best: dict[tuple[int, int], LabelMatch] = {}
    for match in sorted(matches, key=lambda match: (vocabulary.label_kinds[match.label], match.label)):
        best.setdefault((match.first, match.last), match)
    return list(best.values())


def labels_of_phrase(vocabulary: ControlledVocabulary, phrase: str, analyzer: Analyzer) -> list[int]:
    """The labels of a vocabulary that a phrase is a form of."""
    light = analyzer.light
    forms = label_forms(phrase, light)
    _, labels = vocabulary.index(analyzer).find(np.array([phrase_hash(form) for form in forms], dtype=np.uint32))
    return [
        label
        for label in dict.fromkeys(labels.tolist())
        if any(form in forms for form in vocabulary.forms(label, light))
    ]


def _fits(label: str, match: LabelMatch, source: SourceText) -> bool:
    """Whether what the text has is the label, and not the same letters: "it" is not IT, nor "who" WHO."""
    tokens = source.tokens[match.first : match.last]
    if len(tokens) == 1:
        return _is_word(label, tokens[0].text, source.analyzer)
    gaps = (source.text[one.end : other.start] for one, other in pairwise(tokens))
    return all(len(gap) <= _MOST_JOINED and _JOINT.fullmatch(gap) for gap in gaps)


def _is_word(label: str, word: str, analyzer: Analyzer) -> bool:
    bare = label.partition(" (")[0]
    if is_acronym(bare):
        return word in (bare, f"{bare}s")
    return word.lower() not in analyzer.stop_words or (word.isupper() and len(word) > 1)


def _longest(found: list[LabelMatch]) -> list[LabelMatch]:
    """Leave out what lies within a longer match."""
    kept: list[LabelMatch] = []
    reach, widest = -1, (0, 0)
    for match in sorted(found, key=lambda match: (match.first, -match.last)):
        if match.last > reach:
            reach, widest = match.last, (match.first, match.last)
            kept.append(match)
        elif (match.first, match.last) == widest:
            kept.append(match)
    return kept
