"""Which corpora adapt refuses, and in which words."""

import pytest
from tests.systems.tagged import documents

from keyseq.adapting.tag_check import TagCheck
from keyseq.errors import DataError
from keyseq.types import Document


def tagged(*tags):
    return [Document(id=str(number), body="text", keyphrases=own) for number, own in enumerate(tags)]


@pytest.mark.parametrize(
    ("corpus", "message"),
    [
        ([], "c.jsonl: contains no documents"),
        (tagged((), None, ("",)), "c.jsonl: no document has tags; adapt learns from documents with tags (keyphrases)"),
        (
            [Document(id="1", body="text", subjects=("http://x/1",))],
            "c.jsonl: its documents have subjects but no tags; name the vocabulary with --vocabulary",
        ),
        (
            tagged(*[("news",)] * 40, ("News ",)),
            "c.jsonl: all its documents have the same tag, 'news', so there is nothing to learn",
        ),
        (
            tagged(*[("a", "b"), ("b", "a")] * 20),
            "c.jsonl: all its documents have the same tags, so there is nothing to learn",
        ),
        (list(documents(29)), "c.jsonl: has 29 documents with tags; adapt needs at least 30"),
    ],
)
def test_tags_that_tell_nothing_are_refused(corpus, message):
    check = TagCheck("c.jsonl")
    for document in corpus:
        check.see(document)
    with pytest.raises(DataError) as error:
        check.finish()
    assert str(error.value) == message


def test_thirty_documents_whose_tags_vary_are_enough():
    check = TagCheck("c.jsonl")
    assert all(check.see(document) for document in documents(30))
    check.finish()


def test_a_corpus_that_repeats_a_few_texts_is_refused():
    check = TagCheck("c.jsonl")
    for document in documents(40):
        check.see(document)
    for _ in range(38):
        check.see_repeated()
    with pytest.raises(DataError, match=r"only 2 of its 40 documents with tags have their own text"):
        check.finish()
