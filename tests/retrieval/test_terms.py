"""Documents as terms: stems and pairs, no stop words, a title that counts twice."""

from keyseq.retrieval.terms import terms, words_of
from keyseq.text.analyzer import Analyzer
from keyseq.text.hashing import BREAK, phrase_hash
from keyseq.types import Document


def counted(title, body):
    found = terms(words_of(Document(id="1", title=title, body=body)))
    return dict(zip(found.hashes.tolist(), found.counts.tolist(), strict=True))


def keys(*phrases):
    return {phrase_hash(phrase.split()) for phrase in phrases}


def test_terms_are_stems_and_pairs_without_stop_words():
    assert counted("", "Trees grow in the parks") == {
        phrase_hash(["tree"]): 1,
        phrase_hash(["grow"]): 1,
        phrase_hash(["tree", "grow"]): 1,
        phrase_hash(["park"]): 1,
    }


def test_a_title_counts_twice_and_is_no_pair_with_the_text():
    found = counted("Green parks", "Parks close")
    assert found == {
        phrase_hash(["green"]): 2,
        phrase_hash(["park"]): 3,
        phrase_hash(["green", "park"]): 2,
        phrase_hash(["close"]): 1,
        phrase_hash(["park", "close"]): 1,
    }


def test_no_pair_goes_across_a_mark_that_tokenizers_drop():
    assert counted("", "parks; trees").keys() == keys("park", "tree")
    assert counted("", "parks: trees — birds").keys() == keys("park", "tree", "bird")


def test_a_curly_apostrophe_is_read_as_a_straight_one():
    straight, curly = (words_of(Document(id="1", body=f"bird{mark}s nest")) for mark in "'’")
    assert straight.hashes.tolist() == curly.hashes.tolist()


def test_the_words_of_a_title_come_first_and_end_with_a_mark():
    words = words_of(Document(id="1", title="Green parks", body="close"))
    assert (words.title, words.hashes[2]) == (2, BREAK)
    assert words.stops.tolist() == [False, False, True, False]


def test_a_title_alone_and_no_text_at_all_are_fine():
    assert counted("Parks", "") == {phrase_hash(["park"]): 2}
    assert counted("", "") == {}


def test_stop_words_and_stems_are_those_of_the_language():
    words = words_of(Document(id="1", body="Les oiseaux des parcs"), Analyzer.for_language("fr"))
    assert words.stops.tolist() == [True, False, True, False]
    assert set(terms(words).hashes.tolist()) == keys("oiseau", "parc")
