from collections import Counter

import pytest

from keyseq.data.vocabulary import BOS, EOS, PAD, SEP, SPECIALS, UNK, Vocabulary, ranked
from keyseq.errors import DataError, KeyseqError

SOURCE = Counter({"the": 90, "graph": 20, "of": 70, "neural": 10})
TARGET = Counter({"neural": 5, "graph": 5, "kernel": 7})


def test_special_words_have_fixed_ids_that_every_part_relies_on():
    assert (PAD, UNK, BOS, EOS, SEP) == (0, 1, 2, 3, 4)
    assert Vocabulary.from_counts(SOURCE, TARGET, 10).words[:5] == SPECIALS


def test_words_of_targets_come_first_so_that_an_output_layer_is_a_slice_of_ids():
    # kernel 7; graph and neural 5 each in targets, graph oftener in sources; then the rest of the sources
    assert ranked(SOURCE, TARGET) == ["kernel", "graph", "neural", "the", "of"]


def test_words_are_chosen_by_how_often_both_sides_have_them():
    # the 90, of 70, graph 25, neural 15, kernel 7: rare words of targets must not push out what sources are made of
    assert ranked(SOURCE, TARGET, 4) == ["graph", "neural", "the", "of"]


def test_size_counts_the_special_words():
    vocabulary = Vocabulary.from_counts(SOURCE, TARGET, size=8)
    assert vocabulary.words == (*SPECIALS, "graph", "the", "of")
    assert len(vocabulary) == 8
    assert vocabulary.ids(["graph", "neural", "of"]) == [5, UNK, 7]
    assert vocabulary.id("kernel") == UNK


def test_a_special_word_in_the_text_does_not_get_a_second_id():
    assert Vocabulary.from_counts({"<sep>": 3, "a": 1}, {}, 10).words == (*SPECIALS, "a")


@pytest.mark.parametrize("size", [0, 4, 5])
def test_a_vocabulary_without_room_for_a_word_is_refused(size):
    with pytest.raises(KeyseqError, match=f"a vocabulary of {size} has no room"):
        Vocabulary.from_counts(SOURCE, TARGET, size=size)


def test_extending_keeps_every_id():
    vocabulary = Vocabulary.from_words(["a", "b"])
    assert vocabulary.extended(["c", "b", "d", "c"]).words == (*SPECIALS, "a", "b", "c", "d")


def test_saved_and_loaded_is_the_same(tmp_path):
    vocabulary = Vocabulary.from_words(["a", "\u2028", "é", "c++"])
    vocabulary.save(tmp_path / "v.txt")
    assert Vocabulary.load(tmp_path / "v.txt") == vocabulary


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"<pad>\n<unk>\nword\n", "must begin with <pad>"),
        (b"<pad>\n<unk>\n<s>\n</s>\n<sep>\na\nb\na\n", "'a' twice"),
        (b"<pad>\n<unk>\n<s>\n</s>\n<sep>\na\nab", "truncated"),
        (b"", "truncated"),
        (b"\xff\xfe\n", "UTF-8"),
    ],
)
def test_a_damaged_file_is_named_with_its_fault(tmp_path, content, message):
    (tmp_path / "v.txt").write_bytes(content)
    with pytest.raises(DataError, match=message) as caught:
        Vocabulary.load(tmp_path / "v.txt")
    assert "v.txt" in str(caught.value)
