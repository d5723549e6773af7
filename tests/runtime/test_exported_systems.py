"""The further systems of the paper's table: both engines agree, nothing needs torch, and what is stored can go on."""

import json
import subprocess
import sys

import pytest
import torch

from keyseq.config import load_settings
from keyseq.data.vocabulary import DIVIDER, Vocabulary
from keyseq.decoding.policies import Policy
from keyseq.decoding.search import search
from keyseq.network.seq2seq import Seq2Seq
from keyseq.network.storage import Stored
from keyseq.retrieval.phrase_retriever import write_index
from keyseq.runtime.engine import GraphStepper
from keyseq.runtime.exporting import export
from keyseq.runtime.onnx import ExportedNetwork
from keyseq.runtime.parity import compare, made_up_inputs
from keyseq.runtime.restoring import restored
from keyseq.runtime.torch import torch_stepper
from keyseq.text.analyzer import Analyzer
from keyseq.types import Document

WORDS = 120
SIZES = ("embedding_size", "encoder_size", "attention_size", "output_size", "switch_size")
TINY = [*(f"model.{name}=12" for name in SIZES), "model.hidden_size=24", f"model.vocabulary={WORDS}"]
SYSTEMS = {
    "tg-net": ((), ("title_guide",)),
    "catseqtg": ((), ("title_guide",)),
    "divgraphpointer": ((), ("word_graph", "generated_counts", "document_vector")),
    "kg-ke-kr": ((), ("extractor", "retrieved", "input_feeding")),
    "corrrnn": (("model.restart=true",), ("coverage", "review", "restart")),
    "paranett+coatt": (("model.tags_merge=tree",), ("coverage", "tags")),
}


def make(system, folder):
    torch.manual_seed(5)
    settings = load_settings(system, [*TINY, *SYSTEMS[system][0]])
    network = Seq2Seq(settings.model, WORDS).eval()
    with torch.no_grad():
        for weight in network.parameters():
            weight.mul_(2)
        network.pointer.vocabulary.weight.mul_(2)
        network.pointer.vocabulary.bias[3:5] += 2.0  # </s> and <sep>: several phrases, and an end
    words = Vocabulary.from_words([DIVIDER, *(f"w{number}" for number in range(WORDS - 6))])
    index = None
    if "retrieved" in settings.model.reads:
        index = folder / "index"
        similar = Document(id="1", body="w1 w2 w11", keyphrases=("w5 w6", "w30"))
        write_index([similar], Analyzer.of(settings.target), index)
    return Stored(network, settings, words, index)


@pytest.fixture(scope="module", params=SYSTEMS)
def exported(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("systems") / request.param
    stored = make(request.param, folder.parent)
    export(stored, folder)  # which compares both engines with a beam of 4
    return request.param, stored, folder


@pytest.mark.parametrize(
    "policy", [Policy(max_length=15), Policy(beam=6, keep=10, max_length=8, stop="count")], ids=["greedy", "beam"]
)
def test_both_engines_generate_the_same(exported, policy):
    _, stored, folder = exported
    sources = made_up_inputs(stored.vocabulary, stored.settings, 60, 40)
    assert len(sources) > 20
    found = compare(torch_stepper(stored.network), GraphStepper(ExportedNetwork(folder)), sources, policy)
    assert found.same >= 0.95
    assert found.difference < 1e-4


def test_a_document_does_not_depend_on_its_neighbours(exported):
    _, stored, folder = exported
    stepper = GraphStepper(ExportedNetwork(folder))
    sources = made_up_inputs(stored.vocabulary, stored.settings, 40, 9)
    together = search(stepper, sources, Policy(max_length=8))
    for source, [beside] in zip(sources, together, strict=True):
        [[alone]] = search(stepper, [source], Policy(max_length=8))
        assert alone.tokens.tolist() == beside.tokens.tolist()
        assert alone.rank == pytest.approx(beside.rank, abs=1e-4)


def test_the_card_names_the_pieces(exported):
    system, _, folder = exported
    for name in SYSTEMS[system][1]:
        assert name.replace("_", " ") in (folder / "README.md").read_text()


def test_the_stored_weights_are_those_of_the_network(exported):
    _, stored, folder = exported
    ours, theirs = restored(folder).network.state_dict(), stored.network.state_dict()
    assert ours.keys() == theirs.keys()
    moved = ours.pop("pointer.vocabulary.bias") - theirs.pop("pointer.vocabulary.bias")
    assert torch.allclose(moved, moved[0].expand_as(moved), atol=1e-5)
    assert all(torch.equal(ours[name], theirs[name]) for name in theirs)


def test_smaller_weights_pass_their_check(exported, tmp_path):
    export(exported[1], tmp_path / "small", "int8")


def test_keyphrases_are_generated_without_torch(exported):
    _, _, folder = exported
    texts = [{"title": "w7 w8", "abstract": "w1 w2 w30 w7 w99 never w8 . w40 w2"}, {"title": "", "abstract": "w11 w5"}]
    lines = [json.dumps({"id": str(number), **text}) for number, text in enumerate(texts)]
    (folder.parent / "texts.jsonl").write_text("\n".join(lines) + "\n")
    program = (
        "import sys\n"
        "sys.modules['torch'] = None\n"
        "from keyseq.__main__ import main\n"
        "sys.argv = ['keyseq', *sys.argv[1:]]\n"
        "main()\n"
    )
    command = ["generate", str(folder.parent / "texts.jsonl"), "--system", str(folder), "--json"]
    found = subprocess.run([sys.executable, "-c", program, *command], capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr
    assert len(found.stdout.splitlines()) == 2
    assert "w" in found.stdout
