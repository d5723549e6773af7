"""From concepts, as files describe them, to a vocabulary: labels once each, relations resolved, cycles broken."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from keyseq.errors import DataError, shown
from keyseq.vocabularies.concept import BROADER, INVERSE, PREFERRED, Concept, ConceptLabel
from keyseq.vocabularies.controlled_vocabulary import ControlledVocabulary
from keyseq.vocabularies.text_table import TextTable

MOST_LANGUAGES = 255
Edge = tuple[int, int, int]  # a concept, the kind of its relation, another concept


def build_vocabulary(concepts: Iterable[Concept], name: str, remarks: Sequence[str] = ()) -> ControlledVocabulary:
    """Make a vocabulary of concepts; those without a label are left out, and so is a second one with the same URI."""
    kept = _distinct(concepts)
    if not kept:
        raise DataError(f"{name}: holds no concept with a label")
    edges, told = _relations(kept, name)
    labels = [_sorted_labels(concept.labels) for concept in kept]
    flat = [label for own in labels for label in own]
    codes = tuple(dict.fromkeys(label.language for label in flat))
    if len(codes) > MOST_LANGUAGES:
        raise DataError(f"{name}: has labels in {len(codes)} languages, more than {MOST_LANGUAGES}")
    numbers = {code: number for number, code in enumerate(codes)}
    return ControlledVocabulary(
        uris=TextTable.of(concept.uri for concept in kept),
        labels=TextTable.of(label.text for label in flat),
        label_offsets=_offsets([len(own) for own in labels]),
        label_kinds=np.array([label.kind for label in flat], dtype=np.uint8),
        label_languages=np.array([numbers[label.language] for label in flat], dtype=np.uint8),
        codes=codes,
        relation_offsets=_offsets(np.bincount([one for one, _, _ in edges], minlength=len(kept)).tolist()),
        relation_kinds=np.array([kind for _, kind, _ in edges], dtype=np.uint8),
        relations=np.array([other for _, _, other in edges], dtype=np.uint32),
        name=name,
        remarks=(*remarks, *told),
    )


def vocabulary_of_labels(labels: Iterable[str], name: str) -> ControlledVocabulary:
    """A vocabulary of bare labels, one for each concept."""
    return build_vocabulary((Concept("", (ConceptLabel(label),)) for label in labels), name)


def _distinct(concepts: Iterable[Concept]) -> list[Concept]:
    """Concepts with labels, each URI once; of those without a URI each preferred label once."""
    kept: dict[str, Concept] = {}
    for concept in concepts:
        labels = tuple(label for label in map(_trimmed, concept.labels) if label.text)
        if labels:
            first = next((label for label in labels if label.kind == PREFERRED), labels[0])
            kept.setdefault(
                concept.uri or f" {first.text}", Concept(concept.uri, labels, concept.relations, concept.place)
            )
    return list(kept.values())


def _trimmed(label: ConceptLabel) -> ConceptLabel:
    return label._replace(text=" ".join(label.text.split()), language=label.language.lower().partition("-")[0])


def _sorted_labels(labels: Iterable[ConceptLabel]) -> list[ConceptLabel]:
    """Each text once in a language, as the best of its kinds, preferred ones first."""
    once: dict[tuple[str, str], ConceptLabel] = {}
    for label in sorted(labels, key=lambda label: label.kind):
        once.setdefault((label.text, label.language), label)
    return list(once.values())


def _offsets(sizes: Sequence[int]) -> "np.ndarray[tuple[int], np.dtype[np.uint32]]":
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.uint32)


class _Resolved(NamedTuple):
    edges: list[Edge]
    remarks: list[str]


def _relations(concepts: Sequence[Concept], name: str) -> _Resolved:
    """All relations in both directions, sorted; what leads out of the vocabulary, or back to itself, is left out."""
    numbers = {label.text: number for number, one in enumerate(concepts) for label in one.labels if not label.kind}
    numbers |= {concept.uri: number for number, concept in enumerate(concepts) if concept.uri}
    edges: set[Edge] = set()
    missing: list[tuple[Concept, str]] = []
    for number, concept in enumerate(concepts):
        for kind, target in concept.relations:
            other = numbers.get(target)
            if other is None:
                missing.append((concept, target))
            elif other != number or kind == BROADER:
                edges |= {(number, kind, other), (other, INVERSE[kind], number)}
    remarks = []
    if missing:
        concept, target = missing[0]
        remarks.append(
            f"{concept.place or name}: ignored: relations to concepts that it does not have ({len(missing):,}, the "
            f"first to '{shown(target)}')"
        )
    closing = closing_edges({one: sorted(others) for one, others in _broader(edges).items()})
    if closing:
        one, other = closing[0]
        remarks.append(
            f"{name}: its broader relations are cyclic: '{shown(_name(concepts[one]))}' is broader than itself; "
            f"ignored: those that close a cycle ({len(closing):,}, the first to '{shown(_name(concepts[other]))}')"
        )
        edges -= {(one, BROADER, other) for one, other in closing}
        edges -= {(other, INVERSE[BROADER], one) for one, other in closing}
    return _Resolved(sorted(edges), remarks)


def _name(concept: Concept) -> str:
    return next((label.text for label in concept.labels if label.kind == PREFERRED), concept.labels[0].text)


def _broader(edges: Iterable[Edge]) -> dict[int, list[int]]:
    broader: dict[int, list[int]] = {}
    for one, kind, other in edges:
        if kind == BROADER:
            broader.setdefault(one, []).append(other)
    return broader


def closing_edges(graph: dict[int, list[int]]) -> list[tuple[int, int]]:
    """The edges that lead back to where a depth-first walk came from: without them, a graph has no cycles."""
    closing: list[tuple[int, int]] = []
    done: set[int] = set()
    for start in sorted(graph):
        path, waiting = [start], [iter(graph[start])] if start not in done else []
        on_path = {start}
        while waiting:
            following = next(waiting[-1], None)
            if following is None:
                waiting.pop()
                left = path.pop()
                on_path.discard(left)
                done.add(left)
            elif following in on_path:
                closing.append((path[-1], following))
            elif following not in done:
                path.append(following)
                on_path.add(following)
                waiting.append(iter(graph.get(following, ())))
    return closing
