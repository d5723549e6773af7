import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keyseq.data.vocabulary import BOS, EOS, SEP
from keyseq.decoding.policies import POLICIES, Policy, policy

from .tables import TableStepper, search

WORDS = (SEP, 5, 6)  # of a vocabulary of seven


def brute_force(stepper, source, max_length):
    """Every sequence that ends within the length, and every one cut off there, with its sum."""
    found = []
    for length in range(max_length + 1):
        for words in itertools.product(WORDS, repeat=length):
            given_so_far, total = (BOS,), np.float32(0)
            for word in (*words, *([EOS] if length < max_length else [])):
                total += stepper.log_probabilities(source, given_so_far)[word]
                given_so_far = (*given_so_far, word)
            found.append((words, float(total)))
    return sorted(found, key=lambda pair: -pair[1])


def sequences(hypotheses):
    return [tuple(hypothesis.tokens.tolist()) for hypothesis in hypotheses]


@settings(max_examples=60, deadline=None)
@given(source=st.lists(st.integers(5, 6), min_size=1, max_size=4), max_length=st.integers(1, 4), stop=st.booleans())
def test_a_beam_wide_enough_for_all_prefixes_is_brute_force(source, max_length, stop):
    stepper = TableStepper(7)
    expected = brute_force(stepper, tuple(source), max_length)
    keep = len(expected) if stop else 1
    wide = Policy(beam=4**max_length, max_length=max_length, keep=keep)
    [found] = search(stepper, [np.array(source)], wide)
    assert [hypothesis.rank for hypothesis in found] == pytest.approx([total for _, total in expected[:keep]])
    totals = dict(expected)
    assert all(totals[words] == pytest.approx(h.rank) for words, h in zip(sequences(found), found, strict=True))
    assert len(set(sequences(found))) == len(found)


def greedy(stepper, source, max_length):
    prefix, total = (BOS,), np.float32(0)
    while len(prefix) <= max_length:
        row = stepper.log_probabilities(source, prefix)
        word = int(np.argmax(row))
        total += row[word]
        if word == EOS:
            break
        prefix = (*prefix, word)
    return prefix[1:], float(total)


@settings(max_examples=50, deadline=None)
@given(source=st.lists(st.integers(5, 30), min_size=1, max_size=5), max_length=st.integers(1, 9))
def test_a_beam_of_one_takes_the_most_probable_word_each_time(source, max_length):
    stepper = TableStepper(20, eos=1.0)
    [[found]] = search(stepper, [np.array(source)], Policy(max_length=max_length))
    words, total = greedy(stepper, tuple(source), max_length)
    assert tuple(found.tokens) == words
    assert found.rank == pytest.approx(total)
    assert found.finished == (len(found.log_probabilities) == len(words) + 1)


@settings(max_examples=25, deadline=None)
@given(
    sources=st.lists(st.lists(st.integers(5, 30), min_size=1, max_size=5), min_size=2, max_size=6),
    name=st.sampled_from(sorted(POLICIES)),
)
def test_a_document_has_the_same_result_alone_and_among_others(sources, name):
    stepper = TableStepper(20, eos=0.5)
    wide = {} if name in ("distinct", "greedy", "sampling") else {"beam": 4, "keep": 12}
    chosen = policy(name, max_length=8, seed=3, **wide)
    arrays = [np.array(source) for source in sources]
    together = search(stepper, arrays, chosen)
    for source, found in zip(arrays, together, strict=True):
        [alone] = search(stepper, [source], chosen)
        assert sequences(found) == sequences(alone)
        assert [h.rank for h in found] == [h.rank for h in alone]


