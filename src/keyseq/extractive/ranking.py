"""Convert scored candidates to ranked phrases in the surface form of the text."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations

from keyseq.extractive.candidates import Candidate, Stems
from keyseq.extractive.reading import Reading
from keyseq.text.presence import SourceText, phrase_stems
from keyseq.types import Phrase


def best_phrases(
    reading: Reading, scored: Iterable[tuple[float, Candidate]], top: int, *, relative: bool = True
) -> list[Phrase]:
    """The candidates with the highest scores as phrases, ties in the given order.

    If `relative`, scores are divided by the highest, so that the best phrase has score 1.
    """
    ranked = sorted(scored, key=lambda pair: -pair[0])[:top]
    highest = ranked[0][0] if relative and ranked and ranked[0][0] > 0 else 1.0
    return [_phrase(reading, candidate, max(0.0, score / highest)) for score, candidate in ranked]


def without_parts(ranked: Iterable[tuple[float, Candidate]]) -> Iterator[tuple[float, Candidate]]:
    """Drop candidates that are a contiguous part of a better one."""
    parts: set[Stems] = set()
    for score, candidate in ranked:
        stems = candidate.stems
        if stems not in parts:
            parts.update(stems[first:last] for first, last in combinations(range(len(stems) + 1), 2))
            yield score, candidate


def named_phrase(source: SourceText, text: str, score: float) -> Phrase:
    """A phrase given as text, with its spans in the source, if any."""
    spans = source.spans(phrase_stems(text, source.analyzer))
    return Phrase(text=text, score=score, present=bool(spans), spans=spans)


def _phrase(reading: Reading, candidate: Candidate, score: float) -> Phrase:
    tokens, last = reading.source.tokens, len(candidate.stems) - 1
    spans = tuple((tokens[first].start, tokens[first + last].end) for first in candidate.positions)
    return Phrase(text=_surface(reading, candidate), score=score, present=True, spans=spans)


def _surface(reading: Reading, candidate: Candidate) -> str:
    """The most frequent surface form; of several, the one with the fewest capitals, which may be a title's."""
    forms = Counter(reading.surface(first, last) for first, last in candidate.places)
    return min(forms, key=lambda form: (-forms[form], sum(map(str.isupper, form))))
