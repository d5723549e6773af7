"""The benchmark beside Annif, with a small program in its place: what it writes, what it keeps, what it skips."""

import json
import random
import sys

import pytest
from benchmarks import annif as benchmark
from benchmarks import contestants
from benchmarks.subject_corpora import SubjectCorpus

from keyseq.data.formats import write_documents
from keyseq.types import Document

# Trains by counting subjects, suggests the most frequent ones, and lacks a backend
STAND_IN = f"""#!{sys.executable}
import json, sys
from collections import Counter
from pathlib import Path
verb, *rest = sys.argv[1:]
if verb == "--version":
    print("annif, version 9.9")
elif verb == "train":
    if rest[0] == "fasttext":
        sys.exit("No such backend: fasttext")
    with open("calls.txt", "a") as calls:
        calls.write(rest[0] + "\\n")
    lines = Path(rest[1]).read_text().splitlines()
    counts = Counter(uri.strip("<>") for line in lines for uri in line.split("\\t")[1].split())
    folder = Path("data/projects") / rest[0]
    folder.mkdir(parents=True)
    (folder / "model").write_text(json.dumps(counts.most_common(3)))
elif verb == "index":
    model = json.loads(Path("data/projects/tfidf/model").read_text())
    found = [{{"uri": uri, "label": uri, "score": count}} for uri, count in model]
    target = Path(rest[rest.index("--output") + 1])
    target.write_text("".join(json.dumps({{"results": found}}) + "\\n" for _ in Path(rest[1]).read_text().splitlines()))
elif verb == "eval":
    Path(rest[rest.index("-M") + 1]).write_text(json.dumps({{"F1@5": 0.5, "NDCG": 0.25}}))
"""
TOPICS = {"parks": "green trees and lawns", "birds": "small birds sing and nest", "ships": "old ships at sea"}


def documents(count, seed):
    draw = random.Random(seed)
    for number in range(count):
        tag = draw.choice(list(TOPICS))
        about = TOPICS[tag]
        yield Document(id=str(number), title=f"On {about}", body=f"Part {number}: {about}.", keyphrases=(tag, "nature"))


@pytest.fixture
def data(tmp_path):
    for part, count in {"train": 90, "valid": 12, "test": 15}.items():
        (tmp_path / "data" / part).mkdir(parents=True)
        name = "questions.jsonl.xz" if part == "train" else "questions.jsonl"
        write_documents(documents(count, count), tmp_path / "data" / part / name)
    return tmp_path / "data"


@pytest.fixture
def annif(tmp_path):
    program = tmp_path / "annif"
    program.write_text(STAND_IN)
    program.chmod(0o755)
    return program


def test_the_vocabulary_is_the_subjects_of_training_and_others_are_no_gold(data, tmp_path):
    corpus = SubjectCorpus.read("questions", data, "test")
    strange = Document(id="x", title="A", body="b", keyphrases=("ships", "never seen", "ships"))
    assert corpus.subjects(strange) == ["ships"]
    corpus.write(tmp_path / "written")
    assert (tmp_path / "written" / "vocabulary.tsv").read_text().count("\t") == 4
    text, uris = (tmp_path / "written" / "one.tsv").read_text().rstrip("\n").split("\t")
    [record] = map(json.loads, (tmp_path / "written" / "one.jsonl").read_text().splitlines())
    assert text == f"{record['title']} {record['abstract']}"
    assert [uri.strip("<>") for uri in uris.split()] == record["subjects"]


def test_a_corpus_without_a_validation_part_lends_documents_that_are_not_learnt_from(tmp_path):
    folder = tmp_path / "languages" / "fi"
    folder.mkdir(parents=True)
    write_documents(documents(400, 1), folder / "train.jsonl.xz")
    corpus = SubjectCorpus.read("finnish", tmp_path, "valid")
    assert (len(corpus.train), len(corpus.measured)) == (100, 300)
    assert not {one.id for one in corpus.train} & {one.id for one in corpus.measured}


def run(monkeypatch, *arguments):
    monkeypatch.setattr(sys, "argv", ["annif", *map(str, arguments)])
    benchmark.main()


def test_one_command_writes_the_page_and_a_second_one_measures_nothing_again(data, annif, tmp_path, monkeypatch):
    monkeypatch.setattr(contestants, "ADAPTATION", {"questions": ("trees=5", "leaf=5")})
    out, work = tmp_path / "page.md", tmp_path / "work"
    asked = ("--data", data, "--annif", annif, "--work", work, "--out", out, "questions")
    run(monkeypatch, *asked)
    first = out.read_text()
    assert "| keyseq, vocabulary" in first
    assert "- Annif fasttext: not measured (No such backend: fasttext)" in first
    assert "Annif's best single backend by nDCG" in first
    assert "protocol:annif" in first
    assert "9.9" in first
    out.unlink()
    run(monkeypatch, *asked)
    assert out.read_text() == first
    calls = (work / "test" / "questions" / "calls.txt").read_text().split()
    assert calls == ["tfidf", "mllm", "omikuji"]


def test_without_annif_it_is_skipped_with_what_to_install(monkeypatch):
    with pytest.raises(SystemExit, match=r"skipped: there is no no-such-annif; install it .*pip install 'annif"):
        run(monkeypatch, "--annif", "no-such-annif")


def test_a_corpus_that_is_not_there_is_named_on_the_page(annif, tmp_path, monkeypatch):
    out = tmp_path / "page.md"
    run(monkeypatch, "--data", tmp_path, "--annif", annif, "--work", tmp_path / "work", "--out", out, "finnish")
    assert "Not measured: the corpus was not there." in out.read_text()


def test_a_verdict_says_who_is_ahead_and_leaves_open_what_chance_explains():
    assert benchmark.compared("all.f1@5", -0.0156, 0.0002) == "**behind by 1.56** (p = 0.0002, paired bootstrap)"
    assert benchmark.compared("all.f1@5", 0.0495, 0.0001).startswith("**ahead by 4.95**")
    assert benchmark.compared("all.ndcg", -0.001, 0.4).startswith("**no difference beyond chance** (−0.10")


def test_a_ratio_below_one_is_told_the_other_way_round_since_0_3_times_as_fast_misleads():
    assert benchmark.times(0.25, "faster", "slower") == "**4.0 × slower**"
    assert benchmark.times(3, "faster", "slower") == "**3.0 × faster**"
    assert benchmark.goal(2.9, 3, "faster") == "the goal, 3 × faster, is missed"
    assert benchmark.goal(3, 3, "faster") == "the goal, 3 × faster, is reached"
