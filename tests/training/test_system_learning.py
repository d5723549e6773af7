"""Every further system of the paper's table learns a tiny task, and resumes exactly after it was killed."""

import json
import random
from contextlib import nullcontext
from dataclasses import replace
from unittest.mock import patch

import pytest
import torch
from typer.testing import CliRunner

from keyseq.cli import app
from keyseq.config import load_settings
from keyseq.data.corpus import EncodedCorpus
from keyseq.data.examples import Dropped
from keyseq.data.formats import read_documents
from keyseq.data.network_inputs import NEIGHBOURS
from keyseq.data.parallel import Work
from keyseq.errors import KeyseqError
from keyseq.network.storage import load_network, read_tensors
from keyseq.retrieval.phrase_retriever import write_index
from keyseq.runtime.exporting import export
from keyseq.systems.neural import NeuralSystem
from keyseq.text.analyzer import Analyzer
from keyseq.training.logs import read_log
from keyseq.training.retrieving import RetrievingExamples
from keyseq.training.start import Files, RunOptions, train

torch.set_num_threads(1)

WORDS = [a + b + c for a in "bdfk" for b in "aeiou" for c in "lmnrst"]
SIZES = ("embedding_size", "encoder_size", "attention_size", "output_size", "switch_size")
TINY = [*(f"model.{name}=16" for name in SIZES), "model.hidden_size=32", "model.vocabulary=140", "model.dropout=0"]
SHORT = ["training.batch_size=16", "training.learning_rate=1e-2", "training.threads=1", "training.patience=0"]
FEW = ["training.steps=6", "training.validate_every=3", "training.checkpoint_every=2", "training.log_every=1"]


def titled(chance):
    """A text whose keyphrases are the two words of its title, in any order among others."""
    title, others = chance.sample(WORDS, 2), chance.choices(WORDS, k=6)
    body = [*title, *others]
    chance.shuffle(body)
    return {"title": " ".join(title), "abstract": " ".join(body), "keywords": title}


def write(folder, document, counts=(("train", 500), ("valid", 40))):
    chance = random.Random(4)
    for name, count in counts:
        lines = [json.dumps({"id": str(number), **document(chance)}) for number in range(count)]
        (folder / f"{name}.jsonl").write_text("\n".join(lines) + "\n")
    return folder


@pytest.fixture(scope="module")
def titles(tmp_path_factory):
    return write(tmp_path_factory.mktemp("titles"), titled)


def fit(system, corpus, out, *overrides, encoded=None, start=None, drawn=False, **options):
    settings = load_settings(system, [*TINY, *SHORT, *overrides])
    files = Files(train=[corpus / "train.jsonl"], valid=corpus / "valid.jsonl", out=out, corpus=encoded, start=start)
    with nullcontext() if drawn else patch("keyseq.training.start.draw_curves"):  # which takes longer than a short run
        return train(settings, files, RunOptions(work=Work(processes=1), **options))


def validated(out):
    return [line for line in read_log(out / "log.jsonl") if line["kind"] == "valid"][-1]


def resumes_exactly(system, corpus, folder, *overrides, **places):
    """Whether a run that was killed between checkpoints ends with the weights of one that was not."""

    class Killed(BaseException):
        pass

    def kill(event):
        if event.kind == "step" and event.progress.step == 5:
            raise Killed

    few, places = [*FEW, "model.dropout=0.2", *overrides], {**places, "encoded": folder / "corpus"}
    fit(system, corpus, folder / "whole", *few, **places)
    with pytest.raises(Killed):
        fit(system, corpus, folder / "killed", *few, report=kill, **places)
    fit(system, corpus, folder / "killed", *few, **places)
    for name in ("model.safetensors", "optimizer.safetensors"):
        one, other = (read_tensors(folder / run / "last" / name) for run in ("whole", "killed"))
        assert one.keys() == other.keys()
        assert all(one[key].equal(other[key]) for key in one)
    logs = [list(map(_without_rate, read_log(folder / run / "log.jsonl"))) for run in ("whole", "killed")]
    assert logs[0] == logs[1]
    return logs[0]


def _without_rate(line):
    return {key: value for key, value in line.items() if key != "documents_per_second"}


def test_tg_net_learns_what_the_title_says(titles, tmp_path):
    fit("tg-net", titles, tmp_path, "training.steps=50", "training.validate_every=50", "training.batch_size=32")
    # one of the title's two words, then the end, which is certain: ln 2 over two words
    assert validated(tmp_path)["loss"] == pytest.approx(0.347, abs=0.05)


