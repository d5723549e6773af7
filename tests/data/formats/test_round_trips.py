"""Every format that can be written: what it does not declare to lose comes back as it was."""

import tempfile
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from keyseq.data.formats import FORMATS, read_documents, write_documents
from keyseq.errors import DataError
from keyseq.types import Document

NAMES = {
    "jsonl": "a.jsonl",
    "midas": "a.jsonl.gz",
    "csv": "a.csv",
    "tsv": "a.tsv.zst",
    "pairs": "a.src",
    "keyword-extractor": "a.zip",
    "bibtex": "a.bib",
    "ris": "a.ris.xz",
    "folder": "a",
}
HOLD_SEMICOLONS = {"jsonl", "midas", "keyword-extractor", "bibtex"}

# what means something in one of the formats, among ordinary letters
MARKS = "ab é漢 \n\t\"'`-–?!\\{}()%&$#_~^,;:@=|<>*/.[]\u2028\xa0"
characters = st.one_of(st.sampled_from(MARKS), st.characters(exclude_categories=["Cs", "Cc"]))
texts = st.text(characters, min_size=1, max_size=25)
shown = texts.filter(str.strip)
ids = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=20)
phrases = st.lists(st.text(characters, max_size=12), max_size=4).map(tuple)


@st.composite
def corpora(draw):
    names = draw(st.lists(ids, min_size=1, max_size=3, unique_by=lambda name: name.lower()))
    return [draw(document(name)) for name in names]


@st.composite
def document(draw, name):
    title, body = draw(st.one_of(st.just(""), shown)), draw(shown)
    return Document(id=name, title=title, body=body, keyphrases=draw(st.one_of(st.none(), phrases)))


def left_of(documents, format):
    """What is left of documents that went through a format, by what it declares to lose."""
    loses = FORMATS[format].loses
    left = [_left_of(document, number, loses) for number, document in enumerate(documents, start=1)]
    return sorted(left, key=lambda document: document.id)


def _left_of(document, number, loses):
    number = str(number) if "ids" in loses else document.id
    name = unquote(number) if "ids with spaces or marks" in loses else number
    title, body, keyphrases = document.title, document.body, document.keyphrases
    if "separate titles" in loses:
        title, body = "", _single(f"{title} {body}").replace(" . ", " ")
    if "line breaks and runs of spaces" in loses:
        name, title, body = map(_single, (name, title, body))
    if {"line breaks and runs of spaces", "spaces around keyphrases"} & set(loses):
        keyphrases = keyphrases and tuple(map(_single, keyphrases))
    if "empty keyphrases" in loses:
        keyphrases = keyphrases and tuple(filter(None, keyphrases))
    if "the order of keyphrases" in loses:
        keyphrases = keyphrases and tuple(sorted(keyphrases))
    if "whether keyphrases are known" in loses:
        keyphrases = keyphrases or ()
    if "keyphrases" in loses:
        keyphrases = None
    return Document(id=name, title=title, body=body, keyphrases=keyphrases)


def _single(text):
    return " ".join(text.split())


@pytest.mark.parametrize("format", NAMES)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
@given(corpus=corpora())
@example(corpus=[Document(id="1", title="A", body="b <eos> c", keyphrases=("x", "y"))])
@example(corpus=[Document(id="1", body="b <eos> c", keyphrases=())])
@example(corpus=[Document(id="../x", body="@article{a, title={b}}\n@comment (x", keyphrases=("a, b", "ER  - "))])
@example(corpus=[Document(id="x", body="ER  - \nTY  - JOUR\nTI  - x", keyphrases=("KW  - a",))])
def test_nothing_is_lost_but_what_the_format_declares(format, corpus):
    if format not in HOLD_SEMICOLONS:
        corpus = [replace(document, keyphrases=_without_semicolons(document.keyphrases)) for document in corpus]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / NAMES[format]
        assert write_documents(corpus, path, format) == len(corpus)
        back = list(read_documents(path, format=format))
    assert left_of(back, format) == left_of(corpus, format)


def _without_semicolons(keyphrases):
    return keyphrases and tuple(phrase.replace(";", "") for phrase in keyphrases)


@pytest.mark.parametrize("format", [name for name in NAMES if name not in {*HOLD_SEMICOLONS, "folder"}])
def test_a_keyphrase_that_would_come_back_as_two_is_refused(format, tmp_path):
    corpus = [Document(id="7", body="b", keyphrases=("a;b",))]
    with pytest.raises(DataError, match=r"document '7': .*'a;b'"):
        write_documents(corpus, tmp_path / NAMES[format], format)
    assert list(tmp_path.iterdir()) == []


def test_every_format_with_a_writer_is_tried():
    apart = {"txt", "annif-folder", "annif-tsv"}  # test_annif.py tries the last two with subjects
    assert set(NAMES) | apart == {name for name in FORMATS if FORMATS[name].write}


def test_a_text_file_holds_one_document_and_says_so(tmp_path):
    path = tmp_path / "a.txt"
    write_documents([Document(id="1", title="T", body="b")], path)
    assert list(read_documents(path)) == [Document(id="a", body="T\n\nb")]
