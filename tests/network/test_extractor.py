"""KG-KE: the extractor, its labels and how it rescales copying."""

import numpy as np
import pytest
import torch

from keyseq.config import LossSettings, load_settings
from keyseq.data.batching import collate
from keyseq.data.network_inputs import SourceWindow
from keyseq.data.target_fields import LABELS
from keyseq.data.vocabulary import BOS, SPECIALS, UNK, Vocabulary
from keyseq.errors import KeyseqError
from keyseq.network.decoder import _rescaled
from keyseq.network.extractor import extraction_loss
from keyseq.network.losses import total_loss
from keyseq.types import Document

from . import transcription
from .conftest import SOURCES, TARGETS, WORDS, make_network, model_settings

KEYWORDS = [[1, 0, 0, 1, 1, 0, 1, 0], [1, 0, 0], [0, 1, 0, 1, 0]]


@pytest.fixture
def batch():
    labels = np.array([[*row, *[0] * (8 - len(row))] for row in KEYWORDS])
    return collate([np.array(s) for s in SOURCES], [np.array(t) for t in TARGETS], WORDS, {"keywords": labels})


def test_every_equation_agrees_with_its_transcription(batch):
    settings = model_settings("kg-ke")
    network = make_network(settings)
    output = network(batch, losses=["extractor"])
    w = transcription.weights(network)
    losses = []
    for number, (source, target) in enumerate(zip(SOURCES, TARGETS, strict=True)):
        known = [word if word < WORDS else UNK for word in source]
        p, states, _ = transcription.decode(w, settings, known, source, [BOS, *target], size=WORDS + 2, inputs={})
        steps = len(target) + 1
        expected = np.log(p[np.arange(steps), [*target, 3]])
        np.testing.assert_allclose(output.log_likelihood[number, :steps].detach(), expected, rtol=1e-9)
        np.testing.assert_allclose(output.states[number, :steps].detach(), states, rtol=1e-9, atol=1e-12)
        extracted = transcription.extract(w, transcription.encode(w, settings, known, {})[0])
        pairs = zip(extracted, KEYWORDS[number], known, strict=True)
        losses.append(np.mean([-9 * np.log(q) if gold else -np.log(1 - q) for q, gold, word in pairs if word != UNK]))
    assert output.further["extractor"].item() == pytest.approx(np.mean(losses), rel=1e-9)


def test_gradients_agree_with_finite_differences(batch):
    """p is not detached: the likelihood trains the extractor too."""
    network = make_network(model_settings("kg-ke"))
    network(batch).log_likelihood.sum().backward()
    assert network.pieces["extractor"].hidden.weight.grad.abs().sum() > 0
    network.zero_grad()
    parameters = [weight for name, weight in network.named_parameters() if "embedding" not in name]
    loss(network, batch).backward()
    generator = torch.Generator().manual_seed(1)
    directions = [torch.randn(p.shape, generator=generator, dtype=p.dtype) for p in parameters]
    slope = sum((p.grad * d).sum() for p, d in zip(parameters, directions, strict=True))
    found = []
    for distance in (1e-6, -1e-6):
        with torch.no_grad():
            torch._foreach_add_(parameters, directions, alpha=distance)
            found.append(loss(network, batch).item())
            torch._foreach_add_(parameters, directions, alpha=-distance)
    assert (found[0] - found[1]) / 2e-6 == pytest.approx(slope.item(), rel=1e-5)


def loss(network, batch):
    return total_loss(network(batch, losses=["extractor"]), batch, LossSettings(extractor=0.3)).total


def test_it_learns_which_words_are_of_keyphrases_and_copies_those(batch):
    network = make_network(model_settings("kg-ke", dropout=0)).train()
    optimizer = torch.optim.Adam(network.parameters(), lr=0.03)
    for _ in range(60):
        optimizer.zero_grad()
        loss(network, batch).backward()
        optimizer.step()
    network.eval()
    encoded = network.encode(batch.source, batch.source_lengths)
    found = encoded.extra["log_extraction"].exp()
    known = (batch.source > UNK) & (torch.arange(8) < batch.source_lengths[:, None])
    gold = batch.further["keywords"] > 0
    assert found[known & gold].min() > 0.7
    assert found[known & ~gold].max() < 0.3


def test_copying_is_rescaled_by_hand():
    attention = torch.tensor([[[0.5, 0.5]]]).log()
    found = _rescaled(attention, [torch.tensor([[1.0, 0.5]]).log()]).exp()
    assert found[0, 0].tolist() == pytest.approx([2 / 3, 1 / 3])
    same = _rescaled(attention, [torch.tensor([[0.3, 0.3]]).log()]).exp()
    assert same[0, 0].tolist() == pytest.approx([0.5, 0.5])


def test_the_loss_by_hand():
    zeros, gold = torch.zeros(1, 3), torch.tensor([[1, 0, 1]])
    counted = torch.tensor([[True, True, False]])
    assert extraction_loss(zeros, gold, counted).item() == pytest.approx((9 * np.log(2) + np.log(2)) / 2)


def test_words_of_keyphrases_are_labelled_but_stop_words():
    settings = load_settings("kg-ke").target
    document = Document(id="1", title="", body="", keyphrases=("State of the art (SOTA)", "graphs"))
    words = ["the", "art", "of", "graphs", ",", "a", "graph"]
    window = SourceWindow(document, words, Vocabulary(SPECIALS), settings)
    assert LABELS["keywords"].read(window) == [0, 1, 0, 1, 0, 0, 0]


def test_a_loss_without_extractor_is_refused():
    with pytest.raises(KeyseqError, match=r"loss\.extractor trains the extractor; set model\.extractor=true too"):
        load_settings("catseq", ["loss.extractor=0.3"])
