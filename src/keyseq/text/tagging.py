"""Parts of speech: Brill's rule-based tagger, with his English lexicon and rules as textblob has them.

The tags are those of textblob's `find_tags` (Penn Treebank). textblob tries 285 rules on every word; here the rules are
indexed in tables, so that only those that can match the tag and the neighbours of a word are tried. The origin and the
licence of the lexicon and the rules are at the head of their files.
"""

import re
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from keyseq.text.lexicon import Lexicon
from keyseq.text.stem import LONGEST_WORD

EDGE = "STAART"  # what the rules call the word before the first and after the last
REACH = 3  # the farthest that a rule looks
MEMO_SIZE = 100_000

_FOREIGN = "FW"
_CORRECTIONS = {"data": "NN"}  # as a plural it would make a verb of the noun after it: "data structure"

_NUMBER = re.compile(r"[0-9\-,.:/%$]+")

# What a contextual rule looks at, each a (stream, offset) from the word: stream 0 is the tags, 1 the words. A rule
# with several lines here fires when any of them matches.
_TAG, _WORD = 0, 1
_Feature = tuple[int, int]
_KINDS: dict[str, tuple[tuple[_Feature, ...], ...]] = {
    "PREVTAG": (((_TAG, -1),),),
    "NEXTTAG": (((_TAG, 1),),),
    "PREV2TAG": (((_TAG, -2),),),
    "NEXT2TAG": (((_TAG, 2),),),
    "PREV1OR2TAG": (((_TAG, -1),), ((_TAG, -2),)),
    "NEXT1OR2TAG": (((_TAG, 1),), ((_TAG, 2),)),
    "PREV1OR2OR3TAG": (((_TAG, -1),), ((_TAG, -2),), ((_TAG, -3),)),
    "NEXT1OR2OR3TAG": (((_TAG, 1),), ((_TAG, 2),), ((_TAG, 3),)),
    "SURROUNDTAG": (((_TAG, -1), (_TAG, 1)),),
    "CURWD": (((_WORD, 0),),),
    "PREVWD": (((_WORD, -1),),),
    "NEXTWD": (((_WORD, 1),),),
    "PREV1OR2WD": (((_WORD, -1),), ((_WORD, -2),)),
    "NEXT1OR2WD": (((_WORD, 1),), ((_WORD, 2),)),
    "WDPREVTAG": (((_TAG, -1), (_WORD, 0)),),
    "WDNEXTTAG": (((_WORD, 0), (_TAG, 1)),),
    "WDAND2AFT": (((_WORD, 0), (_WORD, 2)),),
    "WDAND2TAGBFR": (((_TAG, -2), (_WORD, 0)),),
    "WDAND2TAGAFT": (((_WORD, 0), (_TAG, 2)),),
    "LBIGRAM": (((_WORD, -1), (_WORD, 0)),),
    "RBIGRAM": (((_WORD, 0), (_WORD, 1)),),
    "PREVBIGRAM": (((_TAG, -2), (_TAG, -1)),),
    "NEXTBIGRAM": (((_TAG, 1), (_TAG, 2)),),
}


_ANY = "*"  # a contextual rule's word for every tag

_Outcome = tuple[int, str]  # the rule's rank, the new tag


class _Tables(NamedTuple):
    """The contextual rules for one tag: those that look at one feature, and those that look at two."""

    singles: list[tuple[_Feature, dict[str, _Outcome]]]
    pairs: list[tuple[_Feature, _Feature, dict[str, dict[str, _Outcome]]]]


class ContextRules:
    """Rules that change a word's tag by its neighbours; where several fire, the last one counts, as in textblob."""

    def __init__(self, lines: Iterable[str]) -> None:
        rules = [line.split() for line in lines]
        tags = {_ANY, *(rule[0] for rule in rules)}
        self._tables = {tag: _lay_out(rules, tag) for tag in tags}

    def apply(self, words: list[str], tags: list[str]) -> list[str]:
        """Give the tags after all rules; what lies to the left of a word has its new tag already."""
        edge = [EDGE] * REACH
        after = edge + tags + edge
        streams, tables, rest = (after, edge + words + edge), self._tables, self._tables[_ANY]
        for at in range(REACH, REACH + len(tags)):
            best = (-1, after[at])
            singles, pairs = tables.get(after[at], rest)
            for (stream, offset), outcomes in singles:
                value = streams[stream][at + offset]
                if value in outcomes and outcomes[value] > best:
                    best = outcomes[value]
            for (stream, offset), (other, far), nested in pairs:
                value = streams[stream][at + offset]
                if value in nested:
                    best = max(best, nested[value].get(streams[other][at + far], best))
            after[at] = best[1]
        return after[REACH:-REACH]


