"""`keyseq adapt`: from a corpus with tags to a system by the real command; interruptions, mistakes, vocabularies."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace

import pytest
from tests.serving.running import running
from tests.systems.tagged import TOPICS, documents

import keyseq
from keyseq.adapting import adaptation, adaptation_steps
from keyseq.cli import main
from keyseq.data.formats import write_documents
from keyseq.errors import DataError, KeyseqError
from keyseq.ranking.recall_weight import WEIGHTS
from keyseq.systems.combined import RANKER, CandidateSource
from keyseq.systems.hub import PRETRAINED

KEYSEQ = [sys.executable, "-m", "keyseq"]
FAST = {"trees": 20, "leaf": 10, "kept": 20}
SETTINGS = [part for name, value in FAST.items() for part in ("--set", f"adapt.{name}={value}")]
UNSEEN = "comet eclipse"  # a subject that no document has


def corpus():
    """Documents that are told apart by their texts."""
    return list({one.body: one for one in documents() if UNSEEN not in one.keyphrases}.values())


def uri(label):
    return f"http://example.org/{label.replace(' ', '-')}"


def labels():
    """The tags of all topics, the subjects that documents may have, and one that fits none of them."""
    pairs = [f"{one} {other}" for words in TOPICS.values() for one in words for other in words if one != other]
    return [*TOPICS, *pairs, *(word for words in TOPICS.values() for word in words), "monetary policy"]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tagged")
    write_documents(corpus(), folder / "tagged.jsonl")
    rows = [f"<{uri(label)}>\t{label}" for label in labels()]
    (folder / "terms.tsv").write_text("\n".join(rows))
    by_uri = [
        replace(one, keyphrases=tuple(uri(tag) for tag in one.keyphrases) if number % 2 else (*one.keyphrases, "junk"))
        for number, one in enumerate(corpus())
    ]
    write_documents(by_uri, folder / "indexed.jsonl")
    return folder


def run(*arguments):
    return subprocess.run([*KEYSEQ, *map(str, arguments)], capture_output=True, text=True)


def adapted(files, out, *more, name="tagged.jsonl"):
    return run("adapt", files / name, "--out", out, *SETTINGS, *more)


def contents(folder):
    """All files of a system, the name of the folder in its card apart."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.name: path.read_bytes().replace(str(folder).encode(), b"OUT") for path in files}


@pytest.fixture(scope="module")
def alone(files, tmp_path_factory):
    """A system of the corpus alone, and what the command told."""
    out = tmp_path_factory.mktemp("alone") / "mine"
    return out, adapted(files, out, "--from", "none", "--json")


@pytest.fixture(scope="module")
def indexer(files, tmp_path_factory):
    """A system that was adapted to a vocabulary."""
    out = tmp_path_factory.mktemp("indexer") / "indexer"
    done = adapted(files, out, "--vocabulary", files / "terms.tsv", "--json", name="indexed.jsonl")
    assert done.returncode == 0, done.stderr
    return out, done


