"""Is a phrase in a text: whole stemmed words in a row."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keyseq.text.presence import SourceText, StemmedText, phrase_stems


@pytest.mark.parametrize(
    ("text", "phrase", "present", "reason"),
    [
        ("Neural networks learn.", "neural network", True, "stems are compared"),
        ("the program is large", "gram", False, "words, not characters"),
        ("neural nets and networks", "neural networks", False, "the words must be in a row"),
        ("human-robot interaction", "Human robot interactions", True, "a hyphen and a space are alike"),
        ("support vector machines", "support vector machine (SVM)", True, "what is in brackets is left out"),
        ("any text", "", True, "the empty phrase counts as present, as in the published statistics"),
        ("any text", "(SVM)", True, "a phrase that is all brackets is empty"),
        ("in 1999", "2005", True, "all numbers are one word"),
        ("", "text", False, "nothing contains nothing"),
        ("deep learning . of graphs", "learning of", False, "a title does not run into its abstract"),
    ],
)
def test_presence_by_the_published_rule(text, phrase, present, reason):
    assert (phrase_stems(phrase) in StemmedText.of(text)) is present, reason


def test_positions_are_those_of_the_first_word_of_every_occurrence():
    text = StemmedText(["a", "b", "a", "b", "a"])
    assert list(text.positions(["a"])) == [0, 2, 4]
    assert list(text.positions(["a", "b"])) == [0, 2]
    assert list(text.positions(["a", "b", "a"])) == [0, 2]  # occurrences may overlap
    assert list(text.positions(["c"])) == []
    assert list(text.positions([])) == []


@given(st.lists(st.sampled_from("abc"), max_size=12), st.lists(st.sampled_from("abc"), min_size=1, max_size=3))
def test_positions_equal_a_plain_scan(text, phrase):
    scan = [at for at in range(len(text)) if text[at : at + len(phrase)] == phrase]
    assert list(StemmedText(text).positions(phrase)) == scan
    assert (phrase in StemmedText(text)) is bool(scan)


def test_spans_give_the_surface_back():
    source = SourceText("Human-robot interaction (HRI): how human robot\ninteractions fail")
    spans = source.spans(phrase_stems("human robot interaction"))
    assert [source.text[start:end] for start, end in spans] == [
        "Human-robot interaction",
        "human robot\ninteractions",
    ]


@pytest.mark.parametrize(
    ("text", "phrase", "whole"),
    [
        ("the Poincaré conjecture", "poincar conjecture", "Poincaré conjecture"),
        ("a theorem of Poincaré.", "theorem of poincar", "theorem of Poincaré"),
        ("neue Wärmepumpen", "rmepumpen", "Wärmepumpen"),
        ("naïve Bayes", "ve bayes", "naïve Bayes"),
        ("用AI技术", "ai", "AI"),  # scripts without spaces have no word to go on with
    ],
)
def test_a_span_holds_whole_words_though_the_tokenizer_cuts_them_at_letters_it_does_not_know(text, phrase, whole):
    [(start, end)] = SourceText(text).spans(phrase_stems(phrase))
    assert text[start:end] == whole
