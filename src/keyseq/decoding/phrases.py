"""From what a search has found to ranked phrases with their places in the text."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from typing import NamedTuple

from keyseq.config import OrderSettings
from keyseq.decoding.evidence import SearchEvidence
from keyseq.decoding.order import chances
from keyseq.decoding.trie import AllowList
from keyseq.errors import KeyseqError
from keyseq.text.analyzer import ENGLISH, Analyzer
from keyseq.text.presence import SourceText
from keyseq.types import Phrase

RANKINGS = ("sequence", "probability", "share", "learnt")

# What may stand between two words in the text for them to be one phrase, spaces aside.
_JOINTS = frozenset(("", "-", "‐", "–", "/", "’"))


class ScoredPhrase(NamedTuple):
    """A phrase as its words, and how probable it is: 0..1, never more than that of a better ranked one."""

    words: tuple[str, ...]
    score: float


@dataclass(frozen=True, kw_only=True)
class PhraseRanking:
    """In which order the phrases of a search stand, and which of them are one.

    `ranking` "sequence" is the published order: the rank of the sequence that generates a phrase, then the place in it.
    "probability" orders by the phrase's own probability: that of its words and its end, each given what was generated
    before, the highest where several sequences generate it. `score` is that probability; in the published order it is
    the lowest so far, so that it never rises with the rank. "share" orders by how much of the probability of all
    sequences that were found belongs to those that generate the phrase; that share, 1 where one sequence is kept, is
    its `score`. "learnt" orders by how probably the phrase is one of the document's own, by the weights of `order`.
    Phrases of less than `min_share` are left out, whatever the order. Phrases whose words have the same stems are one,
    or with `exact` only those of the same words, as published.
    """

    ranking: str = "sequence"
    order: OrderSettings = field(default_factory=OrderSettings)
    exact: bool = False
    analyzer: Analyzer = ENGLISH
    min_share: float = 0.0

    def __post_init__(self) -> None:
        if self.ranking not in RANKINGS:
            raise KeyseqError(f"unknown ranking '{self.ranking}'; choose one of {', '.join(RANKINGS)}")
        if self.ranking == "learnt" and not self.order.is_learnt:
            raise KeyseqError("this network has learnt no order: see keyseq calibrate, or choose another ranking")

    def key(self, words: Sequence[str]) -> tuple[str, ...]:
        """What makes two phrases one."""
        return tuple(words) if self.exact else tuple(self.analyzer.stems(words))


def candidates(found: Iterable[SearchEvidence], text: Sequence[str], ranking: PhraseRanking) -> list[ScoredPhrase]:
    """Rank and score what a search has found in a text of these words; `found` is in the published order."""
    kept = [one for one in found if one.share >= ranking.min_share]
    if ranking.ranking == "sequence":
        lowest = accumulate((one.probability for one in kept), min)
        return [ScoredPhrase(one.words, score) for one, score in zip(kept, lowest, strict=True)]
    scored = zip(kept, _scores(kept, text, ranking), strict=True)
    return sorted((ScoredPhrase(one.words, score) for one, score in scored), key=lambda candidate: -candidate.score)


def _scores(found: Sequence[SearchEvidence], text: Sequence[str], ranking: PhraseRanking) -> list[float]:
    if ranking.ranking == "learnt":
        return chances(found, text, ranking.analyzer, ranking.order)
    return [one.share if ranking.ranking == "share" else one.probability for one in found]


def phrases(
    ranked: Iterable[ScoredPhrase], source: SourceText, allow_list: AllowList | None = None
) -> Iterator[Phrase]:
    """Find ranked phrases in the text, as they are asked for; those of a list appear as the list has them."""
    found = (_phrase(candidate, source, allow_list) for candidate in ranked)
    return (phrase for phrase in found if phrase.text)


def _phrase(candidate: ScoredPhrase, source: SourceText, allow_list: AllowList | None) -> Phrase:
    """The phrase with its places; without a text if the list does not have it, as when it was cut off."""
    spans = source.spans(source.analyzer.stems(candidate.words))
    text = allow_list.listed(candidate.words) if allow_list else _surface(candidate.words, source, spans)
    return Phrase(text=text or "", score=candidate.score, present=bool(spans), spans=spans)


def _surface(phrase: Sequence[str], source: SourceText, spans: Iterable[tuple[int, int]]) -> str:
    """The text's own form, such as "Human-robot interaction": of these very words if it has them, else of their stems.

    Where the words only meet across a colon or the like, they are put side by side instead.
    """
    first = None
    for start, end in spans:
        form = " ".join(source.text[start:end].split())
        tokens = source.analyzer.tokenize(form)
        if any(_between(form[left.end : right.start]) not in _JOINTS for left, right in pairwise(tokens)):
            continue
        if [source.analyzer.normalize(token.text) for token in tokens] == [*phrase]:
            return form
        first = first or form
    return first or " ".join(phrase)


def _between(gap: str) -> str:
    """What stands between two words, without letters at which a tokenizer has cut one: "naïve" is na and ve."""
    return "".join(character for character in gap if not character.isalnum()).strip()
