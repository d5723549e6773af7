"""Rank keyphrases by a system, and add or substitute present phrases that it predicted.

Annotators list only a few of the phrases that describe a text, and a network trained on such lists learns to stop as
early as they do; a list extended by the results of a slow search trains a fast decoding to generate them.
"""

from collections.abc import Iterable
from dataclasses import replace

from keyseq.text.analyzer import ENGLISH, Analyzer
from keyseq.text.presence import StemmedText, phrase_stems
from keyseq.types import Document


def filled(
    document: Document, said: Iterable[str], present: int, analyzer: Analyzer = ENGLISH, *, instead: bool = False
) -> Document:
    """The document with its own present keyphrases, best ranked first, as many more `said` ones as make them `present`,
    and its own absent ones, best ranked first. With `instead`, its own present ones are left out.

    What was not said ranks behind all that was, as it was given. Phrases with the same stems are one, and go by the
    document's own name.
    """
    ranked = _by_stems(said, analyzer)
    ranks = {stems: rank for rank, stems in enumerate(ranked)}
    text = StemmedText.of(document.text, analyzer)
    own = _by_stems(document.keyphrases or (), analyzer)
    if instead:
        own = {stems: name for stems, name in own.items() if stems not in text}
    in_order = sorted(own, key=lambda stems: ranks.get(stems, len(ranks)))
    found = [stems for stems in in_order if stems in text]
    others = [stems for stems in ranked if stems not in own and stems in text]
    absent = [stems for stems in in_order if stems not in text]
    phrases = [*(own[stems] for stems in found), *(ranked[stems] for stems in others[: max(0, present - len(found))])]
    return replace(document, keyphrases=(*phrases, *(own[stems] for stems in absent)))


def _by_stems(phrases: Iterable[str], analyzer: Analyzer) -> dict[tuple[str, ...], str]:
    """Phrases by their stems, the first of each; what has no words is left out."""
    named: dict[tuple[str, ...], str] = {}
    for phrase in phrases:
        if stems := tuple(phrase_stems(phrase, analyzer)):
            named.setdefault(stems, phrase)
    return named
