"""A merged system from a network to its phrases: trained by the real command, run without torch."""

import json
import subprocess
import sys

import pytest
import torch
from typer.testing import CliRunner

import keyseq
from keyseq.cli import app
from keyseq.config import load_settings
from keyseq.data.formats import write_documents
from keyseq.data.vocabulary import Vocabulary
from keyseq.errors import KeyseqError
from keyseq.network.seq2seq import Seq2Seq
from keyseq.network.storage import Stored
from keyseq.ranking.published_merge import EXTRACTED, GENERATED, RETRIEVED, merged
from keyseq.retrieval.phrase_retriever import write_index
from keyseq.runtime.exporting import export
from keyseq.systems.kinds import kind_of
from keyseq.systems.networks import network_of
from keyseq.text.analyzer import ENGLISH
from keyseq.types import Document

WORDS = [a + b + c for a in "bdfk" for b in "aeiou" for c in "lmnrst"]
SIZES = ("embedding_size", "encoder_size", "hidden_size", "attention_size", "output_size", "switch_size")
TINY = [*(f"model.{name}=8" for name in SIZES), f"model.vocabulary={len(WORDS) + 5}"]


def documents(count):
    """Every text has the words of one of ten kinds; its keyphrases are one of its words and one of its kind."""
    for number in range(count):
        kind = number % 10
        body = [*WORDS[6 * kind : 6 * kind + 6], WORDS[60 + number]]
        yield Document(id=str(number), body=" ".join(body), keyphrases=(body[0], f"kind {WORDS[110 - kind]}"))


def made(folder, name):
    """An untrained network that generates what it reads."""
    torch.manual_seed(3)
    settings = load_settings(name, TINY)
    network = Seq2Seq(settings.model, len(WORDS) + 5).eval()
    with torch.no_grad():
        for weight in network.parameters():
            weight.mul_(2)
    write_index(documents(30), ENGLISH, folder / "index")
    export(Stored(network, settings, Vocabulary.from_words(WORDS), folder / "index"), folder / name)
    return folder / name


@pytest.fixture(scope="module")
def network(tmp_path_factory):
    return made(tmp_path_factory.mktemp("network"), "kg-ke-kr")


@pytest.fixture(scope="module")
def held_out(tmp_path_factory):
    file = tmp_path_factory.mktemp("held_out") / "held.jsonl"
    write_documents(list(documents(50))[30:], file)
    return file


def trained(network, held_out, out, *more):
    command = ["train", "combined", "--set", "combined.merge=published", "--train", str(held_out), "--out", str(out)]
    done = CliRunner().invoke(app, [*command, *(["--network", str(network)] if network else []), *more])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


@pytest.fixture(scope="module")
def folder(network, held_out, tmp_path_factory):
    out = tmp_path_factory.mktemp("merged") / "mine"
    record = json.loads(trained(network, held_out, out, "--json").stdout)
    assert record == {
        "system": "combined",
        "merge": "published",
        "scorer": "logistic",
        "documents": 20,
        "out": str(out),
    }
    return out


def test_what_neighbours_have_and_the_text_has_is_found(folder):
    system = keyseq.load(folder, beam=4, threads=1)
    text = next(iter(documents(1)))
    [phrases] = system.predict([text])
    assert 2 < len(phrases) <= 10
    scores = [one.score for one in phrases]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
    assert scores[0] == 1, "scores are relative to the best"
    found = {one.text: one.present for one in phrases}
    assert found[text.keyphrases[0]] is True
    assert found[text.keyphrases[1]] is False, "the keyphrase of its kind, which only retrieval can know"
    assert system.predict(["", "!"]) == [[], []]


def test_phrases_are_ordered_as_merging_has_it(folder, held_out, network, tmp_path):
    done = trained(network, held_out, tmp_path / "plain", "--set", "combined.scorer=none", "--json")
    assert json.loads(done.stdout)["documents"] == 0
    plain = keyseq.load(tmp_path / "plain", beam=4, threads=1, top=50)
    text = next(iter(documents(1)))
    [candidates] = plain.candidates([text])
    assert {name for name, found in candidates.found.items() if found} == {GENERATED, EXTRACTED, RETRIEVED}
    expected = merged(candidates.found, lambda words: tuple(ENGLISH.stems(words)), lambda words: torch.ones(len(words)))
    [phrases] = plain.predict([text])
    assert [one.text for one in phrases] == [" ".join(one.words) for one in expected][:50]
    [scored] = keyseq.load(folder, beam=4, threads=1, top=50).predict([text])
    assert [one.text for one in scored] != [one.text for one in phrases], "the scorer must matter"


def test_its_folder_is_of_its_kind_with_a_network_and_a_card(folder):
    assert kind_of(folder) == "merged"
    assert network_of(str(folder)) == str(folder / "network")
    card = (folder / "README.md").read_text()
    assert "Phrases: generated, extracted, retrieved." in card
    assert "learnt from 20 documents of held.jsonl" in card
    assert "| is in the text |" in card


def test_keyphrases_are_generated_without_torch(folder, tmp_path):
    (tmp_path / "texts.jsonl").write_text('{"id": "1", "title": "bal bam", "abstract": "ban bar bas bat"}\n')
    program = "import sys; sys.modules['torch'] = None; from keyseq.cli import main; main()"
    command = ["generate", str(tmp_path / "texts.jsonl"), "--system", str(folder), "--beam", "3", "--json"]
    done = subprocess.run([sys.executable, "-c", program, *command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["id"] == "1"


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--valid", "held.jsonl"], "learns its scorer from --train alone; leave --valid out"),
        (["--set", "combined.trees=20"], "unknown setting 'combined.trees'"),
        (["--set", "combined.scorer=forest"], "combined.scorer must be one of logistic, none, not 'forest'"),
    ],
)
def test_settings_that_merging_does_not_have_are_refused(network, held_out, tmp_path, more, message):
    more = [str(held_out) if value == "held.jsonl" else value for value in more]
    with pytest.raises(KeyseqError, match=message):
        trained(network, held_out, tmp_path / "out", *more)
    assert not (tmp_path / "out").exists()


def test_there_must_be_something_to_merge(held_out, tmp_path):
    with pytest.raises(KeyseqError, match="merges what a network generates; name it with --network"):
        trained(None, held_out, tmp_path / "out")
    with pytest.raises(KeyseqError, match="has neither an extractor nor retrieved phrases to merge"):
        trained(made(tmp_path, "copyrnn"), held_out, tmp_path / "out")


def test_a_damaged_folder_is_refused(network, held_out, tmp_path):
    trained(network, held_out, tmp_path / "mine", "--set", "combined.sample=3")
    for file in ("scorer.safetensors", "merged.toml"):
        (tmp_path / "mine" / file).write_text("[merged]\nscorer = 3\n")
        with pytest.raises(KeyseqError, match=file):
            keyseq.load(tmp_path / "mine")
