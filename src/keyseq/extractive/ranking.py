"""From scored candidates to phrases: the best first, in the words of the text."""

from collections import Counter
from collections.abc import Iterable

from keyseq.extractive.candidates import Candidate
from keyseq.extractive.reading import Reading
from keyseq.types import Phrase


def best_phrases(reading: Reading, scored: Iterable[tuple[float, Candidate]], top: int) -> list[Phrase]:
    """The candidates of the highest scores as phrases, those of equal score in the order of the text.

    A phrase's score is its share of the best one's, so that the best has 1.
    """
    ranked = sorted(scored, key=lambda pair: -pair[0])[:top]
    highest = ranked[0][0] if ranked and ranked[0][0] > 0 else 1.0
    return [_phrase(reading, candidate, max(0.0, score / highest)) for score, candidate in ranked]


def _phrase(reading: Reading, candidate: Candidate, score: float) -> Phrase:
    tokens, last = reading.source.tokens, len(candidate.stems) - 1
    spans = tuple((tokens[first].start, tokens[first + last].end) for first in candidate.positions)
    return Phrase(text=_surface(reading, candidate), score=score, present=True, spans=spans)


def _surface(reading: Reading, candidate: Candidate) -> str:
    """The most frequent form; of several, that with the fewest capitals, as these may be a title's."""
    forms = Counter(reading.surface(first, last) for first, last in candidate.places)
    return min(forms, key=lambda form: (-forms[form], sum(map(str.isupper, form))))
