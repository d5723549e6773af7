import numpy as np
import pytest
import torch

from keyseq.data.batching import collate
from keyseq.data.vocabulary import BOS, PAD, UNK
from keyseq.decoding.stepper import Allowed
from keyseq.network.pointer import log_probabilities
from keyseq.runtime.state import State
from keyseq.runtime.torch import torch_stepper

from .networks import VARIANTS, WORDS, make

SOURCES = [
    np.array([7, 8, 9, 7, WORDS, 200, WORDS, WORDS + 1]),  # words outside the vocabulary, repeated words
    np.array([10, 299, 20]),
    np.array([30]),
]


def expected(network, prefixes):
    """log p over the extended vocabulary after the prefix of each source, by the network's own steps."""
    nothing = [np.array([], dtype=np.int64)] * len(SOURCES)
    batch = collate(SOURCES, nothing, WORDS)
    memory = network.encode(batch.source, batch.source_lengths)
    state = network.start(memory)
    for tokens in np.array(prefixes).T:
        known = torch.as_tensor(np.where(tokens < WORDS, tokens, UNK))
        choice, state = network.step(known, state, memory)
    found = log_probabilities(choice, batch.source_extended, WORDS + 2)
    found[:, [PAD, UNK, BOS]] = -np.inf
    return found.numpy()


def assert_best(found_chances, found_ids, row, k):
    order = np.argsort(-row, kind="stable")[:k]
    np.testing.assert_allclose(found_chances, row[order], atol=2e-5)
    np.testing.assert_allclose(row[found_ids], found_chances, atol=2e-5)  # equal ones may change places


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_step_gives_the_best_words_of_the_networks_own_distribution(variant):
    network = make(variant).network
    stepper = torch_stepper(network)
    state = stepper.encode(SOURCES)
    prefixes = [[[BOS]], [[BOS]], [[BOS]]]
    k = 40
    with torch.inference_mode():
        for step in range(3):
            tokens = np.array([[prefix[-1] for prefix in row] for row in prefixes])
            found = stepper.step(state, tokens, k)
            for beam in range(tokens.shape[1]):
                rows = expected(network, [row[beam] for row in prefixes])
                for document, row in enumerate(rows):
                    assert_best(found.log_probabilities[document, beam], found.ids[document, beam], row, k)
            parents = np.array([[0, 0, step % tokens.shape[1]]] * 3)  # hypotheses fork and are given up
            prefixes = [
                [[*row[parent], int(found.ids[d, parent, place])] for place, parent in enumerate(parents[d])]
                for d, row in enumerate(prefixes)
            ]
            state = found.state.select(np.arange(3), parents)


def test_documents_that_have_left_do_not_change_the_others():
    stepper = torch_stepper(make().network)
    tokens = np.full((3, 1), BOS)
    state = stepper.step(stepper.encode(SOURCES), tokens, 5).state
    for kept in ([0, 2], [1], [0, 1]):  # the first two are moved together, the last stays in place
        left = state.select(np.array(kept), np.zeros((len(kept), 2), dtype=np.int64))
        alone = stepper.step(stepper.encode([SOURCES[n] for n in kept]), tokens[: len(kept)], 5).state
        alone = alone.select(np.arange(len(kept)), np.zeros((len(kept), 2), dtype=np.int64))
        words = np.array([[20, 30]] * len(kept))
        ours, theirs = stepper.step(left, words, 5), stepper.step(alone, words, 5)
        np.testing.assert_array_equal(ours.ids, theirs.ids)
        np.testing.assert_allclose(ours.log_probabilities, theirs.log_probabilities, atol=1e-5)


def test_memory_is_copied_only_when_many_documents_have_left():
    memory = {"extended": np.arange(8)[:, None]}
    state = State(memory, {"hidden": np.arange(16).reshape(8, 2, 1)}, np.arange(8))
    seven = state.select(np.arange(1, 8), np.ones((7, 1), dtype=np.int64))
    assert seven.memory["extended"] is memory["extended"]
    assert seven.carried["hidden"][seven.rows, 0, 0].tolist() == [3, 5, 7, 9, 11, 13, 15]
    three = seven.select(np.array([0, 3, 6]), np.zeros((3, 1), dtype=np.int64))
    assert three.memory["extended"].tolist() == [[1], [4], [7]]
    assert three.carried["hidden"].tolist() == [[[3]], [[9]], [[15]]]


@pytest.mark.parametrize("variant", ["catseqd", "few-outputs"])
def test_a_narrowed_step_chooses_among_allowed_words_with_the_same_probabilities(variant):
    network = make(variant).network
    stepper = torch_stepper(network)
    first = np.zeros(WORDS, dtype=bool)
    first[[7, 8, 50, 60, 70]] = True
    ids = np.full((3, 2, 4), -1)
    ids[0, 0, :2] = WORDS, 9  # at the beginning: the list, and a copied word
    ids[0, 1] = 3, 200, 55, WORDS + 1  # within a phrase: only these
    ids[1, 1, :2] = 299, 4
    begins = np.array([[True, False]] * 3)
    state = stepper.encode(SOURCES).select(np.arange(3), np.zeros((3, 2), dtype=np.int64))
    found = stepper.step(state, np.full((3, 2), BOS), 12, Allowed(first, begins, ids))
    with torch.inference_mode():
        rows = expected(network, [[BOS]] * 3)
    for document in range(3):
        for beam in range(2):
            allowed = set(ids[document, beam][ids[document, beam] >= 0].tolist())
            allowed |= set(np.flatnonzero(first).tolist()) if begins[document, beam] else set()
            possible = {word for word in allowed if np.isfinite(rows[document][word])}
            chances = found.log_probabilities[document, beam]
            said = found.ids[document, beam][np.isfinite(chances)]
            assert set(said.tolist()) == possible
            assert len(said) == len(possible)
            np.testing.assert_allclose(chances[: len(said)], rows[document][said], atol=2e-5)


def test_fewer_words_than_asked_for_are_no_error():
    few = make("catseqd", "model.output_vocabulary=8").network
    found = torch_stepper(few).step(torch_stepper(few).encode(SOURCES[:1]), np.full((1, 1), BOS), 50)
    said = found.ids[0, 0][np.isfinite(found.log_probabilities[0, 0])]
    assert sorted(said.tolist()) == [3, 4, 5, 6, 7, 8, 9, 200, WORDS, WORDS + 1]
