"""Texts longer than the input of a network: overlapping windows, and a merged ranking."""

from collections.abc import Iterable, Iterator

from keyseq.decoding.phrases import PhraseRanking, ScoredPhrase


def windows(length: int, size: int, overlap: int) -> Iterator[slice]:
    """Split a text into windows of `size` words, each starting `overlap` words before the previous one ends."""
    start = 0
    while start + size < length:
        yield slice(start, start + size)
        start += size - overlap
    yield slice(start, length)


def merged(ranked: Iterable[list[ScoredPhrase]], ranking: PhraseRanking) -> list[ScoredPhrase]:
    """Rank the phrases of all windows together; a single window's ranking stays as it is.

    A phrase's score is the mean of its scores over all windows, 0 for a window without it. Ties keep the order of
    first occurrence. A text gets as many phrases as the window that has most.
    """
    sums: dict[tuple[str, ...], tuple[ScoredPhrase, float]] = {}
    count = most = 0
    for window in ranked:
        count, most = count + 1, max(most, len(window))
        for candidate in window:
            key = ranking.key(candidate.words)
            first, total = sums.get(key, (candidate, 0.0))
            sums[key] = (first, total + candidate.score)
    means = [ScoredPhrase(first.words, total / count) for first, total in sums.values()]
    return sorted(means, key=lambda candidate: -candidate.score)[:most] if count > 1 else means
