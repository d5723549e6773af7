"""Whether labels and texts are in a language, by how many of their words a tagger knows."""

import random
from collections.abc import Iterable

from keyseq.languages import LANGUAGES
from keyseq.text.analyzer import Analyzer
from keyseq.vocabularies.controlled_vocabulary import ControlledVocabulary

KNOWN = (
    0.4  # share of known words: English keywords have two thirds or more, those of other languages a quarter or less
)
FEWEST = 20  # words needed to decide
SAMPLED = 2_000  # labels
BEGINNING = 3_000  # characters of a text
SHORTEST = 4  # letters: shorter words are alike in many languages


def foreign_labels(vocabulary: ControlledVocabulary, analyzer: Analyzer) -> str:
    """A remark on labels without a language that seem to be in another than the texts; nothing if they do not."""
    if analyzer.language in vocabulary.languages:
        return ""
    numbers = range(len(vocabulary.labels))
    sample = numbers if len(numbers) <= SAMPLED else random.Random(0).sample(numbers, SAMPLED)  # noqa: S311
    if not _is_foreign((vocabulary.labels[number] for number in sample), analyzer):
        return ""
    language = LANGUAGES[analyzer.language].name
    return f"{vocabulary.name}: few of the words of its labels are {language}, which texts are taken to be in"


def is_foreign(text: str, analyzer: Analyzer) -> bool:
    """Whether a text seems to be in another language than that of an analyzer."""
    return _is_foreign([text[:BEGINNING]], analyzer)


def _is_foreign(texts: Iterable[str], analyzer: Analyzer) -> bool:
    tagger = analyzer.tagger
    if tagger is None:
        return False
    words = [word for text in texts for word in analyzer.for_text(text).words(text) if _tells(word)]
    return len(words) >= FEWEST and tagger.known(words) < KNOWN * len(words)


def _tells(word: str) -> bool:
    return len(word) >= SHORTEST and word.isalpha()
