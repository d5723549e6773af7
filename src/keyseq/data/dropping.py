"""KPDrop: drop present keyphrases from the text, so that a network learns to generate absent ones.

Most annotated keyphrases are present in the text, so a network learns mainly to copy. A keyphrase that is dropped
from the text is still what the text is about (Ray Chowdhury et al., 2022).
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from keyseq.text.analyzer import ENGLISH, Analyzer
from keyseq.text.presence import SourceText, phrase_stems
from keyseq.types import Document


def dropped(document: Document, rate: float, key: tuple[int, int], analyzer: Analyzer = ENGLISH) -> Document:
    """Drop each present keyphrase from the text with probability `rate`; the list of keyphrases is unchanged.

    A longer keyphrase that contains a dropped one becomes absent too. `key` is (seed, document) and seeds the choice,
    so that the result is reproducible.
    """
    phrases = [stems for phrase in document.keyphrases or () if (stems := phrase_stems(phrase, analyzer))]
    lots = np.random.default_rng(key).random(len(phrases))
    gone = [stems for stems, lot in zip(phrases, lots, strict=True) if lot < rate]
    title, body = (_without(text, gone, analyzer) for text in (document.title, document.body))
    return replace(document, title=title, body=body)


def _without(text: str, phrases: Iterable[Sequence[str]], analyzer: Analyzer) -> str:
    """A text without any occurrence of these stemmed phrases."""
    source = SourceText(text, analyzer)
    spans = sorted(span for phrase in phrases for span in source.spans(phrase))
    if not spans:
        return text
    kept, at = [], 0
    for start, end in spans:
        kept.append(text[at:start])  # empty where spans overlap
        at = max(at, end)
    return " ".join("".join([*kept, text[at:]]).split())
