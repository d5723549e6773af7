"""The stems by which all published numbers were computed."""

from nltk.stem.porter import PorterStemmer

from keyseq.text import stem as stem_module
from keyseq.text.stem import LONGEST_WORD, stem, stems, text_stems
from keyseq.text.tokenize import words

# where the modes of Porter differ: NLTK's default, its original algorithm, Snowball
TELLING = ["technology", "enjoy", "news", "skies", "as", "dying", "generically", "happily", "<digit>", "c++", "'", "s"]


def test_stems_are_those_of_nltk_in_its_default_mode():
    reference = PorterStemmer()
    assert stems(TELLING) == [reference.stem(word) for word in TELLING]
    assert stem("technology") == "technolog"  # Snowball's Porter says technologi
    assert stem("news") == "news"  # the original algorithm says new


def test_a_megabyte_without_a_space_never_reaches_the_slow_stemmer_and_is_not_remembered(monkeypatch):
    stemmed = []
    monkeypatch.setattr(stem_module._memo(), "_stem", lambda word: stemmed.append(word) or word)
    monster = "generalizations" * 70_000
    assert stem(monster) == monster
    assert stemmed == []
    assert monster not in stem_module._memo()


def test_the_memo_stays_bounded(monkeypatch):
    monkeypatch.setattr(stem_module, "MEMO_SIZE", 100)
    stem_module._memo.cache_clear()
    assert stems(f"word{number}" for number in range(1000))[-1] == "word999"
    assert len(stem_module._memo()) <= 100


def test_the_longest_word_is_longer_than_any_of_english():
    assert len("pneumonoultramicroscopicsilicovolcanoconiosis") < LONGEST_WORD


def test_the_stems_of_a_text_are_the_stems_of_its_words():
    text = "Neural networks (NNs), 1998 and 3d\u00a0models: 7 of 1234567890, <digit> naïve words. " + "9" * 80
    for given in (text, text * 5, text.replace("ï", "i") * 5):
        assert text_stems(given) == stems(words(given))
