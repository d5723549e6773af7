"""A long text: counts over the whole, spans of everything, and a digest that has what tells most."""

import numpy as np
import pytest
from tests.ranking.handmade import keyphraseness

from keyseq.ranking.long_text import DIGEST, LONG, LongText, is_long
from keyseq.text.analyzer import ENGLISH
from keyseq.text.hashing import phrase_hash
from keyseq.text.presence import SourceText, phrase_stems
from keyseq.types import Document

NAMES = [f"{first}{last}" for first in "bcdfghklmnprstvw" for last in ["adameneriloluna", "abelotoro"]]
FILLER = [
    f"Notes of {first} say little of rain, wind and weather in {last}." for first in NAMES[:15] for last in NAMES[15:]
]
ABSTRACT = "Street lamps draw moths away from the hedgerows, and less pollen is carried."
BODY = "\n".join(
    [
        "Abstract",
        ABSTRACT,
        "1 Introduction",
        *FILLER[:240],
        "Amber lamps keep moths in hedgerows; amber lamps save pollen, and amber lamps save moths.",
        *FILLER[240:],
        "2 Conclusions",
        "Lamps that are amber help moths.",
        "References",
        "Knop, E., Zoller, L. (2017). Amber lamps. Macgregor, C. J., Evans, D. M. (2015). Amber lamps.",
    ]
)


@pytest.fixture(scope="module")
def text():
    return LongText(Document(id="1", title="Dimmed but not dark", body=BODY), ENGLISH)


def counted(text, phrase):
    return text.counts(np.array([phrase_hash(phrase_stems(phrase))], dtype=np.uint32))[0]


def test_phrases_are_counted_over_the_whole_without_references(text):
    assert counted(text, "amber lamps") == 3
    assert counted(text, "moths") == 4  # one in the abstract, two in the body, one in the conclusion
    assert counted(text, "dimmed") == 1  # the title counts too
    assert counted(text, "dark abstract") == 0  # a run does not go from one passage to the next


def test_a_word_after_a_mark_counts_once(text):
    assert counted(text, "lamps") == 5  # a mark before it makes no second run with the same number


@pytest.mark.parametrize("phrase", ["amber lamps", "moths", "dimmed", "lamps", "street lamps"])
def test_spans_are_those_of_the_text_read_as_a_whole(text, phrase):
    whole = SourceText(text.text, ENGLISH)
    assert text.spans(phrase_stems(phrase)) == whole.spans(phrase_stems(phrase))


def test_no_words_have_no_spans(text):
    assert text.spans([]) == ()
    assert text.spans(["nowhere"]) == ()


def test_the_digest_has_the_abstract_the_headings_the_conclusion_and_what_is_densest(text):
    counts = keyphraseness(phrases=[("rain", 0, 90), ("wind", 0, 90), ("weather", 0, 90), ("town", 0, 90)])
    document, whole = text.digest(counts)
    assert whole is text
    assert document.title == "Dimmed but not dark"
    for part in (ABSTRACT, "Amber lamps keep moths", "Lamps that are amber help moths."):
        assert part in document.body
    assert "Knop" not in document.body
    assert len(document.body.split()) < 1.2 * DIGEST


def test_the_digest_of_words_without_a_sentence_is_short_too():
    body = " ".join(f"word{number % 700}" for number in range(5_000))
    document, _ = LongText(Document(id="1", body=body), ENGLISH).digest(keyphraseness())
    assert 0 < len(document.body.split()) < 1.3 * DIGEST


def test_a_text_of_references_alone_is_read_as_it_is():
    line = "Knop, E., Zoller, L. (2017). Amber lamps. Macgregor, C. J., Evans, D. M. (2015). Moths."
    long = LongText(
        Document(id="1", body="\n".join(f"{line} Page {'i' * number}." for number in range(9)) * 20), ENGLISH
    )
    assert counted(long, "amber lamps") > 0


def test_a_text_is_long_beyond_what_rankers_learnt_from():
    assert not is_long(Document(id="1", body="a" * LONG))
    assert is_long(Document(id="1", title="a", body="a" * LONG))
