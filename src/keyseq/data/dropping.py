"""Keyphrases taken out of the text, so that a network learns to say what a text only means (KPDrop).

Most keyphrases that people give stand in the text, so a network learns to copy and little else. One that is cut out of
the text, wherever it stands, is still what the text is about (Ray Chowdhury et al., 2022).
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from keyseq.text.presence import SourceText, phrase_stems
from keyseq.text.tokenize import DEFAULT
from keyseq.types import Document


def dropped(document: Document, rate: float, key: tuple[int, int], tokenizer: str = DEFAULT) -> Document:
    """The document without some of its present keyphrases in its text, each gone at this rate; the list stays.

    A longer keyphrase that one of them is part of loses that part, and so is gone too. `key` is (seed, document) and
    decides which, so that a corpus is the same whenever it is made.
    """
    phrases = [stems for phrase in document.keyphrases or () if (stems := phrase_stems(phrase, tokenizer))]
    lots = np.random.default_rng(key).random(len(phrases))
    gone = [stems for stems, lot in zip(phrases, lots, strict=True) if lot < rate]
    title, body = (_without(text, gone, tokenizer) for text in (document.title, document.body))
    return replace(document, title=title, body=body)


def _without(text: str, phrases: Iterable[Sequence[str]], tokenizer: str) -> str:
    """A text without any place of these stemmed phrases."""
    source = SourceText(text, tokenizer)
    spans = sorted(span for phrase in phrases for span in source.spans(phrase))
    if not spans:
        return text
    kept, at = [], 0
    for start, end in spans:
        kept.append(text[at:start])  # nothing where places overlap
        at = max(at, end)
    return " ".join("".join([*kept, text[at:]]).split())
