"""Vocabularies in every format, compiled ones, and files that are none."""

import gzip
import re
import sys
import time

import pytest
from tests.vocabularies.thesauri import EX, FILES, PREFIX, TURTLE, write

from keyseq.errors import KeyseqError
from keyseq.vocabularies.building import vocabulary_of_labels
from keyseq.vocabularies.concept import BROADER, NARROWER, RELATED
from keyseq.vocabularies.vocabulary_file import read_vocabulary, write_compiled


def described(vocabulary):
    """All that is known of each concept, by its URI."""
    names = [vocabulary.uris[number].removeprefix(EX) for number in range(len(vocabulary))]
    return {
        name: (
            {vocabulary.label(label) for label in range(*map(int, vocabulary.label_offsets[number : number + 2]))},
            {(int(kind), names[other]) for kind, other in zip(*vocabulary.related(number), strict=True)},
        )
        for number, name in enumerate(names)
    }


THESAURUS = {
    "vehicles": ({("vehicles", 0, "en"), ("Fahrzeuge", 0, "de")}, {(NARROWER, "cars")}),
    "cars": (
        {
            ("automobiles", 0, "en"),
            ("Autos", 0, "de"),
            ("motor cars", 1, "en"),
            ("cars", 1, "en"),
            ("automobils", 2, "en"),
        },
        {(BROADER, "vehicles"), (RELATED, "roads")},
    ),
    "roads": ({("roads", 0, "en"), ("Straßen", 0, "de")}, {(RELATED, "cars")}),
}


@pytest.mark.parametrize("name", FILES)
def test_every_format_says_the_same(name, tmp_path):
    vocabulary = read_vocabulary(write(tmp_path, name))
    assert described(vocabulary) == THESAURUS
    assert vocabulary.remarks == ()
    assert vocabulary.languages == {"en": 6, "de": 3}


def test_a_compressed_file_is_read_too(tmp_path):
    (tmp_path / "terms.ttl.gz").write_bytes(gzip.compress(TURTLE.encode()))
    assert described(read_vocabulary(tmp_path / "terms.ttl.gz")) == THESAURUS


def test_skos_is_known_by_its_beginning_under_another_name(tmp_path):
    assert described(read_vocabulary(write(tmp_path, "terms.txt", TURTLE))) == THESAURUS


def test_a_compiled_vocabulary_is_the_same(tmp_path):
    write_compiled(read_vocabulary(write(tmp_path, "terms.ttl")), tmp_path / "terms.vocabulary")
    again = read_vocabulary(tmp_path / "terms.vocabulary")
    assert described(again) == THESAURUS
    assert set(again.indexes) == {"en", "de"}
    assert again.preferred(again.concept_of(f"{EX}cars"), "de") == "Autos"


def test_a_compiled_vocabulary_needs_no_parser(tmp_path, monkeypatch):
    write_compiled(read_vocabulary(write(tmp_path, "terms.ttl")), tmp_path / "terms.vocabulary")
    monkeypatch.setitem(sys.modules, "pyoxigraph", None)
    assert len(read_vocabulary(tmp_path / "terms.vocabulary")) == 3
    with pytest.raises(KeyseqError, match=r"install it with pip install 'keyseq\[skos\]'"):
        read_vocabulary(write(tmp_path, "other.ttl", TURTLE))


def test_a_hundred_thousand_concepts_load_in_under_a_second(tmp_path):
    write_compiled(
        vocabulary_of_labels((f"term {n} of many" for n in range(100_000)), "many"), tmp_path / "a.vocabulary"
    )
    began = time.process_time()  # other work on the machine does not count
    vocabulary = read_vocabulary(tmp_path / "a.vocabulary")
    assert (len(vocabulary), vocabulary.preferred(77_777, "en")) == (100_000, "term 77777 of many")
    assert time.process_time() - began < 1


def test_a_vocabulary_that_has_not_changed_is_read_once(tmp_path):
    path = write(tmp_path, "terms.ttl")
    first = read_vocabulary(path)
    assert read_vocabulary(str(path)) is first
    path.write_text(TURTLE.replace("vehicles", "craft"))
    assert read_vocabulary(path) is not first


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("broken.ttl", f'{PREFIX}ex:a skos:prefLabel "a"@en\nex:b', r"broken.ttl:4: broken Turtle \(A dot is"),
        ("broken.rdf", "<?xml version='1.0'?><rdf:RDF", r"broken.rdf: broken RDF/XML \(.*\); repair it there"),
        ("broken.jsonld", '{"@context": ', r"broken.jsonld:1: broken JSON-LD"),
        ("web.jsonld", '{"@context": "http://example.org/c", "@id": "http://example.org/"}', "context is on the web"),
        ("none.ttl", f"{PREFIX}ex:a ex:name 'a' .", "none.ttl: holds no concept with a label"),
        ("empty.txt", "\n\n", "empty.txt: holds no terms"),
        ("empty.csv", "uri,label\n", "empty.csv: holds no concept with a label"),
        ("text.txt", f"fine\n{'a long sentence of prose ' * 20}\n", "text.txt:2: a label of 499 characters"),
        ("wide.tsv", "a\tb\tc\td\n", "wide.tsv:1: must be a URI and a label, or a label with, after tabs, alternative"),
        ("open.csv", 'uri,label\n"a,b\n', r"open.csv:2: broken CSV"),
        ("long.csv", "uri,label\na,b,c\n", "long.csv:2: has 3 cells where the header has 2"),
        ("paper.docx", "PK", "paper.docx: not recognised as a vocabulary by name or content"),
        ("bytes.txt", "a\0b", "bytes.txt: not a vocabulary: it holds binary data"),
        ("short.vocabulary", "abc", "short.vocabulary: not recognised as a vocabulary"),
    ],
)  # fmt: skip
def test_what_is_no_vocabulary_is_refused_in_one_sentence(name, content, message, tmp_path):
    with pytest.raises(KeyseqError, match=message) as error:
        read_vocabulary(write(tmp_path, name, content))
    assert "\n" not in str(error.value)


def test_bytes_that_are_no_text_are_refused(tmp_path):
    (tmp_path / "latin.txt").write_bytes("Straßen\n".encode("latin1"))
    with pytest.raises(KeyseqError, match=r"latin.txt: not a vocabulary: it must be UTF-8 text"):
        read_vocabulary(tmp_path / "latin.txt")


@pytest.mark.parametrize(("name", "reason"), [("nowhere.ttl", "no such file"), ("", "is a folder")])
def test_a_place_without_a_file_is_told(name, reason, tmp_path):
    with pytest.raises(KeyseqError, match=reason):
        read_vocabulary(tmp_path / name)


@pytest.mark.parametrize("cut", [40, 400, 900])
def test_a_damaged_compiled_vocabulary_is_refused(cut, tmp_path):
    path = tmp_path / "a.vocabulary"
    write_compiled(vocabulary_of_labels(["one", "two"], "a"), path)
    path.write_bytes(
        path.read_bytes()[:-cut] if cut < 900 else path.read_bytes().replace(b"index.en.keys", b"index.en.kays")
    )
    with pytest.raises(KeyseqError, match=re.escape(f"{path}: damaged, or compiled by another version")):
        read_vocabulary(path)


def test_a_compiled_vocabulary_has_a_name_of_its_own(tmp_path):
    with pytest.raises(KeyseqError, match=r"terms.ttl: a compiled vocabulary must be named …\.vocabulary"):
        write_compiled(vocabulary_of_labels(["one"], "a"), tmp_path / "terms.ttl")
