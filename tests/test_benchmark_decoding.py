import numpy as np
import torch
from benchmarks.plain_beam import plain_beam
from benchmarks.plain_greedy import plain_greedy

from keyseq.config import load_settings
from keyseq.data.batching import collate
from keyseq.data.network_inputs import NetworkInput
from keyseq.decoding.policies import Policy
from keyseq.decoding.search import search
from keyseq.network.seq2seq import Seq2Seq
from keyseq.runtime.torch import torch_stepper

WORDS = 300


def test_the_plain_beam_search_finds_the_same_sequences_so_that_it_is_a_baseline():
    torch.manual_seed(2)
    network = Seq2Seq(load_settings("tiny", [f"model.vocabulary={WORDS}"]).model, WORDS).eval()
    with torch.no_grad():
        network.pointer.vocabulary.weight.mul_(8)
        network.pointer.vocabulary.bias[3:5] += 3  # </s> and <sep>: sequences that end
    stepper = torch_stepper(network)
    draw = np.random.default_rng(0)
    everything = Policy(beam=8, max_length=12, keep=10_000, stop="count")
    for length in (1, 5, 20):
        source = draw.integers(5, WORDS + 4, length)
        plain = plain_beam(network, collate([source], [np.array([], dtype=np.int64)], WORDS), 8, 12)
        [ours] = search(stepper, [NetworkInput(source)], everything)
        assert [tokens for _, tokens in plain] == [hypothesis.tokens.tolist() for hypothesis in ours]
        np.testing.assert_allclose([score for score, _ in plain], [found.rank for found in ours], atol=1e-4)


def test_the_plain_greedy_search_finds_the_same_sequences_side_by_side():
    torch.manual_seed(3)
    network = Seq2Seq(load_settings("tiny", [f"model.vocabulary={WORDS}"]).model, WORDS).eval()
    with torch.no_grad():
        network.pointer.vocabulary.weight.mul_(8)
        network.pointer.vocabulary.bias[3] += 3.6  # </s>
    draw = np.random.default_rng(1)
    sources = [draw.integers(5, WORDS + 4, length) for length in (1, 3, 5, 9, 14, 20)]
    plain = plain_greedy(network, collate(sources, [np.array([], dtype=np.int64)] * 6, WORDS), WORDS)
    ours = search(torch_stepper(network), [NetworkInput(source) for source in sources], Policy(max_length=40))
    assert plain == [found[0].tokens.tolist() for found in ours]
    assert len({len(tokens) for tokens in plain}) > 1  # some end earlier than others
