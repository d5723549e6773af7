import gc
import json
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

from keyseq.data.network_inputs import NetworkInput
from keyseq.data.vocabulary import BOS
from keyseq.decoding.policies import Policy
from keyseq.decoding.stepper import Ends
from keyseq.errors import KeyseqError
from keyseq.runtime import exporting
from keyseq.runtime.engine import GraphStepper
from keyseq.runtime.exporting import export, restricted
from keyseq.runtime.onnx import ENCODER, STEP, WEIGHTS, ExportedNetwork
from keyseq.runtime.parity import Parity, compare, made_up_inputs
from keyseq.runtime.torch import torch_stepper

from .networks import VARIANTS, WORDS, make


def sources(count, longest=40):
    draw = np.random.default_rng(11)
    return [NetworkInput(draw.integers(5, WORDS + 6, length)) for length in draw.integers(1, longest, count)]


def start(documents):
    return Ends(np.full((documents, 1), BOS), np.zeros((documents, 1), np.float32))


def test_both_engines_say_the_same_in_the_same_order_on_500_documents(folder):
    engines = torch_stepper(make().network), GraphStepper(ExportedNetwork(folder))
    found = compare(*engines, sources(500, 25), Policy(max_length=12))
    assert found.same == 1.0
    assert found.difference < 1e-4
    # among the many comparisons of a beam, one may fall between two sequences that rounding can't tell apart
    beam = compare(*engines, sources(500, 25), Policy(beam=5, keep=20, max_length=12, stop="count"))
    assert beam.same >= 0.99
    assert beam.difference < 1e-4


def test_the_weights_of_an_export_have_the_same_bytes_each_time(folder):
    content = (folder / WEIGHTS).read_bytes()
    header = json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")])
    names = list(header.pop("__metadata__"))
    assert names == sorted(names)
    assert len(names) == 4
    assert int.from_bytes(content[:8], "little") % 8 == 0  # the numbers begin where a processor reads them fast


@pytest.mark.parametrize("variant", sorted(set(VARIANTS) - {"catseqd"}))
def test_every_kind_of_network_can_be_exported(variant, tmp_path):
    stored = make(variant)
    export(stored, tmp_path / "out")
    exported = GraphStepper(ExportedNetwork(tmp_path / "out"))
    found = compare(torch_stepper(stored.network), exported, sources(20), Policy(beam=3, keep=3, max_length=15))
    assert found.same == 1.0
    assert found.difference < 1e-4


@pytest.mark.parametrize(("storage", "share", "difference"), [("float16", 0.6, 0.02), ("int8", 0.5, 0.3)])
def test_smaller_weights_are_smaller_and_nearly_the_same(folder, tmp_path, storage, share, difference):
    stored = make()
    export(stored, tmp_path / "out", storage)
    assert (tmp_path / "out" / WEIGHTS).stat().st_size < share * (folder / WEIGHTS).stat().st_size
    exported = GraphStepper(ExportedNetwork(tmp_path / "out"))
    found = compare(torch_stepper(stored.network), exported, sources(50), Policy())
    assert 1e-6 < found.difference < difference
    assert found.same > 0.5


def test_int8_does_not_make_a_document_depend_on_its_neighbours(tmp_path):
    export(make(), tmp_path / "out", "int8")
    stepper = GraphStepper(ExportedNetwork(tmp_path / "out"))
    together = stepper.step(stepper.encode(sources(8)), start(8), 5)
    for number, source in enumerate(sources(8)):
        alone = stepper.step(stepper.encode([source]), start(1), 5)
        np.testing.assert_allclose(together.scores[number], alone.scores[0], atol=1e-5)


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="what is mapped is read from Linux's /proc")
def test_weights_in_int8_stay_in_the_file_where_all_graphs_read_them(tmp_path):
    """Of the embedding, a process then holds only the rows of words that occur; it lasts as long as the network."""
    export(make(), tmp_path / "out", "int8")
    stepper = GraphStepper(ExportedNetwork(tmp_path / "out"))
    before = stepper.step(stepper.encode(sources(4)), start(4), 5)
    gc.collect()
    assert str(tmp_path / "out" / WEIGHTS) in Path("/proc/self/maps").read_text()
    after = stepper.step(stepper.encode(sources(4)), start(4), 5)
    np.testing.assert_array_equal(before.scores, after.scores)


def test_weights_that_graphs_share_are_stored_once(folder):
    weights = load_file(folder / WEIGHTS)
    assert sum(value.shape == (WORDS, 16) for value in weights.values()) == 1  # the table of embeddings
    assert (folder / ENCODER).stat().st_size + (folder / STEP).stat().st_size < 60_000


def test_an_export_that_says_something_else_is_refused_and_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(exporting, "_as_stored", lambda *_: make(scale=1.6).network)
    with pytest.raises(KeyseqError, match=r"differs from the trained one.*nothing was written"):
        export(make(), tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_an_existing_folder_is_not_written_over(folder):
    with pytest.raises(KeyseqError, match="already exists"):
        export(make(), folder)


def test_an_unknown_storage_lists_the_known_ones(tmp_path):
    with pytest.raises(KeyseqError, match="'int4'; choose one of float32, float16, int8"):
        export(make(), tmp_path / "out", "int4")


def test_fewer_output_words_leave_the_other_words_to_copying(tmp_path):
    stored = restricted(make(), 100)
    export(stored, tmp_path / "out")
    exported = ExportedNetwork(tmp_path / "out")
    assert (exported.words, exported.layout.generable) == (WORDS, 100)
    stepper = GraphStepper(exported)
    found = stepper.step(stepper.encode([NetworkInput(np.array([250, 260]))]), start(1), 120)
    said = found.ids[0][np.isfinite(found.scores[0])]
    assert set(said.tolist()) == {*range(3, 100), 250, 260}
    with pytest.raises(KeyseqError, match="between 6 and 300"):
        restricted(make(), 301)


def test_the_card_says_what_the_network_is(folder):
    card = (folder / "README.md").read_text()
    assert "300 words, of which 300 can be generated" in card
    assert "| weights | float32 |" in card
    assert card.startswith("---\nlibrary_name: keyseq\n")


def test_made_up_inputs_have_all_lengths_and_unknown_words():
    stored = make()
    made = made_up_inputs(stored.vocabulary, stored.settings, 60, 8)
    assert [len(made[0]), len(made[-1])] == [1, 60]
    assert max(source.ids.max() for source in made) >= WORDS
    assert Parity(1.0, 0.0) == compare(*[torch_stepper(stored.network)] * 2, made, Policy())