def test_tg_net_resumes_exactly(titles, tmp_path):
    resumes_exactly("tg-net", titles, tmp_path)


def test_a_title_guide_cannot_join_a_network_that_was_trained_without(titles, tmp_path):
    fit("copyrnn", titles, tmp_path / "plain", "training.steps=1")
    with pytest.raises(KeyseqError, match=r"trained without model\.title_guide, which cannot be added"):
        fit("tg-net", titles, tmp_path / "joined", "training.steps=1", start=tmp_path / "plain/last")


def test_corrrnn_learns_to_copy_two_words_and_to_stop(titles, tmp_path):
    fit("corrrnn", titles, tmp_path, "training.steps=60", "training.validate_every=60", "training.batch_size=32")
    assert validated(tmp_path)["present.f1@m"] >= 0.9


def test_corrrnn_resumes_exactly(titles, tmp_path):
    resumes_exactly("corrrnn", titles, tmp_path, "model.restart=true")


def half_absent(chance):
    """A text with one keyphrase in it, its title, and one that only the title means."""
    place = chance.randrange(20)
    return {
        "title": WORDS[place],
        "abstract": " ".join(chance.choices(WORDS[20:60], k=6)),
        "keywords": [WORDS[place], WORDS[70 + place]],
    }


@pytest.fixture(scope="module")
def divided(tmp_path_factory):
    return write(tmp_path_factory.mktemp("divided"), half_absent)


@pytest.fixture(scope="module")
def catseqtg(divided, tmp_path_factory):
    """Trained on divided targets, not long enough to be sure of them."""
    out = tmp_path_factory.mktemp("catseqtg")
    fit("catseqtg", divided, out, "training.steps=20", "training.validate_every=20", "training.batch_size=32")
    return out


REWARDED = ["loss.reward_words=8", "training.learning_rate=5e-3"]


def test_divided_targets_are_learnt_and_rewards_improve_on_them(divided, catseqtg, tmp_path):
    before = validated(catseqtg)
    assert before["present.f1@m"] > 0.9
    steps = ["training.steps=30", "training.validate_every=30", "training.log_every=10", "training.batch_size=32"]
    fit("catseqtg-2rf1", divided, tmp_path, *steps, *REWARDED, start=catseqtg / "last", drawn=True)
    rewards = [line["reward"] for line in read_log(tmp_path / "log.jsonl") if line["kind"] == "train"]
    assert rewards[-1] > rewards[0] + 0.1
    after = validated(tmp_path)
    assert after["reward"] >= (before["present.f1@m"] + before["absent.f1@m"]) - 0.05
    assert (tmp_path / "curves.png").stat().st_size > 1000


def test_rewarded_training_resumes_exactly(divided, catseqtg, tmp_path):
    logs = resumes_exactly("catseqtg-2rf1", divided, tmp_path, *REWARDED, start=catseqtg / "last")
    assert {"reward", "present_reward", "absent_reward", "greedy_reward"} <= set(logs[0])


def test_rewards_need_a_network_that_generates_already_and_divides(divided, titles, tmp_path):
    with pytest.raises(KeyseqError, match="name it with --from"):
        fit("catseqtg-2rf1", divided, tmp_path / "new", *FEW)
    fit("tg-net", titles, tmp_path / "plain", "training.steps=1")
    with pytest.raises(KeyseqError, match=r"needs <peos> in the vocabulary, which this network was trained without"):
        fit("catseqtg-2rf1", titles, tmp_path / "undivided", *FEW, start=tmp_path / "plain/last")


def test_divgraphpointer_learns_to_point_at_two_words_and_to_stop(titles, tmp_path):
    steps = ["training.steps=150", "training.validate_every=150", "training.learning_rate=3e-3"]
    fit("divgraphpointer", titles, tmp_path, "model.word_graph=1", *steps)
    assert validated(tmp_path)["present.f1@m"] >= 0.8


def test_divgraphpointer_resumes_exactly(titles, tmp_path):
    resumes_exactly("divgraphpointer", titles, tmp_path)


def test_a_document_without_a_phrase_to_point_at_is_left_out(tmp_path):
    absent = {"title": "bal", "abstract": "ben", "keywords": ["kut"]}
    folder = write(tmp_path, lambda _: absent, (("train", 3), ("valid", 3)))
    with pytest.raises(KeyseqError, match="no document to "):
        fit("divgraphpointer", folder, tmp_path / "out", *FEW)


