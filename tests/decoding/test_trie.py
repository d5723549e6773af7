import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keyseq.data.vocabulary import SEP, Vocabulary
from keyseq.decoding.evidence import evidence
from keyseq.decoding.phrases import PhraseRanking, candidates
from keyseq.decoding.policies import POLICIES, policy
from keyseq.decoding.trie import AllowList, Walk
from keyseq.errors import KeyseqError

from .tables import TableStepper, search

WORDS = Vocabulary.from_words(["deep", "learning", "graph", "neural", "network", "rare"])
GENERABLE = WORDS.id("rare")  # the last word can only be copied


def produced(phrases, text, name="exhaustive", stepper=None, **changes):
    """All phrases that a search says under a list."""
    allow_list = AllowList(phrases, WORDS, GENERABLE)
    ids, unknown = WORDS.source_ids(text.split())
    walk = Walk(allow_list, [allow_list.open(np.array(ids), unknown)], separators=[SEP])
    stepper = stepper or TableStepper(len(WORDS))
    [found] = search(stepper, [np.array(ids)], policy(name, **{"max_length": 6, **changes}), walk)
    names = {number: word for word, number in unknown.items()}
    speaks = evidence(found, lambda number: names.get(number) or WORDS.words[number], tuple)
    ranked = candidates(speaks, (), PhraseRanking(exact=True))
    return {" ".join(candidate.words) for candidate in ranked if allow_list.listed(candidate.words)}, found


def test_nothing_but_listed_phrases_is_said():
    listed = ["deep learning", "deep graph network", "graph"]
    texts, found = produced(listed, "neural graph", beam=20)
    assert texts == set(listed)
    for hypothesis in found:
        if hypothesis.finished:
            said = " ".join("|" if token == SEP else WORDS.words[token] for token in hypothesis.tokens)
            assert all(phrase in listed for phrase in said.split(" | "))


@settings(max_examples=30, deadline=None)
@given(
    listed=st.lists(
        st.lists(st.sampled_from(["deep", "learning", "graph", "neural"]), min_size=1, max_size=3), min_size=1
    ),
    name=st.sampled_from(sorted(POLICIES)),
)
def test_every_policy_keeps_to_the_list_and_finds_something(listed, name):
    lines = [" ".join(words) for words in listed]
    wide = {} if name in ("greedy", "sampling") else {"beam": 4}
    texts, found = produced(lines, "deep graph", name, stepper=TableStepper(len(WORDS), eos=1.0), **wide)
    assert texts
    assert texts <= set(lines)
    assert all({WORDS.words[t] for t in h.tokens if t != SEP} <= set(" ".join(lines).split()) for h in found)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("graph", {"graph"}),  # no document word that could be copied
        ("rare graph", {"graph", "rare", "rare graph", "deep rare"}),  # in the vocabulary, but not generable
        ("zebra graph", {"graph", "deep zebra"}),  # outside the vocabulary
        ("zebra rare", {"graph", "rare", "rare graph", "deep rare", "deep zebra", "zebra rare learning"}),
        ("yak zebra", {"graph", "deep zebra", "yak"}),
    ],
)
def test_words_that_cannot_be_generated_are_open_to_documents_that_hold_them(text, expected):
    listed = ["graph", "rare", "rare graph", "deep rare", "deep zebra", "zebra rare learning", "yak", "deep zebra yeti"]
    texts, _ = produced(listed, text, beam=60)
    assert texts == expected


def test_greedy_never_walks_into_a_word_that_leads_nowhere():
    """`neural` begins a listed phrase, but only one that goes on with a word this document does not hold."""
    texts, _ = produced(["neural zebra", "graph"], "neural", "greedy")
    assert texts == {"graph"}


def test_a_list_without_words_is_refused():
    with pytest.raises(KeyseqError, match="is empty; write one phrase per line"):
        AllowList(["", "  ", "-"], WORDS, GENERABLE)


def test_a_hundred_thousand_phrases_cost_a_step_no_more_than_a_few():
    """A step asks for a phrase's own next words and passes the list of first words by reference."""
    draw = np.random.default_rng(5)
    vocabulary = Vocabulary.from_words([f"w{number}" for number in range(20_000)])
    numbers = draw.integers(0, 20_000, (100_000, 3)).tolist()
    allow_list = AllowList([f"w{a} w{b} w{c}" for a, b, c in numbers], vocabulary, 20_000)
    assert len(allow_list) == 100_000
    nodes = np.array([[0, allow_list.child(0, 7, allow_list.open(np.array([7]), {}))]])
    walk = Walk(allow_list, [allow_list.open(np.array([7]), {})], separators=[SEP])
    allowed = walk.allowed(np.array([0]), nodes)
    assert allowed.first is allow_list.first
    assert allowed.ids.shape[2] < 50
    few = AllowList(["w7 w8 w9"], vocabulary, 20_000)
    of_few = Walk(few, [few.open(np.array([7]), {})], separators=[SEP])
    few_nodes = np.array([[0, few.child(0, 7, few.open(np.array([7]), {}))]])
    assert calls(walk, nodes) <= calls(of_few, few_nodes) + 2 * allowed.ids.shape[2]


def calls(walk, nodes):
    """How many functions a step calls: a clock would hang on how busy the machine is."""
    counted = 0

    def count(_frame, event, _arg):
        nonlocal counted
        counted += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        allowed = walk.allowed(np.array([0]), nodes)
        walk.advance(np.array([0]), nodes, allowed.ids[:, :, 0])
    finally:
        sys.setprofile(None)
    return counted
