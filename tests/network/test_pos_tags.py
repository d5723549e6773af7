"""ParaNet's pieces: the merge of words and tags, and the tag decoder."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from keyseq.config import LossSettings, load_settings
from keyseq.data.batching import collate
from keyseq.data.examples import Dropped, example
from keyseq.data.vocabulary import BOS, SEP, SPECIALS, UNK, Vocabulary
from keyseq.data.word_tags import TAGS, tag_ids, target_tag_ids
from keyseq.errors import KeyseqError
from keyseq.network.losses import total_loss
from keyseq.network.pos_tags import TanhMerge, TreeMerge
from keyseq.network.seq2seq import Seq2Seq
from keyseq.network.storage import Stored, load_grown, save_network
from keyseq.text.analyzer import ENGLISH, Analyzer
from keyseq.types import Document

from . import transcription
from .conftest import SOURCES, TARGETS, WORDS, make_network, model_settings

TAGGED = [[5, 6, 7, 5, 8, 9, 8, 1], [7, 7, 30], [5, 6, 5, 1, 5]]
TARGET_TAGS = [[5, 8, SEP, 9, SEP, 1, 6], [7], [1, SEP, 30]]
MERGES = ["tanh", "tree"]


def tagged_settings(merge="tanh", **changes):
    return model_settings("catseq", tags="true", coverage="true", tags_merge=merge, tag_size=4, **changes)


def padded(rows, end=()):
    width = max(map(len, rows)) + len(end)
    return np.array([[*row, *end, *[0] * (width - len(row) - len(end))] for row in rows])


@pytest.fixture
def batch():
    further = {"tags": padded(TAGGED), "target_tags": padded(TARGET_TAGS, [3])}
    return collate([np.array(s) for s in SOURCES], [np.array(t) for t in TARGETS], WORDS, further)


@pytest.mark.parametrize("merge", MERGES)
def test_every_equation_agrees_with_its_transcription(merge, batch):
    settings = tagged_settings(merge)
    network = make_network(settings)
    output = network(batch, losses=["tags"])
    w = transcription.weights(network)
    tag_losses = 0
    for number, (source, target) in enumerate(zip(SOURCES, TARGETS, strict=True)):
        known = [word if word < WORDS else UNK for word in source]
        given = (known, source, [BOS, *target])
        p, states, _ = transcription.decode(w, settings, *given, size=WORDS + 2, inputs={"tags": TAGGED[number]})
        steps = len(target) + 1
        np.testing.assert_allclose(output.states[number, :steps].detach(), states, rtol=1e-9, atol=1e-12)
        expected = np.log(p[np.arange(steps), [*target, 3]])
        np.testing.assert_allclose(output.log_likelihood[number, :steps].detach(), expected, rtol=1e-9)
        h_e, final = transcription.encode(w, settings, known, {"tags": TAGGED[number]})
        tag_losses += transcription.tag_loss(w, h_e, final, TARGET_TAGS[number])
    assert output.further["tags"].item() == pytest.approx(tag_losses / 14, rel=1e-9)  # 8 + 2 + 4 tags, ends counted


@pytest.mark.parametrize("merge", MERGES)
def test_gradients_agree_with_finite_differences(merge, batch):
    network = make_network(tagged_settings(merge))
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


def loss(network, batch, weight=0.3):
    output = network(batch, losses=["tags"] if weight else [])
    return total_loss(output, batch, LossSettings(tags=weight)).total


def tagged_batch(draw, documents=32):
    """Texts of five words of which one is an adjective, the keyphrase, whichever word it is."""
    noun, adjective = TAGS.index("NN"), TAGS.index("JJ")
    sources = [draw.permutation(np.arange(6, WORDS))[:5] for _ in range(documents)]
    places = draw.integers(5, size=documents)
    tags = np.where(np.arange(5) == places[:, None], adjective, noun)
    targets = [source[[place]] for source, place in zip(sources, places, strict=True)]
    return collate(sources, targets, WORDS, {"tags": tags, "target_tags": np.array([[adjective, 3]] * documents)})


def test_it_learns_to_say_the_word_of_a_part_of_speech():
    """By chance, ln 5 over two words would be 0.8; the texts at the end are others than those that it learnt from."""
    draw = np.random.default_rng(2)
    torch.manual_seed(0)
    sizes = dict.fromkeys(("embedding_size", "encoder_size", "hidden_size", "attention_size", "output_size"), 16)
    network = Seq2Seq(tagged_settings(dropout=0, **sizes), WORDS)
    optimizer = torch.optim.Adam(network.parameters(), 0.03)
    for _ in range(40):
        optimizer.zero_grad()
        loss(network, tagged_batch(draw)).backward()
        optimizer.step()
    output = network.eval()(tagged_batch(draw), losses=["tags"])
    assert -output.log_likelihood.mean() < 0.1
    assert output.further["tags"] < 0.05


def test_without_weight_the_gradients_are_those_without_a_tag_decoder(batch):
    network = make_network(tagged_settings())
    loss(network, batch, weight=0).backward()
    assert all(p.grad is None for p in network.pieces["tags"].decoder.parameters())
    assert network.pieces["tags"].encoder.forwards.weight_hh_l0.grad.abs().sum() > 0


def states(network, sources, tags):
    batch = collate([np.array(s) for s in sources], [np.array([6])] * len(sources), WORDS, {"tags": padded(tags)})
    encoded = network.encode(batch.source, batch.source_lengths, batch.further)
    return encoded.states, encoded.final


def test_tags_without_weights_have_no_influence_and_neither_have_words():
    network = make_network(tagged_settings())
    half = network.settings.memory_size
    joint = network.pieces["tags"].merge.joint.weight
    kept = joint.detach().clone()
    with torch.no_grad():
        joint[:, half:] = 0
        for one in zip(*(states(network, [[6, 7, 8]], [tags]) for tags in ([5, 6, 7], [8, 9, 1])), strict=True):
            torch.testing.assert_close(*one)
        joint.copy_(kept)
        joint[:, :half] = 0
        for one in zip(*(states(network, [words], [[5, 6, 7]]) for words in ([6, 7, 8], [9, 9, 20])), strict=True):
            torch.testing.assert_close(*one)


def test_a_tanh_merge_by_hand():
    merge = TanhMerge(2)
    with torch.no_grad():
        merge.joint.weight.copy_(torch.tensor([[1.0, 0, 1, 0], [0, 1, 0, 1]]))
        merge.joint.bias.zero_()
    found = merge(torch.tensor([1.0, 0]), torch.tensor([0.0, 1]))
    assert found.tolist() == pytest.approx([np.tanh(1), np.tanh(1)])


def test_a_tree_node_without_weights_by_hand():
    merge = TreeMerge(2)
    with torch.no_grad():
        for weight in merge.parameters():
            weight.zero_()
    found = merge(torch.tensor([0.4, -0.2]), torch.tensor([0.6, 0.8]))
    assert found.tolist() == pytest.approx([np.tanh(0.5) / 2, np.tanh(0.3) / 2])


def test_blanked_documents_have_unknown_tags_in_training_only(batch):
    network = make_network(tagged_settings(tags_blanked=0.999, dropout=0)).train()
    unknown = replace(batch, further=batch.further | {"tags": torch.where(batch.further["tags"] > 0, UNK, 0)})
    torch.manual_seed(0)
    torch.testing.assert_close(network(batch).log_likelihood, network(unknown).log_likelihood)
    network.eval()
    assert not torch.allclose(network(batch).log_likelihood, network(unknown).log_likelihood)


def test_the_parts_of_speech_of_a_text_and_of_its_keyphrases():
    """A present phrase has the tags of its first place, an absent one its own."""
    document = Document(
        id="1", title="", body="It runs fast . The robots took 25 steps", keyphrases=("run", "dark rooms")
    )
    made = example(document, load_settings("catseq").target, Dropped())
    assert [TAGS[tag] for tag in tag_ids(made.source, ENGLISH)] == [
        "PRP",
        "VBZ",
        "RB",
        ".",
        "DT",
        "NNS",
        "VBD",
        "CD",
        "NNS",
    ]
    assert [(target.words, target.position) for target in made.targets] == [(("run",), 1), (("dark", "rooms"), -1)]
    assert [TAGS[tag] for tag in target_tag_ids(made.source, made.targets, ENGLISH)] == ["VBZ", "JJ", "NNS"]
    assert tag_ids(["das", "Haus"], Analyzer.for_language("de")) == [UNK, UNK]


def test_a_trained_network_cannot_get_what_would_change_its_phrases(tmp_path):
    plain = make_network(model_settings("catseq"), dtype=torch.float32)
    settings = load_settings("catseq")
    words = Vocabulary([*SPECIALS, *(f"w{number}" for number in range(WORDS - 5))])
    save_network(Stored(plain, replace(settings, model=plain.settings), words), tmp_path)
    with pytest.raises(KeyseqError, match=r"was trained without model\.tags, which cannot be added"):
        load_grown(make_network(tagged_settings()), tmp_path)


def test_a_loss_without_its_decoder_is_refused():
    with pytest.raises(KeyseqError, match=r"loss\.tags trains the tag decoder; set model\.tags=true too"):
        load_settings("catseq", ["loss.tags=0.3"])
