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
    document: Document, predicted: Iterable[str], present: int, analyzer: Analyzer = ENGLISH, *, instead: bool = False
) -> Document:
    """The document with its present gold keyphrases, then `predicted` present ones up to `present` in all, then its
    absent gold keyphrases. With `instead`, its present gold keyphrases are left out.

    Gold keyphrases are sorted by their rank among the predictions; those not predicted come last, in the given order.
    Phrases with the same stems are merged, keeping the form of the gold.
    """
    ranked = _by_stems(predicted, analyzer)
    ranks = {stems: rank for rank, stems in enumerate(ranked)}
    text = StemmedText.of(document.text, analyzer)
    gold = _by_stems(document.keyphrases or (), analyzer)
    if instead:
        gold = {stems: name for stems, name in gold.items() if stems not in text}
    in_order = sorted(gold, key=lambda stems: ranks.get(stems, len(ranks)))
    found = [stems for stems in in_order if stems in text]
    others = [stems for stems in ranked if stems not in gold and stems in text]
    absent = [stems for stems in in_order if stems not in text]
    phrases = [*(gold[stems] for stems in found), *(ranked[stems] for stems in others[: max(0, present - len(found))])]
    return replace(document, keyphrases=(*phrases, *(gold[stems] for stems in absent)))


def _by_stems(phrases: Iterable[str], analyzer: Analyzer) -> dict[tuple[str, ...], str]:
    """The first phrase for each sequence of stems; phrases without words are dropped."""
    named: dict[tuple[str, ...], str] = {}
    for phrase in phrases:
        if stems := tuple(phrase_stems(phrase, analyzer)):
            named.setdefault(stems, phrase)
    return named
