"""Words inside what has no spaces: Chinese and Japanese by packages with dictionaries, Korean particles by a table.

Chinese by jieba (package rjieba), Japanese by IPADIC (package lindera-python-ipadic): both in the extra `cjk`.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from typing import Any, NamedTuple

from keyseq.imports import require
from keyseq.text.korean import parts_of_word

REMEMBERED = 1 << 14  # runs without spaces whose words are kept: each is asked for more than once


class Segment(NamedTuple):
    """A word inside a run of characters without spaces, its offset in it, and whether it can be part of a keyphrase."""

    text: str
    start: int
    content: bool


Segmenter = Callable[[str], tuple[Segment, ...]]


@cache
def segmenter(name: str) -> Segmenter:
    """What cuts a run of characters into words: `jieba`, `ipadic` or `josa`."""
    cut = parts_of_word if name == "josa" else _jieba() if name == "jieba" else _ipadic()
    return lru_cache(REMEMBERED)(lambda run: tuple(_placed(cut(run))))


def _placed(words: list[tuple[str, bool]]) -> Iterator[Segment]:
    at = 0
    for word, content in words:
        yield Segment(word, at, content)
        at += len(word)


# jieba's classes of words that are no part of a keyphrase: pronouns, numerals, adverbs, prepositions, conjunctions, …
_CHINESE_OTHERS = frozenset("cdefmopqrtuwxyz")
_CHINESE_CONTENT = frozenset({"nt", "tg"})


def _jieba() -> Callable[[str], list[tuple[str, bool]]]:
    tag = require("rjieba", "cjk").tag
    return lambda run: [(word, kind[:1] not in _CHINESE_OTHERS or kind in _CHINESE_CONTENT) for word, kind in tag(run)]


# of IPADIC's nouns, those that are none: bound ones, pronouns, numerals, adverbial ones
_JAPANESE_NOUNS, _JAPANESE_PREFIX = "名詞", "接頭詞"
_KATAKANA, _SHORT_KATAKANA = re.compile("[ァ-ヺー]+"), 2
_JAPANESE_OTHERS = frozenset({"非自立", "代名詞", "数", "副詞可能", "特殊", "接続詞的", "動詞非自立的"})


def _ipadic() -> Callable[[str], list[tuple[str, bool]]]:
    lindera = require("lindera", "cjk")
    tokenizer = lindera.Tokenizer(lindera.load_dictionary("embedded://ipadic"), "normal")
    return lambda run: _rejoined([(one.surface, _is_japanese_content(one.details)) for one in tokenizer.tokenize(run)])


def _rejoined(words: list[tuple[str, bool]]) -> list[tuple[str, bool]]:
    """The same, but a word in katakana that the dictionary lacks is whole: ド, ローン are ドローン."""
    found: list[tuple[str, bool]] = []
    for word, content in words:
        beside = found[-1][0] if found else ""
        if min(len(word), len(beside)) < _SHORT_KATAKANA and all(map(_KATAKANA.fullmatch, (beside, word))):
            found[-1] = (beside + word, found[-1][1] or content)
        else:
            found.append((word, content))
    return found


def _is_japanese_content(details: list[Any]) -> bool:
    kind, detail = (*details, "", "")[:2]
    return kind == _JAPANESE_PREFIX or (kind == _JAPANESE_NOUNS and detail not in _JAPANESE_OTHERS)
