"""From sequences of ids to ranked, unique phrases with their places in the text."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, islice, pairwise
from typing import NamedTuple

import numpy as np

from keyseq.data.vocabulary import SEP
from keyseq.decoding.hypotheses import Hypothesis
from keyseq.decoding.trie import AllowList
from keyseq.errors import KeyseqError
from keyseq.text.presence import Source
from keyseq.text.stem import stems
from keyseq.text.tokenize import normalize, tokenize
from keyseq.types import Phrase

RANKINGS = ("sequence", "probability", "share")

# What may stand between two words in the text for them to be one phrase, spaces aside.
_JOINTS = frozenset(("", "-", "‐", "–", "/", "’"))


class Candidate(NamedTuple):
    """A phrase as its words, and how probable it is: 0..1, never more than that of a better ranked one."""

    words: tuple[str, ...]
    score: float


@dataclass(frozen=True, kw_only=True)
class Selection:
    """Which phrases are wanted, and in which order.

    `ranking` "sequence" is the published order: the rank of the sequence that says a phrase, then the place in it.
    "probability" orders by the phrase's own probability: that of its words and its end, each given what was said
    before, the highest where several sequences say it. `score` is that probability; in the published order it is the
    lowest so far, so that it never rises with the rank. "share" orders by how much of the probability of all sequences
    that were found belongs to those that say the phrase; that share, 1 where one sequence is kept, is its `score`.
    Phrases of less than `min_share` are left out, whatever the order. Phrases whose words have the same stems are one,
    or with `exact` only those of the same words, as published.
    """

    ranking: str = "sequence"
    exact: bool = False
    top: int | None = None
    min_score: float = 0.0
    min_share: float = 0.0
    present: bool = True
    absent: bool = True
    deny: frozenset[tuple[str, ...]] = field(default=frozenset())  # stems

    def __post_init__(self) -> None:
        if self.ranking not in RANKINGS:
            raise KeyseqError(f"unknown ranking '{self.ranking}'; choose one of {', '.join(RANKINGS)}")
        if self.top is not None and self.top < 1:
            raise KeyseqError(f"'top' must be 1 or more, not {self.top}")
        if not 0 <= self.min_share <= 1:
            raise KeyseqError(f"'min_share' must be from 0 to 1, not {self.min_share}")

    def key(self, words: Sequence[str]) -> tuple[str, ...]:
        """What makes two phrases one."""
        return tuple(words) if self.exact else tuple(stems(words))


def candidates(hypotheses: Iterable[Hypothesis], word: Callable[[int], str], selection: Selection) -> list[Candidate]:
    """The distinct phrases that sequences say, ranked and scored; `word` gives the word of an extended id."""
    hypotheses = list(hypotheses)
    shares = _shares(hypotheses, word, selection) if selection.ranking == "share" or selection.min_share else {}
    if selection.ranking == "share":
        ranked = sorted(shares.values(), key=lambda candidate: -candidate.score)
        return [candidate for candidate in ranked if candidate.score >= selection.min_share]
    found: dict[tuple[str, ...], Candidate] = {}
    for ids, probability in _most_probable(hypotheses).items():
        words = tuple(map(word, ids))
        if any(map(_speaks, words)):
            first = found.setdefault(selection.key(words), Candidate(words, probability))
            if first.score < probability:
                found[selection.key(words)] = first._replace(score=probability)
    if selection.min_share:
        found = {key: candidate for key, candidate in found.items() if shares[key].score >= selection.min_share}
    if selection.ranking == "probability":
        return sorted(found.values(), key=lambda candidate: -candidate.score)
    lowest = accumulate((candidate.score for candidate in found.values()), min)
    return [candidate._replace(score=score) for candidate, score in zip(found.values(), lowest, strict=True)]


def _most_probable(hypotheses: Iterable[Hypothesis]) -> dict[tuple[int, ...], float]:
    """Phrases by the rank of the sequence that says them first, then by place, with their highest probability."""
    found: dict[tuple[int, ...], float] = {}
    for hypothesis in hypotheses:
        for ids, probability in _said(hypothesis):
            found[ids] = max(probability, found.get(ids, 0.0))
    return found


def _shares(
    hypotheses: Sequence[Hypothesis], word: Callable[[int], str], selection: Selection
) -> dict[tuple[str, ...], Candidate]:
    """Phrases scored by the share of the sequences that say them, each weighed by its probability."""
    chances = np.array([hypothesis.log_probabilities.sum(dtype=np.float64) for hypothesis in hypotheses])
    weights = np.exp(chances - chances.max(initial=-np.inf))
    sums: dict[tuple[str, ...], Candidate] = {}
    for hypothesis, share in zip(hypotheses, (weights / weights.sum()).tolist(), strict=True):
        forms: dict[tuple[str, ...], tuple[str, ...]] = {}
        for ids, _ in _said(hypothesis):
            words = tuple(map(word, ids))
            if any(map(_speaks, words)):
                forms.setdefault(selection.key(words), words)
        for key, words in forms.items():
            before = sums.get(key, Candidate(words, 0.0))
            sums[key] = before._replace(score=min(1.0, before.score + share))
    return sums


def _said(hypothesis: Hypothesis) -> Iterator[tuple[tuple[int, ...], float]]:
    """A sequence's phrases, each with the probability of its words and its end."""
    tokens = hypothesis.tokens.tolist()
    chances = np.cumsum(hypothesis.log_probabilities, dtype=np.float64).tolist()
    start, before = 0, 0.0
    for end, token in enumerate([*tokens, SEP]):
        if token == SEP:
            after = chances[min(end, len(chances) - 1)]  # a sequence that was cut off has no end for its last phrase
            if end > start:
                yield tuple(tokens[start:end]), math.exp(after - before)
            start, before = end + 1, after


