"""The states of a decoder after separators, and that they are those that decoding goes through."""

import numpy as np
import pytest
import torch

from keyseq.analysis import states
from keyseq.analysis.states import Trace, after_separator, as_decoded, as_taught, sampled, separator_states
from keyseq.config import load_settings
from keyseq.data.parallel import untracked
from keyseq.data.vocabulary import BOS, SEP, Vocabulary
from keyseq.decoding.hypotheses import Hypothesis
from keyseq.network.seq2seq import Seq2Seq
from keyseq.network.storage import Stored
from keyseq.types import Document

SAID = ("neural", "network", "<sep>", "graph", "<sep>", "deep", "learning", "</s>")


def trace(words):
    """States that tell their own place."""
    return Trace(tuple(words), np.arange(len(words), dtype=np.float32)[:, None])


@pytest.mark.parametrize(
    ("steps", "places", "reason"),
    [
        (1, [3, 5], "the first word after each separator"),
        (2, [4, 6], "the second: one is the next separator, which ends its phrase"),
        (3, [7], "the third: only the last phrase is long enough; steps never reach over a separator"),
        (4, [], "nobody"),
    ],
)
def test_steps_count_from_the_last_separator(steps, places, reason):
    sample = after_separator([trace(SAID)], steps)
    assert [int(state) for state in sample.states.ravel()] == places, reason
    assert sample.words == tuple(SAID[place] for place in places)


def test_separator_states_are_those_that_emit_one():
    assert separator_states(trace(SAID)).ravel().tolist() == [2, 4]


def test_phrases_are_as_said_repetitions_included():
    assert trace(("a", "<sep>", "a", "<sep>", "<sep>", "b", "c", "</s>")).phrases() == [("a",), ("a",), ("b", "c")]


def test_a_sample_is_drawn_by_its_seed_and_never_larger_than_asked():
    sample = after_separator([trace(["<sep>", "x", "</s>"])] * 50, 1)
    assert len(sampled(sample, 20, seed=1).words) == 20
    assert np.array_equal(sampled(sample, 20, 1).states, sampled(sample, 20, 1).states)
    assert sampled(sample, 80, seed=1) is sample


@pytest.fixture(scope="module")
def stored():
    torch.manual_seed(5)
    settings = load_settings("tiny")
    vocabulary = Vocabulary.from_words(["alpha", "beta", "gamma", "delta", "of"])
    return Stored(Seq2Seq(settings.model, len(vocabulary)), settings, vocabulary)


DOCUMENTS = [
    Document(id="1", body="alpha of beta unheard", keyphrases=("alpha", "unheard", "gamma delta")),
    Document(id="2", body="gamma delta", keyphrases=("gamma delta",)),
    Document(id="3", body="", keyphrases=("alpha",)),
]


def test_states_as_decoded_are_those_that_stepping_gives(stored):
    traces = list(as_decoded(stored, DOCUMENTS, untracked))
    assert len(traces) == 2  # a document without words has nothing to read
    one = traces[1]
    network = stored.network.eval()
    source = torch.tensor([stored.vocabulary.ids(["gamma", "delta"])])
    with torch.inference_mode():
        encoded = network.encode(source, torch.tensor([2]))
        memory, state = network.remember(encoded, source), network.start(encoded)
        tokens = [BOS, *stored.vocabulary.ids(one.words[:-1])]
        for place, token in enumerate(tokens):
            _, state = network.step(torch.tensor([[token]]), state, memory)
            assert one.states[place] == pytest.approx(state["hidden"][0, 0].numpy(), abs=1e-5)


def test_a_sequence_that_is_cut_off_has_no_state_that_ends_it(stored, monkeypatch):
    cut = [Hypothesis(np.array(stored.vocabulary.ids(["alpha"] * 3)), np.zeros(3), 0.0, finished=False)]
    whole = [Hypothesis(np.array(stored.vocabulary.ids(["beta"])), np.zeros(2), 0.0, finished=True)]
    monkeypatch.setattr(states, "search", lambda *_: [cut, whole])
    first, second = as_decoded(stored, DOCUMENTS, untracked)
    assert first.words == ("alpha",) * 3
    assert len(first.states) == 3
    assert second.words == ("beta", "</s>")


def test_states_as_taught_follow_the_gold_phrases_and_name_copied_words(stored):
    first, second = as_taught(stored, DOCUMENTS, untracked)
    assert first.words == ("alpha", "<sep>", "unheard", "<sep>", "gamma", "delta", "</s>")
    assert second.words == ("gamma", "delta", "</s>")
    assert first.states.shape == (7, stored.settings.model.hidden_size)
    assert stored.vocabulary.words[SEP] == "<sep>"