def _lay_out(rules: list[list[str]], tag: str) -> _Tables:
    singles: dict[_Feature, dict[str, _Outcome]] = {}
    pairs: dict[tuple[_Feature, ...], dict[str, dict[str, _Outcome]]] = {}
    for rank, (old, new, kind, *values) in enumerate(rules):
        if old not in (tag, _ANY):
            continue
        for features in _KINDS[kind.upper()]:
            if len(features) == 1:
                singles.setdefault(features[0], {})[values[0]] = (rank, new)
            else:
                pairs.setdefault(features, {}).setdefault(values[0], {})[values[1]] = (rank, new)
    return _Tables(list(singles.items()), [(first, second, nested) for (first, second), nested in pairs.items()])


class _Morphology(NamedTuple):
    """A rule on the shape of an unknown word: "NN s hassuf NNS" makes a noun in -s a plural."""

    old: str | None
    affix: str
    kind: str
    new: str

    @classmethod
    def parse(cls, line: str) -> "_Morphology":
        fields = line.split()
        if fields[1] in _SHAPES:
            return cls(None, fields[0], fields[1], fields[-2])
        return cls(fields[0], fields[1], fields[2].removeprefix("f"), fields[-2])


_SHAPES: dict[str, Callable[["_Unknown", str, Lexicon], bool]] = {
    "char": lambda word, affix, _: affix in word.text,
    "haspref": lambda word, affix, _: word.text.startswith(affix),
    "hassuf": lambda word, affix, _: word.text.endswith(affix),
    "addpref": lambda word, affix, lexicon: affix + word.text in lexicon,
    "addsuf": lambda word, affix, lexicon: word.text + affix in lexicon,
    "deletepref": lambda word, affix, lexicon: word.text.startswith(affix) and word.text[len(affix) :] in lexicon,
    "deletesuf": lambda word, affix, lexicon: word.text.endswith(affix) and word.text[: -len(affix)] in lexicon,
    "goodleft": lambda word, affix, _: affix == word.next,
    "goodright": lambda word, affix, _: affix == word.previous,
}


class _Unknown(NamedTuple):
    """A word that the lexicon lacks, between its neighbours."""

    text: str
    previous: str | None
    next: str | None


class Tagger:
    """Tags a sentence's words with their parts of speech."""

    def __init__(self, lexicon: Lexicon, morphology: Iterable[str], context: Iterable[str]) -> None:
        self._lexicon = lexicon
        self._morphology = [_Morphology.parse(line) for line in morphology]
        self._neighbours = {rule.affix for rule in self._morphology if rule.kind.startswith("good")}
        self._context = ContextRules(context)
        self._memo: dict[_Unknown, str] = {}

    def knows(self, word: str) -> bool:
        """Whether a word is in the lexicon, and not there as a name or as borrowed from another language."""
        return self._lexicon.get(word.lower()) not in (None, _FOREIGN)

    def known(self, words: list[str]) -> int:
        """How many of the words it knows in this sense."""
        tags = list(map(self._lexicon.get, map(str.lower, words)))
        return len(tags) - tags.count(None) - tags.count(_FOREIGN)

    def tag(self, words: list[str]) -> list[str]:
        """Give each word of one sentence its Penn Treebank tag."""
        tags: list[str | None] = list(map(self._lexicon.get, words))
        if tags and tags[0] is None:
            tags[0] = self._lexicon.get(words[0].lower())
        known = [tag or self._guess(words, at) for at, tag in enumerate(tags)]
        return self._context.apply(words, known)

    def _guess(self, words: list[str], at: int) -> str:
        word = words[at]
        if word.istitle():
            return "NNP"
        if _NUMBER.fullmatch(word):
            return "CD"
        if len(word) > LONGEST_WORD:
            return "NN"
        around = [words[place] if 0 <= place < len(words) else None for place in (at - 1, at + 1)]
        unknown = _Unknown(word, *(other if other in self._neighbours else None for other in around))
        tag = self._memo.get(unknown)
        if tag is None:
            if len(self._memo) >= MEMO_SIZE:
                self._memo.clear()
            self._memo[unknown] = tag = self._by_shape(unknown)
        return tag

    def _by_shape(self, word: _Unknown) -> str:
        tag = "NN"
        for rule in self._morphology:
            if rule.old in (None, tag) and _SHAPES[rule.kind](word, rule.affix, self._lexicon):
                tag = rule.new
        return tag


@cache
def english() -> Tagger:
    """The English tagger, its tables read once."""
    lexicon = Lexicon(_table("lexicon"), _CORRECTIONS)
    rules = (_table(name).decode("utf-8").splitlines() for name in ("morphology", "context"))
    return Tagger(lexicon, *rules)


def _table(name: str) -> bytes:
    """One of the tables, without the comment at its head."""
    content = Path(__file__).with_name(f"tagging_{name}.txt").read_bytes()
    return content.rpartition(b"\n;;;")[2].partition(b"\n")[2]
