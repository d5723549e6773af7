import numpy as np
import pytest
import torch

from keyseq.data.batching import collate
from keyseq.data.network_inputs import NetworkInput
from keyseq.data.vocabulary import BOS, PAD, UNK
from keyseq.decoding.stepper import Allowed, Ends
from keyseq.runtime.state import GraphState
from keyseq.runtime.torch import torch_stepper

from .networks import VARIANTS, WORDS, make

IDS = [
    np.array([7, 8, 9, 7, WORDS, 200, WORDS, WORDS + 1]),  # words outside the vocabulary, repeated words
    np.array([10, 299, 20]),
    np.array([30]),
]
SOURCES = [NetworkInput(ids) for ids in IDS]


def expected(network, prefixes):
    """log p over the extended vocabulary after the prefix of each source, by the network's own steps."""
    nothing = [np.array([], dtype=np.int64)] * len(SOURCES)
    batch = collate(IDS, nothing, WORDS)
    encoded = network.encode(batch.source, batch.source_lengths)
    memory, state = network.remember(encoded, batch.source_extended), network.start(encoded)
    for tokens in np.array(prefixes).T:
        decoded, state = network.step(torch.as_tensor(tokens)[:, None], state, memory)
    found = network.pointer(decoded, batch.source_extended, WORDS + 2)[:, 0]
    found[:, [PAD, UNK, BOS]] = -np.inf
    return found.numpy()


def start(documents, beams=1):
    return Ends(np.full((documents, beams), BOS), np.zeros((documents, beams), np.float32))


@pytest.mark.parametrize("block", [128, 12_800])  # three blocks, or one
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_step_gives_the_best_of_the_networks_own_distribution(variant, block, monkeypatch):
    monkeypatch.setattr("keyseq.runtime.state.BLOCK", block)
    network = make(variant).network
    stepper = torch_stepper(network)
    state = stepper.encode(SOURCES)
    prefixes, ends = [[[BOS]]] * 3, start(3)
    with torch.inference_mode():
        for _ in range(3):
            found = stepper.step(state, ends, 40)
            rows = [expected(network, [row[beam] for row in prefixes]) for beam in range(ends.tokens.shape[1])]
            for document in range(3):
                totals = np.stack([row[document] + ends.scores[document, beam] for beam, row in enumerate(rows)])
                places = found.beams[document], found.ids[document]
                np.testing.assert_allclose(found.scores[document], np.sort(totals.ravel())[::-1][:40], atol=2e-5)
                np.testing.assert_allclose(totals[places], found.scores[document], atol=2e-5)
                assert len(set(zip(*map(np.ndarray.tolist, places), strict=True))) == 40
            some = np.array([[0, 7, 20]] * 3)  # good ones and bad ones
            parents, words = (np.take_along_axis(part, some, axis=1) for part in (found.beams, found.ids))
            prefixes = [
                [[*row[parent], int(word)] for parent, word in zip(parents[d], words[d], strict=True)]
                for d, row in enumerate(prefixes)
            ]
            state, ends = (
                found.state.select(np.arange(3), parents),
                Ends(words, np.take_along_axis(found.scores, some, 1)),
            )


def test_documents_that_have_left_do_not_change_the_others():
    stepper = torch_stepper(make().network)
    state = stepper.step(stepper.encode(SOURCES), start(3), 5).state
    for kept in ([0, 2], [1], [0, 1]):  # the first two are moved together, the last stays in place
        left = state.select(np.array(kept), np.zeros((len(kept), 2), dtype=np.int64))
        alone = stepper.step(stepper.encode([SOURCES[n] for n in kept]), start(len(kept)), 5).state
        alone = alone.select(np.arange(len(kept)), np.zeros((len(kept), 2), dtype=np.int64))
        ends = Ends(np.array([[20, 30]] * len(kept)), np.array([[-1, -2]] * len(kept), np.float32))
        ours, theirs = stepper.step(left, ends, 5), stepper.step(alone, ends, 5)
        np.testing.assert_array_equal(ours.ids, theirs.ids)
        np.testing.assert_array_equal(ours.beams, theirs.beams)
        np.testing.assert_allclose(ours.scores, theirs.scores, atol=1e-5)


