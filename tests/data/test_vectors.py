import numpy as np
import pytest

from keyseq.data.vectors import SPREAD, fitted, read_vectors
from keyseq.data.vocabulary import Vocabulary
from keyseq.errors import DataError

VOCABULARY = Vocabulary.from_words(["deep", "nets", "graphs"])  # ids 5, 6, 7


def test_only_words_of_the_vocabulary_are_kept_and_a_line_of_sizes_is_passed_over(tmp_path):
    path = tmp_path / "vectors.txt"
    path.write_text("3 2\ngraphs 1 2\nfish 9 9\ndeep 0.5 -1e-1\n")
    ids, vectors = read_vectors(path, VOCABULARY)
    assert ids == [7, 5]
    assert vectors.tolist() == [[1, 2], [0.5, np.float32(-0.1)]]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("fish 1 2\n", "no word of the corpus is in it"),
        ("deep 1 x\n", "vectors.txt:1: not a word and its numbers"),
        ("deep 1 nan\n", "vectors.txt:1: a vector must consist of finite numbers"),
        ("nets 1 2\ndeep 1 2 3\n", "differ in length"),
    ],
)
def test_a_file_that_holds_no_vectors_is_refused_with_its_place(tmp_path, text, problem):
    path = tmp_path / "vectors.txt"
    path.write_text(text)
    with pytest.raises(DataError, match=problem):
        read_vectors(path, VOCABULARY)


def test_fitting_keeps_the_directions_in_which_vectors_differ_most():
    along = np.array([[-2.0, 0, 0.1], [2, 0, 0.1], [-1, 0, 0.1], [1, 0, 0.1]], dtype=np.float32)
    [one] = fitted(along, 1).T
    assert np.allclose(np.abs(one / one[1]), [1, 1, 0.5, 0.5])
    assert one.std() == pytest.approx(SPREAD)


def test_vectors_cannot_be_made_longer():
    with pytest.raises(DataError, match="set model"):
        fitted(np.ones((4, 2), dtype=np.float32), 3)
