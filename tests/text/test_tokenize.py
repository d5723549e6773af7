"""Words as the published work cuts them, and where they stand."""

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keyseq.errors import KeyseqError
from keyseq.text.tokenize import LONG, TOKENIZERS, normalize, tokenize, words


def released_tokenizer(text: str) -> list[str]:
    """The three steps of the released `meng17_tokenize`, written down as they are described."""
    text = re.sub(r"[\r\n\t]", " ", text)
    text = re.sub(r"[_<>,\(\)\.\'%]", r" \g<0> ", text)
    return [word for word in re.split(r"[^a-zA-Z0-9_<>,#&\+\*\(\)\.\']", text) if word]


@pytest.mark.parametrize(
    ("text", "expected", "reason"),
    [
        ("Human-robot", ["human", "robot"], "a hyphen separates and vanishes"),
        ("client/server: fast", ["client", "server", "fast"], "so do slash and colon"),
        ("C++, C# and R&D", ["c++", ",", "c#", "and", "r&d"], "marks inside names stay"),
        ("a* search", ["a*", "search"], "a star belongs to its word"),
        ("50% of (all)", ["<digit>", "of", "(", "all", ")"], "a percent sign vanishes, brackets are words"),
        ("don't", ["don", "'", "t"], "an apostrophe is a word of its own"),
        ("in 2019, 3 or 3d", ["in", "<digit>", ",", "3", "or", "3d"], "only whole numbers of two or more digits"),
        ("naïve", ["na", "ve"], "letters beyond ASCII separate"),
        ("from <digit> to 1", ["from", "<digit>", "to", "1"], "a text that went through the rule keeps its marks"),
        ("", [], "nothing gives nothing"),
        (" \n\t ", [], "white space gives nothing"),
    ],
)
def test_meng17_words(text, expected, reason):
    assert words(text, "meng17") == expected, reason


@pytest.mark.parametrize(
    ("text", "expected", "reason"),
    [
        ("naïve Café", ["naïve", "café"], "accents stay"),
        ("e\u0301te\u0301", ["e\u0301te\u0301"], "combining accents stay with their letter"),
        ("Straße", ["strasse"], "case-folding, not lower-casing"),
        ("Ελληνικά слова", ["ελληνικά", "слова"], "other alphabets have words too"),
        ("深度 learning", ["深", "度", "learning"], "scripts without spaces give a word a character"),
        ("١٢٣ or 123", ["<digit>", "or", "<digit>"], "digits of any script are numbers"),
        ("C++ (fast)", ["c++", "(", "fast", ")"], "marks as in meng17"),
    ],
)
def test_unicode_words(text, expected, reason):
    assert words(text, "unicode") == expected, reason


@given(st.text(alphabet="abK12_<>,().'%#&+*- \r\n\té\u212a/", max_size=40))
def test_meng17_equals_the_released_steps(text):
    assert [token.text for token in tokenize(text, "meng17")] == released_tokenizer(text)


_PIECES = st.sampled_from(["<digit>", "<DIGIT>", "2020", "7", "Ab", "c++", "é", "\u212a", *" _<>,().'%-\x1c\x85\n"])


@pytest.mark.parametrize("name", TOKENIZERS)
@settings(deadline=None)  # a dictionary is read first
@given(pieces=st.lists(_PIECES, max_size=12), times=st.sampled_from([1, LONG]))
def test_words_are_the_tokens_normalised_in_short_and_in_long_text(name, pieces, times):
    text = "".join(pieces) * times
    assert words(text, name) == [normalize(token.text, name) for token in tokenize(text, name)]


@pytest.mark.parametrize("name", TOKENIZERS)
@settings(deadline=None)
@given(text=st.text(alphabet=st.characters(), max_size=60))
def test_offsets_point_at_the_word_in_any_string(name, text):
    tokens = tokenize(text, name)
    assert all(text[token.start : token.end] == token.text for token in tokens)
    assert all(a.end <= b.start for a, b in pairwise(tokens))
    assert words(text, name) == [normalize(token.text, name) for token in tokens]


@given(st.text(alphabet=st.characters(max_codepoint=127), max_size=60))
def test_within_ascii_all_tokenizers_find_the_same_words(text):
    assert words(text, "unicode") == words(text, "meng17")
    assert words(text + " é", "unicode") == [*words(text, "meng17"), "é"]  # by the slower pattern too


@given(text=st.text(alphabet="ab1290 <>.,-", max_size=40))
def test_tokenizing_twice_changes_nothing(text):
    once = words(text)
    assert words(" ".join(once)) == once


@pytest.mark.parametrize("name", TOKENIZERS)
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a" * 1_000_000, ["a" * 1_000_000]),  # no bound on the length of a word
        ("<" * 1_000_000, ["<"] * 1_000_000),
        ("<digit" * 100_000, ["<", "digit"] * 100_000),  # the digit mark never closed
        ("\x00\x1b\ud800\udfff", []),  # control characters and lone surrogates are no words
    ],
    ids=["one word", "marks", "open digit marks", "controls"],
)
def test_hostile_text_is_cut_as_any_other(name, text, expected):
    assert words(text, name) == expected


def test_a_hundred_thousand_accents_stay_one_word_where_accents_are_letters():
    text = "e" + "\u0301" * 100_000
    assert words(text, "unicode") == [text]
    assert words(text, "meng17") == ["e"]


def test_an_unknown_tokenizer_is_refused_with_the_choices():
    with pytest.raises(KeyseqError, match="meng17, unicode"):
        words("text", "spacy")
