"""The files that the pages speak of, small: texts, corpora in several formats, predictions, a trained network."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

from tests.data.formats.sample_papers import SAMPLES
from tests.data.formats.written_files import WRITERS

import keyseq
from keyseq.data.formats import write_documents
from keyseq.types import Document

EXAMPLES = Path(__file__).parents[2] / "examples"
TEXTS = (
    "abstract-archaeology",
    "abstract-biology",
    "abstract-economics",
    "abstract-theory",
    "blog",
    "long-paper",
    "news",
)
THESAURUS = (
    "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n"
    '<http://example.org/1> skos:prefLabel "mobile robots"@en ; skos:altLabel "delivery robots"@en .\n'
)
SENTENCES = 3  # of a document
DATASETS = ("inspec", "krapivin", "nus", "semeval", "duc")


def documents() -> list[Document]:
    """Sentences of the examples as documents, of which some phrases count as keyphrases."""
    text = " ".join((EXAMPLES / f"{name}.txt").read_text(encoding="utf-8") for name in TEXTS)
    sentences = [sentence.strip() for sentence in text.replace("\n", " ").split(". ") if len(sentence.split()) > 5]
    groups = [sentences[at : at + SENTENCES] for at in range(0, len(sentences) - SENTENCES, SENTENCES)]
    bodies = [". ".join(group) + "." for group in groups]
    found = keyseq.load("textrank", top=4).predict(bodies)
    return [
        Document(
            id=str(number),
            title=" ".join(body.split()[:5]),
            body=" ".join(body.split()[5:]),
            keyphrases=(*(phrase.text for phrase in phrases[1:]), "field study"),
        )
        for number, (body, phrases) in enumerate(zip(bodies, found, strict=True))
    ]


def write_files(folder: Path) -> None:
    """Write all but the network."""
    made = documents()
    gold, valid, learning = made[:8], made[8:16], made[16:]
    shutil.copytree(EXAMPLES, folder / "examples")
    for name in ("paper.txt", "question.txt"):
        shutil.copy(EXAMPLES / name, folder)
    (folder / "token.txt").write_text("a-token-for-the-tests\n")
    (folder / "thesaurus.ttl").write_text(THESAURUS)
    (folder / "data" / "test").mkdir(parents=True)
    (folder / "data" / "valid").mkdir()
    for name in (
        "gold.jsonl",
        "corpus.jsonl",
        "corpus.jsonl.gz",
        "corpus.csv",
        *(f"data/test/{one}.jsonl" for one in DATASETS),
    ):
        write_documents(gold, folder / name)
    for name in ("valid.jsonl", *(f"data/valid/{one}.jsonl" for one in DATASETS)):
        write_documents(valid, folder / name)
    for name in (
        "train.jsonl",
        "papers.jsonl",
        "papers.jsonl.gz",
        "theses.csv",
        "raw.jsonl",
        "raw.jsonl.xz",
        "notes.jsonl",
    ):
        write_documents(learning, folder / name)
    corrections = [{"text": one.body, "rejected": ["people"], "added": ["field work"]} for one in learning[:10]]
    (folder / "corrections.jsonl").write_text("".join(json.dumps(one) + "\n" for one in corrections))
    for name in ("library.bib", "theirs.bib", "references.bib", "ours.jsonl"):
        write_documents(gold[:3], folder / name)
    with (folder / "library.bib").open("a", encoding="utf-8") as library:
        library.write("\n@misc{textless, author = {Lovelace, Ada}}\n")  # as every real library has them
    rows = "".join(f'{one.id},"{one.title}","{one.body}"\n' for one in gold if '"' not in one.text)
    (folder / "papers.csv").write_text(f"Id,Name,Summary\n{rows}")
    _write_papers(folder)
    _write_predictions(folder, gold)


def _write_papers(folder: Path) -> None:
    """A paper as PDF, and a folder of papers in several formats."""
    WRITERS["pdf"][1](folder / "paper.pdf", SAMPLES[0])
    (folder / "papers").mkdir()
    for paper, kind in zip(SAMPLES[1:], ("docx", "html", "jats"), strict=False):
        suffix, write = WRITERS[kind]
        write(folder / "papers" / f"{paper.name}{suffix}", paper)
    shutil.copy(Path(__file__).parents[2] / "docs" / "images" / "key.svg", folder / "papers")


def _write_predictions(folder: Path, gold: list[Document]) -> None:
    for name, system in {"baseline": "firstphrases", "mine": "textrank", "a": "tfidf", "b": "singlerank"}.items():
        found = [[phrase.text for phrase in phrases] for phrases in keyseq.load(system, top=5).predict(gold)]
        lines = [json.dumps({"id": one.id, "keyphrases": phrases}) for one, phrases in zip(gold, found, strict=True)]
        (folder / f"{name}.jsonl").write_text("\n".join(lines) + "\n")
    (folder / "mine.txt").write_text("\n".join("; ".join(phrases) for phrases in found) + "\n")
    sequences = [json.dumps({"pred_sents": [phrase.split() for phrase in phrases]}) for phrases in found]
    (folder / "catseq.pred").write_text("\n".join(sequences) + "\n")


def write_network(folder: Path, corpora: Path) -> None:
    """A run of two steps, runs/catseqd, and what it exports to, catseqd."""
    run, files = folder / "runs" / "catseqd", ["--train", corpora / "train.jsonl", "--valid", corpora / "valid.jsonl"]
    few = ["--set", "training.steps=2", "--set", "training.validate_documents=4"]
    for command in (["train", "tiny", *files, "--out", run, *few], ["export", run, folder / "catseqd"]):
        subprocess.run([sys.executable, "-m", "keyseq", *map(str, command)], check=True, capture_output=True)