def reference_beam(stepper, source, width, max_length):
    """The released rule without tensors: the best `width` of all extensions; those that end leave the beam."""
    live, finished = [((BOS,), np.float32(0))], []
    for _ in range(max_length):
        extensions = [
            (-(total + chance), word, place, prefix)
            for place, (prefix, total) in enumerate(live)
            for word, chance in enumerate(stepper.log_probabilities(source, prefix))
            if np.isfinite(chance)
        ]
        best = sorted(extensions)[:width]
        finished += [(prefix[1:], -minus) for minus, word, _, prefix in best if word == EOS]
        live = [((*prefix, word), -minus) for minus, word, _, prefix in best if word != EOS]
    finished += [(prefix[1:], total) for prefix, total in live]
    return sorted(finished, key=lambda pair: -pair[1])


@settings(max_examples=40, deadline=None)
@given(source=st.lists(st.integers(5, 20), min_size=1, max_size=3), width=st.integers(1, 6), eos=st.floats(-1, 2))
def test_a_narrow_beam_keeps_what_the_released_rule_keeps(source, width, eos):
    stepper = TableStepper(9, eos=eos)  # logits in steps of a half: ties abound
    expected = reference_beam(stepper, tuple(source), width, 5)
    [found] = search(stepper, [np.array(source)], Policy(beam=width, max_length=5, keep=1000, stop="count"))
    assert sequences(found) == [words for words, _ in expected]
    assert [h.rank for h in found] == pytest.approx([total for _, total in expected])


@settings(max_examples=40, deadline=None)
@given(
    source=st.lists(st.integers(5, 20), min_size=1, max_size=3),
    keep=st.integers(1, 5),
    penalty=st.sampled_from([0.0, 0.5, 1.0]),
)
def test_giving_up_hopeless_hypotheses_changes_nothing_that_is_kept(source, keep, penalty):
    full = Policy(beam=5, max_length=7, keep=10_000, length_penalty=penalty)
    bounded = Policy(beam=5, max_length=7, keep=keep, length_penalty=penalty)
    stepper = TableStepper(9, eos=1.0)
    [everything] = search(stepper, [np.array(source)], full)
    rows, stepper.rows = stepper.rows, 0
    [best] = search(stepper, [np.array(source)], bounded)
    assert sequences(best) == sequences(everything)[:keep]
    assert stepper.rows <= rows


def test_finished_documents_leave_so_that_nothing_is_computed_for_them():
    quick, slow = TableStepper(9, eos=50.0), TableStepper(9, eos=-50.0)
    search(quick, [np.array([5]), np.array([6])], Policy(max_length=30))
    search(slow, [np.array([5]), np.array([6])], Policy(max_length=30))
    assert (quick.rows, slow.rows) == (2, 60)


def test_counting_stops_a_document_as_soon_as_enough_sequences_ended():
    stepper = TableStepper(9, eos=3.0)
    chosen = Policy(beam=4, max_length=30, keep=3, stop="count")
    [found] = search(stepper, [np.array([5])], chosen)
    assert len(found) == 3
    assert stepper.rows < 4 * 30 / 2


def test_a_length_penalty_prefers_longer_sequences():
    stepper = TableStepper(9, eos=0.5)
    lengths = []
    for penalty in (0.0, 1.0):
        found = search(
            stepper, [np.array([n]) for n in range(5, 20)], Policy(beam=6, max_length=8, length_penalty=penalty)
        )
        lengths.append(sum(len(best[0].tokens) for best in found))
    assert lengths[1] > 2 * lengths[0]


def test_log_probabilities_add_up_to_the_rank_and_belong_to_the_words():
    stepper = TableStepper(9)
    for hypothesis in search(stepper, [np.array([5, 6])], Policy(beam=5, max_length=4, keep=100))[0]:
        assert hypothesis.log_probabilities.sum() == pytest.approx(hypothesis.rank, abs=1e-5)
        prefix = (BOS,)
        words = [*hypothesis.tokens.tolist(), *([EOS] if hypothesis.finished else [])]
        for word, chance in zip(words, hypothesis.log_probabilities, strict=True):
            assert stepper.log_probabilities((5, 6), prefix)[word] == pytest.approx(chance, abs=1e-5)
            prefix = (*prefix, word)


