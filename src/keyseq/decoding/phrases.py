"""Convert search results to ranked phrases with their spans in the text."""

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

# Characters, besides spaces, that may separate two words of a phrase in the text.
_JOINTS = frozenset(("", "-", "‐", "–", "/", "’"))


class ScoredPhrase(NamedTuple):
    """A phrase as its words, with a score in 0..1 that does not increase with the rank."""

    words: tuple[str, ...]
    score: float


@dataclass(frozen=True, kw_only=True)
class PhraseRanking:
    """How the phrases of a search are ranked and merged.

    `ranking` "sequence" is the published order: the rank of the sequence that contains a phrase, then the position in
    it. "probability" orders by the probability of the phrase: that of its words and its end, each given the words
    before, the maximum over sequences. `score` is that probability; in the published order it is the running minimum,
    so that it does not increase with the rank. "share" orders by the fraction of the probability of all sequences that
    contain the phrase, which is also the `score` (1 if one sequence is kept). "learnt" orders by the probability of
    being a keyphrase of the document, by the weights of `order`. Phrases below `min_share` are dropped in any ranking.
    Phrases with the same stems are merged, or with `exact` only those with the same words, as published.
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
            raise KeyseqError("this network has no learnt ranking; run keyseq calibrate, or choose another ranking")

    def key(self, words: Sequence[str]) -> tuple[str, ...]:
        """The key by which phrases are merged."""
        return tuple(words) if self.exact else tuple(self.analyzer.stems(words))


def candidates(found: Iterable[SearchEvidence], text: Sequence[str], ranking: PhraseRanking) -> list[ScoredPhrase]:
    """Rank and score the phrases found in a text of these words; `found` is in the published order."""
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
    """Yield the phrases with their spans in the text; phrases of an allow-list are spelt as in the list."""
    found = (_phrase(candidate, source, allow_list) for candidate in ranked)
    return (phrase for phrase in found if phrase.text)


def _phrase(candidate: ScoredPhrase, source: SourceText, allow_list: AllowList | None) -> Phrase:
    """The phrase with its spans; its text is empty if it is not in the allow-list, as when it was truncated."""
    spans = source.spans(source.analyzer.stems(candidate.words))
    text = allow_list.listed(candidate.words) if allow_list else _surface(candidate.words, source, spans)
    return Phrase(text=text or "", score=candidate.score, present=bool(spans), spans=spans)


def _surface(phrase: Sequence[str], source: SourceText, spans: Iterable[tuple[int, int]]) -> str:
    """The surface form in the text, such as "Human-robot interaction": of the same words if it occurs, else of the same
    stems.

    If the words are only adjacent across a colon or the like, they are joined by spaces instead.
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
    """The characters between two words, without letters at which the tokenizer splits: "naïve" becomes na and ve."""
    return "".join(character for character in gap if not character.isalnum()).strip()