def test_one_command_makes_a_system_and_measures_it_beside_the_default(alone):
    out, done = alone
    assert done.returncode == 0, done.stderr
    record = json.loads(done.stdout)
    assert (record["from"], record["weight"], record["network"], record["compared_with"]) == ("none", 0, "", "auto")
    total = len(corpus())
    assert (record["documents"], record["tested"], record["kept"]) == (total, total // 10, total // 20)
    assert record["ranked"] == total - record["tested"]
    assert record["beta"] in WEIGHTS
    assert keyseq.load(str(out)).beta == record["beta"]
    score = {name: record[name]["all.f1@m"]["score"] for name in ("before", "after")}
    assert score["after"] > 0.7 > score["before"]
    low, high = record["after"]["all.f1@m"]["interval"]
    assert low < score["after"] < high
    assert "|protocol:yuan2020|" in record["after"]["absent.recall@10"]["signature"]
    assert record["after"]["calibration error"]["score"] < 0.3
    assert not out.with_name("mine.work").exists()
    assert f"before is auto as it is, after is {out}: " in done.stderr
    assert "keyseq generate --system" in done.stderr


def test_the_card_has_the_table_and_says_what_each_part_has_seen(alone):
    out, done = alone
    card, record = (out / "README.md").read_text(), json.loads(done.stdout)
    score = record["after"]["all.f1@m"]["score"]
    assert f"{100 * score:.2f} [" in card
    assert "calibration error" in card
    assert "tables\n  were made again from all documents after it was measured" in card
    kept = list(keyseq.read(out / "held-out.jsonl"))
    assert len(kept) == record["kept"]
    assert {one.body for one in kept} <= {one.body for one in corpus()}


def test_the_system_finds_tags_that_the_text_does_not_contain(alone):
    [phrases] = keyseq.load(str(alone[0])).predict(
        ["A comet left the galaxy. The telescope saw the comet near the planet."]
    )
    assert "astronomy" in {phrase.text for phrase in phrases if not phrase.present}


def test_the_same_corpus_and_seed_make_the_same_bytes_and_python_is_the_same_door(files, alone, tmp_path):
    done = keyseq.adapt(files / "tagged.jsonl", tmp_path / "mine", start="none", **FAST)
    assert contents(tmp_path / "mine") == contents(alone[0])
    assert done.record == json.loads(alone[1].stdout) | {"out": str(tmp_path / "mine")}
    assert done.system.predict(["A comet near the planet, seen by telescope again."])[0]
    assert "all.f1@m" in done.table()


def test_documents_in_memory_are_a_corpus_too(alone, tmp_path):
    done = keyseq.adapt(corpus(), tmp_path / "mine", start="none", **FAST)
    assert done.record["after"]["all.f1@m"]["score"] == json.loads(alone[1].stdout)["after"]["all.f1@m"]["score"]


def test_another_seed_measures_on_other_documents(files, alone, tmp_path):
    done = keyseq.adapt(files / "tagged.jsonl", tmp_path / "mine", start="none", seed=9, **FAST)
    assert done.record["before"] != json.loads(alone[1].stdout)["before"]


def test_what_was_finished_before_a_kill_is_used_again(files, alone, tmp_path, monkeypatch):
    out = tmp_path / "mine"
    command = [*KEYSEQ, "adapt", str(files / "tagged.jsonl"), "--out", str(out), "--from", "none", *SETTINGS]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    ranker = tmp_path / "mine.work" / "ranker"
    while not ranker.exists() and process.poll() is None:
        time.sleep(0.005)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert ranker.is_dir()
    assert not out.exists()

    def again(*_, **__):
        raise AssertionError("the corpus is read again")

    monkeypatch.setattr(adaptation, "read_corpus", again)
    keyseq.adapt(files / "tagged.jsonl", out, start="none", **FAST)
    assert contents(out) == contents(alone[0])
    assert not (tmp_path / "mine.work").exists()


def test_a_system_of_the_package_takes_part_and_is_what_it_is_compared_with(files, tmp_path):
    done = adapted(files, tmp_path / "mine", "--from", "questions")
    assert done.returncode == 0, done.stderr
    assert "begun with questions" in done.stderr
    assert [line.split()[0] for line in done.stdout.splitlines()[2:9]] == [
        *("all.f1@m", "all.f1@5", "present.f1@m", "absent.recall@10", "absent.recall@50", "predictions.count"),
        "calibration",
    ]
    assert "protocol:yuan2020" in done.stdout
    assert (tmp_path / "mine" / "background.safetensors").is_file()


def test_an_adapted_system_is_one_to_begin_with(files, alone, tmp_path):
    done = keyseq.adapt(files / "tagged.jsonl", tmp_path / "again", start=str(alone[0]), **FAST)
    assert done.record["before"]["all.f1@m"]["score"] > 0.7


def test_a_network_is_not_asked_of_documents_that_it_learnt_from(tmp_path, monkeypatch):
    """It knows them so well that the ranker would trust it too much, and the table tell of a gain that is none."""
    every = corpus()[:80]
    held_out, asked = every[::5], []
    (tmp_path / "run" / "last").mkdir(parents=True)
    shutil.copytree(PRETRAINED / "scholar-network", tmp_path / "run" / "network")
    write_documents(held_out, tmp_path / "run" / "valid.jsonl")

    class Recorded(CandidateSource):
        def pools(self, documents):
            asked.extend((one.body, self._network is not None) for one in documents)
            return super().pools(documents)

    monkeypatch.setattr(adaptation_steps, "CandidateSource", Recorded)
    done = keyseq.adapt(
        every, tmp_path / "mine", start="none", network=str(tmp_path / "run"), untitled=0, tested=50, share=0.5, **FAST
    )
    known = {one.body for one in held_out}
    assert {body in known for body, by_network in asked if by_network} == {True}
    assert {body in known for body, by_network in asked if not by_network} == {False}
    assert done.record["tested"] == len(held_out) // 2
    assert {one.body for one in keyseq.read(tmp_path / "mine" / "held-out.jsonl")} <= known


def test_it_works_where_neither_torch_nor_scikit_learn_is_installed(files, tmp_path):
    program = (
        "import sys; sys.modules['torch'] = sys.modules['sklearn'] = None; import keyseq; "
        f"keyseq.adapt({str(files / 'tagged.jsonl')!r}, {str(tmp_path / 'mine')!r}, start='none', **{FAST!r})"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "mine").is_dir()


def test_a_system_with_a_vocabulary_answers_with_concepts_by_itself(indexer, tmp_path):
    out, done = indexer
    record = json.loads(done.stdout)
    assert "|protocol:annif|" in record["after"]["all.f1@5"]["signature"]
    assert record["after"]["all.f1@m"]["score"] > max(0.7, record["before"]["all.f1@m"]["score"])
    assert f"{sum(not number % 2 for number in range(len(corpus()))):,} of" in done.stderr  # "junk" is no term
    (tmp_path / "note.txt").write_text("On the comet orbit\nThe comet orbit is near the planet. Nobody knows why.")
    shown = run("generate", tmp_path / "note.txt", "--system", out, "--json")
    found = {one["uri"]: one for one in json.loads(shown.stdout)["keyphrases"]}
    assert found[uri("comet orbit")]["present"]
    assert not found[uri("astronomy")]["present"]
    assert set(found) <= {uri(label) for label in labels()}
    table = run("generate", tmp_path / "note.txt", "--system", out, "--format", "csv")
    assert uri("astronomy") in table.stdout


def test_a_concept_that_no_document_had_is_found_by_its_label(indexer):
    text = f"On the {UNSEEN}\nThe {UNSEEN} is near the planet. A planet and the {UNSEEN}, nobody knows why."
    [found] = keyseq.load(str(indexer[0])).predict([text])
    assert uri(UNSEEN) in {phrase.uri for phrase in found}


def test_phrases_that_the_vocabulary_lacks_can_be_asked_for(indexer):
    system = keyseq.load(str(indexer[0]), also_new=True, top=30, min_score=1e-6)
    [found] = system.predict(["The giraffe park is near the planet; nobody knows why. A comet and the giraffe park."])
    assert any(phrase.new for phrase in found)
    with pytest.raises(KeyseqError, match="also_new adds phrases that a vocabulary lacks"):
        keyseq.load("scholar", also_new=True)


def test_a_server_has_adapted_systems_and_their_concepts(alone, indexer, tmp_path):
    text = "On the comet orbit\nThe comet orbit is near the planet. Nobody knows why."
    with running(tmp_path, alone[0], indexer[0]) as server:
        [phrases] = server.keyphrases({"text": text}).json["documents"]
        assert "astronomy" in {one["text"] for one in phrases["keyphrases"]}
        [concepts] = server.keyphrases({"text": text, "system": "indexer"}).json["documents"]
        assert uri("astronomy") in {one["uri"] for one in concepts["keyphrases"]}
        assert server.keyphrases({"text": text, "system": "indexer", "also_new": True}).status == 200
        assert server.keyphrases({"text": text, "system": "mine", "also_new": True}).status == 422


@pytest.mark.parametrize(
    ("made", "more", "message"),
    [
        ("bare", (), "no document has tags; adapt learns from documents with tags (keyphrases)"),
        ("one", (), "all its documents have the same tag, 'news', so there is nothing to learn"),
        ("same", (), "all its documents have the same tags, so there is nothing to learn"),
        ("few", (), "has 12 documents with tags; adapt needs at least 30"),
        ("good", ("--from", "textrank"), "--from textrank: not a combined system; name one such as scholar"),
        ("good", ("--from", "schola"), "unknown system 'schola'; did you mean 'scholar'?"),
        ("good", ("--set", "adapt.tres=3"), "unknown setting 'adapt.tres'; did you mean 'trees'?"),
        ("good", ("--network", "nothing"), "nothing: neither a folder nor a hub id"),
        ("good", ("--vocabulary", "other.txt"), "no tag of the corpus is one of its terms or URIs"),
        ("good", ("--vocabulary", "german.ttl"), "none of its labels is in English (en), the language of the texts"),
        ("good", ("--vocabulary", "german.txt"), "few of the words of its labels are English"),
        ("good", ("--vocabulary", "broken.ttl"), "broken.ttl:3: broken Turtle"),
        ("good", ("--out", "there"), "there: already exists; choose a new folder"),
        ("missing", (), "no such file or folder"),
    ],
)
def test_a_mistake_is_one_sentence(made, more, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    every = list(documents(60))
    tags = {"bare": None, "one": ("news",), "same": ("news", "sport")}
    chosen = (
        [replace(one, keyphrases=tags[made]) for one in every]
        if made in tags
        else every[:12]
        if made == "few"
        else every
    )
    if made != "missing":
        write_documents(chosen, tmp_path / "corpus.jsonl")
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "file").touch()
    (tmp_path / "broken.ttl").write_text(
        "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n<http://x/1> a skos:\n"
    )
    (tmp_path / "other.txt").write_text("monetary policy\ninflation targets\n")
    german = [
        "Geldpolitik",
        "Raumfahrt",
        "Tierkunde",
        "Kochkunst",
        "Segelsport",
        "Sternkunde",
        "Schifffahrt",
        "Backofen",
    ]
    (tmp_path / "german.txt").write_text("\n".join(f"{one} und {other}" for one in german for other in german))
    (tmp_path / "german.ttl").write_text(
        "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n"
        '<http://x/1> a skos:Concept ; skos:prefLabel "Tierkunde"@de .\n'
    )
    monkeypatch.setattr(sys, "argv", ["keyseq", "adapt", "corpus.jsonl", "--out", "mine", *SETTINGS, *more])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    [sentence] = capsys.readouterr().err.splitlines()
    assert message in sentence
    assert not list(tmp_path.glob("mine*"))


def test_the_size_of_a_corpus_does_not_change_what_a_user_set(files, tmp_path):
    """A corpus is large from 40 documents on here, and would get 300 trees."""
    fast = {key: value for key, value in FAST.items() if key != "trees"}
    made = {
        trees: keyseq.adapt(files / "tagged.jsonl", tmp_path / f"{trees}", start="none", large=40, trees=trees, **fast)
        for trees in (5, 150)
    }
    sizes = {trees: (one.out / RANKER).stat().st_size for trees, one in made.items()}
    assert sizes[5] < sizes[150]


def test_a_missing_extra_is_named(files, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "lightgbm", None)
    with pytest.raises(KeyseqError, match=r"this needs lightgbm: install it with pip install 'keyseq\[combined\]'"):
        keyseq.adapt(files / "tagged.jsonl", tmp_path / "mine")
    assert not list(tmp_path.iterdir())


def test_a_bad_record_is_skipped_only_on_request(files, tmp_path):
    text = (files / "tagged.jsonl").read_text() + "{broken\n"
    (tmp_path / "bad.jsonl").write_text(text)
    with pytest.raises(DataError):
        keyseq.adapt(tmp_path / "bad.jsonl", tmp_path / "mine", start="none", **FAST)
    done = run("adapt", tmp_path / "bad.jsonl", "--out", tmp_path / "mine", "--from", "none", "--skip-bad", *SETTINGS)
    assert done.returncode == 1
    assert "skipped 1 record" in done.stderr
    assert (tmp_path / "mine").is_dir()
