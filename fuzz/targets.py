"""Targets: each takes bytes that anybody may have sent, and fails only in keyseq's own words."""

import io
import json
import tempfile
from collections.abc import Callable
from pathlib import Path

from keyseq.config.bounded_toml import parse_toml
from keyseq.data.formats import CorpusReading
from keyseq.data.keyphrases import clean_keyphrases
from keyseq.errors import KeyseqError
from keyseq.evaluation.evaluator import evaluate
from keyseq.extractive.reading import Reading
from keyseq.runtime.graph_check import check_graph
from keyseq.runtime.graph_fields import NotOurs
from keyseq.text.presence import phrase_stems

FORMATS = (".jsonl", ".csv", ".tsv", ".bib", ".ris", ".txt", ".md", ".xml", ".html", ".json", ".tex", ".nbib")


def read(content: bytes) -> None:
    """Readers of corpora: the first byte chooses the format."""
    if not content:
        return
    suffix = FORMATS[content[0] % len(FORMATS)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"a{suffix}"
        path.write_bytes(content[1:])
        try:
            for _ in CorpusReading().documents(path):
                pass
        except KeyseqError:
            return


def tokenize(content: bytes) -> None:
    """Words, units and stems of a text."""
    Reading(content.decode("utf-8", "replace"))


def present(content: bytes) -> None:
    """The stems of a keyphrase, and its repair."""
    phrase = content.decode("utf-8", "replace")
    phrase_stems(phrase)
    clean_keyphrases([phrase], "Social robots follow spoken commands.", lambda _: None)


def score(content: bytes) -> None:
    """The evaluator: gold keyphrases above, predicted ones below."""
    gold, _, predicted = content.decode("utf-8", "replace").partition("\n\n")
    with tempfile.TemporaryDirectory() as folder:
        corpus, predictions = Path(folder) / "gold.jsonl", Path(folder) / "predicted.jsonl"
        corpus.write_text(json.dumps({"abstract": gold, "keyphrases": gold.splitlines()}) + "\n")
        predictions.write_text(json.dumps({"keyphrases": predicted.splitlines()}) + "\n")
        try:
            evaluate(corpus, predictions)
        except KeyseqError:
            return


def predictions(content: bytes) -> None:
    """The reader of predictions."""
    with tempfile.TemporaryDirectory() as folder:
        corpus, path = Path(folder) / "gold.jsonl", Path(folder) / "predicted.jsonl"
        corpus.write_text('{"abstract": "Social robots.", "keyphrases": ["robots"]}\n')
        path.write_bytes(content)
        try:
            evaluate(corpus, path)
        except KeyseqError:
            return


def graph(content: bytes) -> None:
    """The graph of a network."""
    try:
        check_graph(content, {}, "weights.safetensors")
    except NotOurs:
        return


def settings(content: bytes) -> None:
    """The settings of a folder."""
    try:
        parse_toml(content.decode("utf-8"))
    except ValueError:
        return


def body(content: bytes) -> None:
    """A line that a client streams."""
    from keyseq.serving.refusals import Refusal
    from keyseq.serving.strict_json import parse_text

    try:
        parse_text(io.BytesIO(content).read())
    except Refusal:
        return


TARGETS: dict[str, Callable[[bytes], None]] = {
    "read": read,
    "tokenize": tokenize,
    "present": present,
    "score": score,
    "predictions": predictions,
    "graph": graph,
    "settings": settings,
    "body": body,
}
