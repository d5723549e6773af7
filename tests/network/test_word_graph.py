"""The word graph and the pointer of DivGraphPointer, by hand."""

import numpy as np
import pytest
import torch

from keyseq.config import TargetSettings, load_settings
from keyseq.data.batching import collate
from keyseq.data.examples import Dropped, example
from keyseq.data.network_inputs import INPUTS, SourceWindow, laid_out, network_input
from keyseq.data.vocabulary import BOS, EOS, SEP, Vocabulary
from keyseq.errors import KeyseqError
from keyseq.network.word_graph import scaled
from keyseq.types import Document

from . import transcription
from .conftest import make_network, model_settings

VOCABULARY = Vocabulary.from_words([f"w{number}" for number in range(15)])


def read(text):
    """The input of a text, and its words outside the vocabulary."""
    document = Document(id="1", body=text)
    return network_input(SourceWindow(document, text.split(), VOCABULARY, TargetSettings()), [INPUTS["near"]])


def test_the_source_is_distinct_words_and_two_ends():
    source, unknown = read("w3 odd w1 w3 even odd")
    assert source.ids.tolist() == [8, 20, 6, 21, SEP, EOS]
    assert unknown == {"odd": 20, "even": 21}


def test_words_are_as_near_as_their_places_are():
    """x1 x2 x3 x4 x2, summed by hand."""
    near = laid_out([read("w1 w2 w3 w4 w2")[0]], [INPUTS["near"]])["near"][0]
    expected = np.zeros((6, 6))
    expected[0, 1:4] = 1.25, 1 / 2, 1 / 3
    expected[1, 1:4] = 1 / 3, 1, 1 / 2
    expected[2, 1], expected[2, 3] = 1 / 2, 1
    expected[3, 1] = 1
    np.testing.assert_allclose(near, expected, rtol=1e-6)
    sums = [float(row.sum()) + 1 for row in near[:4]]
    assert sums == pytest.approx([3.0833, 2.8333, 2.5, 2], abs=1e-4)
    matrix = scaled(torch.from_numpy(near)[None])[0]
    assert matrix[0, 1].item() == pytest.approx(1.25 / np.sqrt(sums[0] * sums[1]))
    assert matrix[4].tolist() == [0, 0, 0, 0, 1, 0]


def test_a_text_of_one_word_has_no_neighbours():
    near = laid_out([read("w1")[0]], [INPUTS["near"]])["near"]
    torch.testing.assert_close(scaled(torch.from_numpy(near))[0], torch.eye(3))


@pytest.fixture
def network():
    changes = {"word_graph": 2, "generated_counts": "true", "document_vector": "true", "pointer_only": "true"}
    network = make_network(model_settings("divgraphpointer", **changes))
    assert network.pointer.vocabulary.out_features == 5
    return network


def batch_of(text, target):
    source, unknown = read(text)
    further = laid_out([source], [INPUTS["near"]])
    ids = [SEP if word == ";" else VOCABULARY.target_ids([word], unknown)[0] for word in target.split()]
    return collate([source.ids], [np.array(ids)], len(VOCABULARY), further), source, ids


def test_without_weights_the_words_stay_as_they_are(network):
    for layer in network.pieces["word_graph"].layers:
        torch.nn.init.zeros_(layer.weight)
        torch.nn.init.zeros_(layer.bias)
    batch, source, _ = batch_of("w1 w2 w1", "w1")
    encoded = network.encode(batch.source, batch.source_lengths, {"near": batch.further["near"].double()})
    plain = network.pieces["word_graph"].first(network.embedding(torch.from_numpy(source.ids)[None]))
    torch.testing.assert_close(encoded.states, plain)
    torch.testing.assert_close(encoded.final[0], plain[0, :2].mean(dim=0))


def test_the_whole_system_agrees_with_its_transcription(network):
    batch, source, ids = batch_of("w3 odd w1 w3 even", "w3 odd ; w1")
    batch.further["near"] = batch.further["near"].double()
    known = [word if word < 20 else 1 for word in source.ids.tolist()]
    inputs = {"near": batch.further["near"][0].numpy()}
    w, given = transcription.weights(network), [BOS, *ids]
    p, states, _ = transcription.decode(w, network.settings, known, source.ids.tolist(), given, 22, inputs)
    output = network(batch)
    gold = np.array([*ids, EOS])
    np.testing.assert_allclose(output.log_likelihood[0].detach(), np.log(p[np.arange(len(gold)), gold]), rtol=1e-9)
    np.testing.assert_allclose(output.states[0].detach(), states, rtol=1e-9)
    np.testing.assert_allclose(p.sum(axis=1), 1)
    assert set(np.flatnonzero(p.any(axis=0))) == set(source.ids.tolist())  # never a word that the text lacks


def test_what_is_generated_is_counted_but_not_the_ends(network):
    batch, source, _ = batch_of("w3 w1", "w3")
    encoded = network.encode(batch.source, batch.source_lengths, {"near": batch.further["near"].double()})
    memory, state = network.remember(encoded, batch.source_extended), network.start(encoded)
    for word in (BOS, 8, 8, SEP, 6):
        _, state = network.step(torch.tensor([[word]]), state, memory)
    assert source.ids.tolist() == [8, 6, SEP, EOS]
    assert state["generated_counts"][0, 0].tolist() == [2, 1, 0, 0]


def test_present_targets_have_the_words_of_the_source():
    """A pointer cannot say "networks" where the text has "network"."""
    document = Document(
        id="1",
        title="A neural network",
        body="for graphs",
        keyphrases=("neural networks", "deep learning", "graph", "neural network"),
    )
    dropped = Dropped()
    found = example(document, TargetSettings(present_only=True), dropped)
    assert [target.words for target in found.targets] == [("neural", "network"), ("graphs",)]
    assert dropped.phrases == {"absent": 1, "given twice": 1}


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        (["model.word_graph=0"], r"model\.pointer_only needs model\.word_graph, whose source has <sep> and </s>"),
        (["model.word_graph=-1"], r"model\.word_graph must be at least 0"),
        (["target.present_only=false"], r"set target\.present_only=true too"),
        (["model.title_guide=true"], r"takes the place of the encoder that model\.title_guide builds on"),
        (["model.restart=true"], r"both change how a phrase starts"),
        (["target.paradigm=one2one"], r"model\.document_vector acts between the phrases"),
        (["target.divided=true"], r"leaves nothing for target\.divided"),
    ],
)
def test_settings_that_cannot_work_are_refused(overrides, message):
    with pytest.raises(KeyseqError, match=message):
        load_settings("divgraphpointer", overrides)
