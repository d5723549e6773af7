"""From what a search has found to ranked phrases with their places in the text."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, islice, pairwise
from typing import NamedTuple

from keyseq.config import OrderSettings
from keyseq.decoding.evidence import Evidence
from keyseq.decoding.order import chances
from keyseq.decoding.trie import AllowList
from keyseq.errors import KeyseqError
from keyseq.text.presence import SourceText
from keyseq.text.stem import stems
from keyseq.text.tokenize import normalize, tokenize
from keyseq.types import Phrase

RANKINGS = ("sequence", "probability", "share", "learnt")

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
    "learnt" orders by how probably the phrase is one of the document's own, by the weights of `order`.
    Phrases of less than `min_share` are left out, whatever the order. Phrases whose words have the same stems are one,
    or with `exact` only those of the same words, as published.
    """

    ranking: str = "sequence"
    order: OrderSettings = field(default_factory=OrderSettings)
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
        if self.ranking == "learnt" and not self.order.is_learnt:
            raise KeyseqError("this network has learnt no order: see keyseq calibrate, or choose another ranking")
        if self.top is not None and self.top < 1:
            raise KeyseqError(f"'top' must be 1 or more, not {self.top}")
        if not 0 <= self.min_share <= 1:
            raise KeyseqError(f"'min_share' must be from 0 to 1, not {self.min_share}")

    def key(self, words: Sequence[str]) -> tuple[str, ...]:
        """What makes two phrases one."""
        return tuple(words) if self.exact else tuple(stems(words))


def candidates(found: Iterable[Evidence], text: Sequence[str], selection: Selection) -> list[Candidate]:
    """Rank and score what a search has found in a text of these words; `found` is in the published order."""
    kept = [one for one in found if one.share >= selection.min_share]
    if selection.ranking == "sequence":
        lowest = accumulate((one.probability for one in kept), min)
        return [Candidate(one.words, score) for one, score in zip(kept, lowest, strict=True)]
    scored = zip(kept, _scores(kept, text, selection), strict=True)
    return sorted((Candidate(one.words, score) for one, score in scored), key=lambda candidate: -candidate.score)


def _scores(found: Sequence[Evidence], text: Sequence[str], selection: Selection) -> list[float]:
    if selection.ranking == "learnt":
        return chances(found, text, selection.order)
    return [one.share if selection.ranking == "share" else one.probability for one in found]


def phrases(
    ranked: Iterable[Candidate], source: SourceText, selection: Selection, allow_list: AllowList | None = None
) -> list[Phrase]:
    """Find ranked phrases in the text and keep those that are wanted; those of a list appear as the list has them."""
    found = (_phrase(candidate, source, allow_list) for candidate in ranked if _is_wanted(candidate, selection))
    kept = (phrase for phrase in found if phrase.text and (selection.present if phrase.present else selection.absent))
    return list(islice(kept, selection.top))


def _is_wanted(candidate: Candidate, selection: Selection) -> bool:
    if candidate.score < selection.min_score:
        return False
    return not selection.deny or tuple(stems(candidate.words)) not in selection.deny


def _phrase(candidate: Candidate, source: SourceText, allow_list: AllowList | None) -> Phrase:
    """The phrase with its places; without a text if the list does not have it, as when it was cut off."""
    spans = source.spans(stems(candidate.words))
    text = allow_list.listed(candidate.words) if allow_list else _surface(candidate.words, source, spans)
    return Phrase(text=text or "", score=candidate.score, present=bool(spans), spans=spans)


def _surface(phrase: Sequence[str], source: SourceText, spans: Iterable[tuple[int, int]]) -> str:
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