def _speaks(word: str) -> bool:
    """Whether a word is more than punctuation."""
    return any(map(str.isalnum, word))


def phrases(
    ranked: Iterable[Candidate], source: Source, selection: Selection, allow_list: AllowList | None = None
) -> list[Phrase]:
    """Find ranked phrases in the text and keep those that are wanted; those of a list appear as the list has them."""
    found = (_phrase(candidate, source, allow_list) for candidate in ranked if _is_wanted(candidate, selection))
    kept = (phrase for phrase in found if phrase.text and (selection.present if phrase.present else selection.absent))
    return list(islice(kept, selection.top))


def _is_wanted(candidate: Candidate, selection: Selection) -> bool:
    if candidate.score < selection.min_score:
        return False
    return not selection.deny or tuple(stems(candidate.words)) not in selection.deny


def _phrase(candidate: Candidate, source: Source, allow_list: AllowList | None) -> Phrase:
    """The phrase with its places; without a text if the list does not have it, as when it was cut off."""
    spans = source.spans(stems(candidate.words))
    text = allow_list.listed(candidate.words) if allow_list else _surface(candidate.words, source, spans)
    return Phrase(text=text or "", score=candidate.score, present=bool(spans), spans=spans)


def _surface(phrase: Sequence[str], source: Source, spans: Iterable[tuple[int, int]]) -> str:
    """The text's own form, such as "Human-robot interaction": of these very words if it has them, else of their stems.

    Where the words only meet across a colon or the like, they are put side by side instead.
    """
    first = None
    for start, end in spans:
        form = " ".join(source.text[start:end].split())
        tokens = tokenize(form, source.tokenizer)
        if any(_between(form[left.end : right.start]) not in _JOINTS for left, right in pairwise(tokens)):
            continue
        if [normalize(token.text, source.tokenizer) for token in tokens] == [*phrase]:
            return form
        first = first or form
    return first or " ".join(phrase)


def _between(gap: str) -> str:
    """What stands between two words, without letters at which a tokenizer has cut one: "naïve" is na and ve."""
    return "".join(character for character in gap if not character.isalnum()).strip()
