"""The lexicon: the same tags by search and by parsing, and parsed once when many words are looked up."""

import pytest

from keyseq.text import lexicon as module
from keyseq.text.lexicon import Lexicon

WORDS = {"!": ".", "a": "DT", "ab": "NN", "b": "NN", "data": "NNS", "é": "FW", "♥": "SYM"}
TABLE = "".join(f"{word} {tag}\n" for word, tag in WORDS.items()).encode()


@pytest.fixture(params=[0, 100], ids=["parsed", "searched"])
def lexicon(request, monkeypatch):
    monkeypatch.setattr(module, "FEW", request.param)
    return Lexicon(TABLE, {"data": "NN"})


def test_every_word_is_found_and_corrections_count(lexicon):
    assert {word: lexicon.get(word) for word in WORDS} == {**WORDS, "data": "NN"}


@pytest.mark.parametrize("word", ["", "A", "aa", "zzz", "\U0001f600", "\ud800", "a DT"])
def test_a_word_that_is_not_there_has_no_tag(lexicon, word):
    assert lexicon.get(word) is None
    assert word not in lexicon


def test_the_last_line_may_end_without_a_newline():
    assert Lexicon(b"a DT\nb NN", {}).get("b") == "NN"


def test_many_words_are_looked_up_in_a_table_that_is_parsed_once(monkeypatch):
    monkeypatch.setattr(module, "FEW", 3)
    lexicon = Lexicon(TABLE, {})
    before = lexicon.get  # as `map` holds it
    assert list(map(before, WORDS)) == list(WORDS.values())
    first = lexicon._parsed
    assert list(map(before, [*WORDS, "x"])) == [*WORDS.values(), None]
    assert lexicon._parsed is first
    assert lexicon.get("a") == "DT"