def test_memory_is_copied_only_when_many_documents_have_left():
    memory = {"extended": np.arange(8)[:, None]}
    state = GraphState(memory, {"hidden": np.arange(16).reshape(8, 2, 1)}, np.arange(8))
    seven = state.select(np.arange(1, 8), np.ones((7, 1), dtype=np.int64))
    assert seven.memory["extended"] is memory["extended"]
    assert seven.carried["hidden"][seven.rows, 0, 0].tolist() == [3, 5, 7, 9, 11, 13, 15]
    three = seven.select(np.array([0, 3, 6]), np.zeros((3, 1), dtype=np.int64))
    assert three.memory["extended"].tolist() == [[1], [4], [7]]
    assert three.carried["hidden"].tolist() == [[[3]], [[9]], [[15]]]


@pytest.mark.parametrize("block", [128, 12_800])
@pytest.mark.parametrize("variant", ["catseqd", "few-outputs"])
def test_a_narrowed_step_chooses_among_allowed_words_with_the_same_probabilities(variant, block, monkeypatch):
    monkeypatch.setattr("keyseq.runtime.state.BLOCK", block)
    network = make(variant).network
    stepper = torch_stepper(network)
    first = np.zeros(WORDS, dtype=bool)
    first[[7, 8, 50, 60, 140]] = True
    ids = np.full((3, 2, 4), -1)
    ids[0, 0, :2] = WORDS, 9  # at the beginning: the list, and words beside it
    ids[0, 1] = 3, 200, 55, WORDS + 1  # within a phrase: only these
    ids[1, 1, :2] = 299, 4
    begins = np.array([[True, False]] * 3)
    state = stepper.encode(SOURCES).select(np.arange(3), np.zeros((3, 2), dtype=np.int64))
    found = stepper.step(state, start(3, 2), 30, Allowed(first, begins, ids))
    with torch.inference_mode():
        rows = expected(network, [[BOS]] * 3)
    for document in range(3):
        said = np.isfinite(found.scores[document])
        pairs = list(zip(found.beams[document][said].tolist(), found.ids[document][said].tolist(), strict=True))
        possible = {
            (beam, word)
            for beam in range(2)
            for word in {
                *ids[document, beam].tolist(),
                *(np.flatnonzero(first).tolist() if begins[document, beam] else []),
            }
            if word >= 0 and np.isfinite(rows[document][word])
        }
        assert sorted(pairs) == sorted(possible)
        expected_scores = [rows[document][word] for _, word in pairs]
        np.testing.assert_allclose(found.scores[document][said], expected_scores, atol=2e-5)


def test_words_that_are_never_said_do_not_crowd_out_those_that_are():
    """`<unk>` is the most probable word of every hypothesis; a document's best ways are spread over many chunks."""
    network = make().network
    with torch.no_grad():
        network.pointer.vocabulary.bias[:32] -= 30  # the first chunk, but for <unk>
        network.pointer.vocabulary.bias[UNK] += 40
        network.pointer.switch.squash.bias += 30  # nothing is copied
    stepper = torch_stepper(network)
    state = stepper.encode(SOURCES).select(np.arange(3), np.zeros((3, 6), dtype=np.int64))
    found = stepper.step(state, start(3, 6), 10)
    with torch.inference_mode():
        rows = expected(network, [[BOS]] * 3)
    for document in range(3):  # all six are at the beginning, so each word is six times in the ranking
        best = np.repeat(np.sort(rows[document])[::-1], 6)[:10]
        np.testing.assert_allclose(found.scores[document], best, atol=2e-5)


def test_an_empty_place_is_never_continued():
    stepper = torch_stepper(make().network)
    state = stepper.encode(SOURCES).select(np.arange(3), np.zeros((3, 2), dtype=np.int64))
    ends = Ends(np.array([[9, 0]] * 3), np.array([[-4, -np.inf]] * 3, np.float32))
    found = stepper.step(state, ends, 10)
    assert (found.beams == 0).all()
    assert np.isfinite(found.scores).all()


def test_fewer_words_than_asked_for_are_no_error():
    few = make("catseqd", "model.output_vocabulary=8").network
    found = torch_stepper(few).step(torch_stepper(few).encode(SOURCES[:1]), start(1), 50)
    said = found.ids[0][np.isfinite(found.scores[0])]
    assert sorted(said.tolist()) == [3, 4, 5, 6, 7, 8, 9, 200, WORDS, WORDS + 1]
