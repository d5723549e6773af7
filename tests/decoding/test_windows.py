import pytest

from keyseq.decoding.phrases import PhraseRanking, ScoredPhrase
from keyseq.decoding.windows import merged, windows


@pytest.mark.parametrize(
    ("length", "expected"),
    [
        (0, [(0, 0)]),
        (7, [(0, 7)]),
        (10, [(0, 10)]),  # it fits
        (11, [(0, 10), (6, 11)]),
        (16, [(0, 10), (6, 16)]),
        (17, [(0, 10), (6, 16), (12, 17)]),
    ],
)
def test_windows_cover_every_word_and_overlap(length, expected):
    assert [(window.start, window.stop) for window in windows(length, 10, 4)] == expected


def ranked(**scores):
    return [ScoredPhrase((word,), score) for word, score in scores.items()]


def rounded(candidates):
    return [(candidate.words[0], round(candidate.score, 3)) for candidate in candidates]


def test_a_single_window_keeps_its_ranking():
    window = ranked(a=0.2, b=0.2, c=0.1)
    assert merged([window], PhraseRanking()) == window


def test_a_score_is_the_mean_over_all_windows():
    windows_ = [ranked(a=0.9, b=0.3, e=0.3), ranked(b=0.6, c=0.3), ranked(b=0.3, d=0.6)]
    # as many as the richest window has: d's 0.2 is in, the 0.1 of c and e is not
    assert rounded(merged(windows_, PhraseRanking())) == [("b", 0.4), ("a", 0.3), ("d", 0.2)]


def test_phrases_of_the_same_stems_are_one_across_windows():
    assert rounded(merged([ranked(network=0.5), ranked(networks=0.5)], PhraseRanking())) == [("network", 0.5)]
    assert len(merged([ranked(network=0.5, b=0.1), ranked(networks=0.5)], PhraseRanking(exact=True))) == 2


def test_windows_without_phrases_count():
    assert rounded(merged([[], ranked(a=0.8), [], []], PhraseRanking())) == [("a", 0.2)]
    assert merged([[], []], PhraseRanking()) == []