def test_draws_follow_the_temperature_and_the_seed():
    stepper = TableStepper(30, step=0.01, eos=1.0)
    source = [np.array([5, 6, 7])]

    def drawn(**changes):
        [found] = search(stepper, source, policy("sampling", **{"samples": 40, **changes}))
        return sequences(found)

    assert drawn(seed=1) == drawn(seed=1)
    assert drawn(seed=1) != drawn(seed=2)
    assert len(set(drawn(temperature=0.0001))) == 1
    assert set(drawn(temperature=0.0001)) == {greedy(stepper, (5, 6, 7), 40)[0]}
    assert len(set(drawn(temperature=1.0))) > 10


def test_draws_have_the_probabilities_of_the_model():
    stepper = TableStepper(9)
    [found] = search(stepper, [np.array([5])], policy("sampling", samples=4000, max_length=1))
    row = np.exp(stepper.log_probabilities((5,), (BOS,)))
    firsts = [hypothesis.tokens[0] if len(hypothesis.tokens) else EOS for hypothesis in found]
    shares = np.bincount(firsts, minlength=len(row)) / len(firsts)
    assert shares == pytest.approx(row, abs=4 * np.sqrt(0.25 / 4000))


def test_no_documents_is_no_result():
    assert search(TableStepper(9), [], Policy()) == []


def first_words(tokens):
    return [word for before, word in itertools.pairwise([SEP, *tokens]) if before == SEP]


@settings(max_examples=60, deadline=None)
@given(
    source=st.lists(st.integers(5, 30), min_size=1, max_size=5),
    beam=st.integers(1, 4),
    max_length=st.integers(2, 12),
)
def test_distinct_sequences_never_begin_two_phrases_with_the_same_word(source, beam, max_length):
    stepper = TableStepper(20, eos=0.3)
    [found] = search(stepper, [np.array(source)], Policy(beam=beam, keep=beam, max_length=max_length, distinct=True))
    assert found
    for words in map(first_words, sequences(found)):
        assert len(set(words)) == len(words)


@settings(max_examples=40, deadline=None)
@given(source=st.lists(st.integers(5, 30), min_size=1, max_size=5))
def test_distinct_is_greedy_until_a_phrase_would_be_repeated(source):
    stepper = TableStepper(20, eos=0.3)
    [[plain]] = search(stepper, [np.array(source)], policy("greedy", max_length=10))
    [[distinct]] = search(stepper, [np.array(source)], policy("distinct", max_length=10))
    words = first_words(plain.tokens.tolist())
    if len(set(words)) == len(words):
        assert distinct.tokens.tolist() == plain.tokens.tolist()
    else:
        assert distinct.tokens.tolist() != plain.tokens.tolist()


@settings(max_examples=40, deadline=None)
@given(
    source=st.lists(st.integers(5, 30), min_size=1, max_size=5),
    bonus=st.floats(-3, 3, width=16),
    growth=st.floats(0, 2, width=16),
)
def test_a_bonus_for_the_end_decides_where_a_sequence_ends_but_not_what_it_says_or_is_worth(source, bonus, growth):
    stepper = TableStepper(20, eos=0.3)
    wanted = Policy(max_length=40, end_bonus=bonus, end_growth=growth)
    [[found]] = search(stepper, [np.array(source)], wanted)
    prefix, total = (BOS,), np.float32(0)
    while len(prefix) <= 40:
        row = stepper.log_probabilities(tuple(source), prefix)
        raised = row.copy()
        raised[EOS] += bonus + growth * (1 + prefix.count(SEP))
        word = int(np.argmax(raised))
        total += row[word]
        if word == EOS:
            break
        prefix = (*prefix, word)
    assert tuple(found.tokens.tolist()) == prefix[1:]
    assert found.rank == pytest.approx(float(total), abs=1e-4)
