"""Semi-Multi: the decoder of titles."""

import numpy as np
import pytest
import torch

from keyseq.config import load_settings
from keyseq.data.examples import Dropped, title_example
from keyseq.data.vocabulary import BOS, UNK
from keyseq.errors import KeyseqError
from keyseq.types import Document

from . import transcription
from .conftest import SOURCES, TARGETS, WORDS, make_network, model_settings


def of_titles(w):
    """The weights as if the decoder and the switch of titles were those of keyphrases."""
    moved = {"pieces.titles.decoder.": "decoder.", "pieces.titles.switch.": "pointer.switch."}
    found = dict(w)
    for name, value in w.items():
        for old, new in moved.items():
            if name.startswith(old):
                found[new + name.removeprefix(old)] = value
    return found


@pytest.mark.parametrize("changes", [{}, {"coverage": "true", "input_feeding": "true"}], ids=str)
def test_titles_have_the_equations_of_catseq_with_weights_of_their_own(batch, changes):
    network = make_network(model_settings("semi-multi", **changes))
    output = network(batch, titles=True)
    w = of_titles(transcription.weights(network))
    for number, (source, target) in enumerate(zip(SOURCES, TARGETS, strict=True)):
        known = [word if word < WORDS else UNK for word in source]
        given = (known, source, [BOS, *target])
        p, states, _ = transcription.decode(w, model_settings("catseq"), *given, size=WORDS + 2, inputs={})
        steps = len(target) + 1
        expected = np.log(p[np.arange(steps), [*target, 3]])
        np.testing.assert_allclose(output.log_likelihood[number, :steps].detach(), expected, rtol=1e-9)
        np.testing.assert_allclose(output.states[number, :steps].detach(), states, rtol=1e-9, atol=1e-12)


def test_each_task_trains_its_own_decoder_and_both_the_encoder(batch):
    for titles, trained, other in ((False, "decoder.", "pieces.titles."), (True, "pieces.titles.", "decoder.")):
        network = make_network(model_settings("semi-multi"))
        network(batch, titles=titles).log_likelihood.sum().backward()
        gradients = {name: weight.grad for name, weight in network.named_parameters()}
        assert all(grad is None for name, grad in gradients.items() if name.startswith(other))
        for name in (trained, "encoder.", "embedding.", "pointer.vocabulary."):
            assert all(grad.abs().sum() > 0 for key, grad in gradients.items() if key.startswith(name)), name


def test_gradients_of_titles_agree_with_finite_differences(batch):
    network = make_network(model_settings("semi-multi"))
    network(batch, titles=True).log_likelihood.sum().backward()
    names = [name for name, weight in network.named_parameters() if weight.grad is not None and "embedding" not in name]
    parameters = [dict(network.named_parameters())[name] for name in names]
    generator = torch.Generator().manual_seed(1)
    directions = [torch.randn(p.shape, generator=generator, dtype=p.dtype) for p in parameters]
    slope = sum((p.grad * d).sum() for p, d in zip(parameters, directions, strict=True))
    found = []
    for distance in (1e-6, -1e-6):
        with torch.no_grad():
            torch._foreach_add_(parameters, directions, alpha=distance)
            found.append(network(batch, titles=True).log_likelihood.sum().item())
            torch._foreach_add_(parameters, directions, alpha=-distance)
    assert (found[0] - found[1]) / 2e-6 == pytest.approx(slope.item(), rel=1e-5)


def test_a_title_is_learnt_from_the_text_without_it():
    settings, dropped = load_settings("catseq").target, Dropped()
    document = Document(id="1", title="Deep nets (2nd edition)", body="They learn.")
    made = title_example(document, settings, dropped)
    assert made.source == ["they", "learn", "."]
    assert [target.words for target in made.targets] == [("deep", "nets", "(", "2nd", "edition", ")")]
    assert made.document.title == ""
    assert title_example(Document(id="2", title="", body="Text."), settings, dropped) is None
    assert dropped.documents == {"no title": 1}


def test_titles_without_their_decoder_are_refused():
    with pytest.raises(KeyseqError, match=r"training\.titles needs a decoder of titles; set model\.titles=true too"):
        load_settings("catseq", ["training.titles=0.5"])
