"""Evaluation as one writes it first: words stemmed by NLTK wherever they occur, phrases compared as lists of stems."""

from collections.abc import Sequence

from nltk.stem.porter import PorterStemmer

from keyseq.text.tokenize import words
from keyseq.types import Document

_STEMMER = PorterStemmer()


def plain_evaluation(documents: Sequence[Document], predictions: Sequence[Sequence[str]]) -> dict[str, float]:
    """Macro-averaged F1 of present and absent phrases at 5, 10, the number of gold phrases (O) and all (M)."""
    sums: dict[str, float] = {}
    counts: dict[str, int] = {}
    for document, predicted in zip(documents, predictions, strict=True):
        source = _stems(f"{document.title} {document.body}")
        gold, found = list(map(_stems, document.keyphrases or ())), _distinct(predicted)
        for part, wanted in (("present", True), ("absent", False)):
            targets, guesses = (
                [phrase for phrase in some if _occurs(phrase, source) == wanted] for some in (gold, found)
            )
            if not targets:
                continue
            for name, cut in {"5": 5, "10": 10, "o": len(targets), "m": len(guesses)}.items():
                metric = f"{part}.f1@{name}"
                sums[metric] = sums.get(metric, 0.0) + _f1(guesses[:cut], targets)
                counts[metric] = counts.get(metric, 0) + 1
    return {metric: total / counts[metric] for metric, total in sums.items()}


def _stems(text: str) -> list[str]:
    return [_STEMMER.stem(word) for word in words(text)]


def _distinct(phrases: Sequence[str]) -> list[list[str]]:
    """The stems of phrases, each once; the protocol drops those with a full stop or a comma."""
    kept: list[list[str]] = []
    for phrase in map(_stems, phrases):
        if phrase and phrase not in kept and "." not in phrase and "," not in phrase:
            kept.append(phrase)
    return kept


def _occurs(phrase: list[str], source: list[str]) -> bool:
    return any(source[start : start + len(phrase)] == phrase for start in range(len(source) - len(phrase) + 1))


def _f1(guesses: list[list[str]], targets: list[list[str]]) -> float:
    right = sum(guess in targets for guess in guesses)
    precision, recall = right / max(1, len(guesses)), right / len(targets)
    return 2 * precision * recall / (precision + recall) if right else 0.0