TOPICS = WORDS[:8]


def related(chance):
    """Groups of three texts of words that no other text has, with a keyphrase that none of them contains."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    for _ in range(200):
        topic = chance.choice(TOPICS)
        shared = ["".join(chance.choices(letters, k=9)) for _ in range(5)]
        for _ in range(3):
            own = ["".join(chance.choices(letters, k=9)) for _ in range(3)]
            yield {"title": "", "abstract": " ".join([*shared, *own]), "keywords": [topic]}


@pytest.fixture(scope="module")
def relatives(tmp_path_factory):
    """Of each group, two texts for training, and of some the third for validation."""
    folder, made = tmp_path_factory.mktemp("relatives"), list(related(random.Random(6)))
    parts = {"train": [one for number, one in enumerate(made) if number % 3], "valid": made[:120:3]}
    for name, documents in parts.items():
        lines = [json.dumps({"id": str(number), **one}) for number, one in enumerate(documents)]
        (folder / f"{name}.jsonl").write_text("\n".join(lines) + "\n")
    return folder


# the vocabulary is that of the keyphrases: what is retrieved is all that a network can know of a text
KNOWN = ["model.vocabulary=13", "training.batch_size=32", "loss.extractor=0"]


@pytest.fixture(scope="module")
def retrieving(relatives, tmp_path_factory):
    out = tmp_path_factory.mktemp("retrieving")
    fit("kg-ke-kr", relatives, out, "training.steps=120", "training.validate_every=120", *KNOWN)
    return out


def test_kg_ke_kr_learns_what_similar_documents_have(retrieving):
    """The keyphrase of the nearest document, and its end; by chance, ln 8 over two words would be 1.04."""
    assert validated(retrieving)["loss"] < 0.5


def test_kg_ke_kr_resumes_exactly(relatives, tmp_path):
    resumes_exactly("kg-ke-kr", relatives, tmp_path, *KNOWN[:1])


def test_a_training_document_never_reads_its_own_keyphrases(relatives, retrieving):
    [corpus] = (path.parent for path in (retrieving / "corpus").glob("*/documents.arrow"))
    read = EncodedCorpus.open(corpus)
    assert len(read.input(0).further["retrieved"]) == 2  # of its one relative, and its end
    settings, document = load_settings("kg-ke-kr").target, next(read_documents(relatives / "train.jsonl"))
    alone = retrieving / "alone"
    write_index([document], Analyzer.of(settings), alone)
    assert RetrievingExamples(alone)(document, settings, Dropped()).retrieved == ()
    assert RetrievingExamples(alone, copies=True)(document, settings, Dropped()).retrieved == document.keyphrases


def test_what_a_trained_network_retrieves_comes_with_its_export(retrieving, relatives, tmp_path):
    """So does what it generates: the keyphrase of a text that it has nothing to know it by."""
    export(load_network(retrieving / "best"), tmp_path / "exported")
    system = NeuralSystem.from_pretrained(str(tmp_path / "exported"), top=1, beam=4, threads=1)
    documents = list(read_documents(relatives / "valid.jsonl"))
    found = system.predict(documents)
    right = [own[0].text == one.keyphrases[0] for own, one in zip(found, documents, strict=True)]
    assert sum(right) >= 0.7 * len(right)
    system.save_pretrained(tmp_path / "saved")
    assert (tmp_path / "saved" / NEIGHBOURS).read_bytes() == (retrieving / NEIGHBOURS).read_bytes()
    (tmp_path / "saved" / NEIGHBOURS).write_bytes(b"damaged")
    with pytest.raises(KeyseqError, match=r"neighbours\.safetensors: missing or damaged"):
        NeuralSystem.from_pretrained(str(tmp_path / "saved"))


def test_an_average_of_networks_has_the_index_of_the_first(retrieving, tmp_path):
    checkpoints = [str(retrieving / name) for name in ("best", "last")]
    done = CliRunner().invoke(app, ["average", *checkpoints, "--out", str(tmp_path / "mean")])
    assert done.exit_code == 0, done.output
    assert load_network(tmp_path / "mean").neighbours == tmp_path / "mean" / NEIGHBOURS


def test_a_network_without_its_index_is_not_exported(retrieving, tmp_path):
    stored = replace(load_network(retrieving / "last"), neighbours=None)
    with pytest.raises(KeyseqError, match=r"neighbours\.safetensors is missing, which model\.retrieved needs"):
        export(stored, tmp_path / "exported")
