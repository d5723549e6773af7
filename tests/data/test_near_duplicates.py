import random

import pytest

from keyseq.data import near_duplicates
from keyseq.data.leaks import Fingerprint
from keyseq.data.near_duplicates import NearDuplicates
from keyseq.types import Document

WORDS = [a + b + c for a in "bdfgk" for b in "aeiou" for c in "lmnrst"]


def text(seed, length=80):
    return " ".join(random.Random(seed).choices(WORDS, k=length))


def copies(*documents):
    prints = [Fingerprint.of(Document(id="", title=title, body=body)) for title, body in documents]
    found = NearDuplicates()
    for known in prints:
        found.add(known)
    return found.copies(prints.__getitem__)


def test_the_longest_of_several_copies_is_kept():
    whole = text(1)
    cut, longer = " ".join(whole.split()[:50]), f"{whole} {text(2, 10)}"
    assert copies(("", cut), ("", text(3)), ("", longer), ("", whole)) == {0: 2, 3: 2}


def test_of_equal_documents_the_first_is_kept():
    assert copies(("", text(1)), ("", text(2)), ("", text(1)), ("", text(1))) == {2: 0, 3: 0}


def test_short_texts_are_found_by_being_equal():
    assert copies(("", "two words"), ("", "three words here"), ("", "Two words.")) == {2: 0}


def test_titles_find_what_texts_do_not():
    title = "The very same title of two papers"
    assert copies((title, text(1)), (title, text(2, 60))) == {1: 0}
    assert copies(("Editorial", text(1)), ("Editorial", text(2))) == {}


def test_a_small_change_in_many_places_is_found():
    edited = text(1, 200).split()
    edited[::60] = ["changed"] * 4
    assert copies(("", text(1, 200)), ("", " ".join(edited))) in ({0: 1}, {1: 0})


def test_a_common_beginning_does_not_make_two_questions_one():
    asked = text(1, 60)
    assert copies(("", f"{asked} {text(2, 30)}"), ("", f"{asked} {text(3, 30)}")) == {}


@pytest.mark.parametrize("most", [1, 50])
def test_more_copies_than_are_paired_are_found_all_the_same(monkeypatch, most):
    monkeypatch.setattr(near_duplicates, "MOST_PAIRED", most)
    assert copies(*[("", text(1))] * 5) == {1: 0, 2: 0, 3: 0, 4: 0}


def test_an_empty_corpus_has_no_copies():
    assert copies() == {}
