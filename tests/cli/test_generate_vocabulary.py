"""`keyseq generate --vocabulary` and `keyseq vocabulary compile` in processes of their own."""

import csv
import json

import pytest
from tests.cli.test_generate import keyseq
from tests.systems.tiny_combined import TEXT, train_tiny
from tests.vocabularies.thesauri import FILES, PREFIX, write

THESAURUS = f"""{PREFIX}
ex:speech a skos:Concept ; skos:prefLabel "speech recognition"@en ; skos:altLabel "voice recognition"@en ;
    skos:related ex:robots .
ex:robots a skos:Concept ; skos:prefLabel "robots"@en ; skos:altLabel "social robots"@en .
ex:law a skos:Concept ; skos:prefLabel "case law"@en .
"""


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    return train_tiny(tmp_path_factory.mktemp("tiny"))


@pytest.fixture
def terms(tmp_path):
    return write(tmp_path, "care.ttl", THESAURUS)


def told(*arguments, stdin=TEXT):
    done = keyseq(*arguments, stdin=stdin)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode(), done.stderr.decode()


def refused(*arguments, stdin=TEXT):
    done = keyseq(*arguments, stdin=stdin)
    assert done.returncode == 2
    assert done.stderr.decode().count("\n") == 1, done.stderr.decode()
    return done.stderr.decode()


def test_text_shows_preferred_labels_and_explain_the_rest(tiny, terms):
    plain = told("generate", "--system", tiny, "--vocabulary", terms)[0].splitlines()
    explained = told("generate", "--system", tiny, "--vocabulary", terms, "--explain")[0].splitlines()
    assert plain[0].split()[1:3] == ["speech", "recognition"]
    assert explained[::2] == plain
    assert explained[1].strip().split(" · ")[:3] == [
        "http://example.org/speech",
        'found as "voice recognition", alternative label',
        "related to robots",
    ]


def test_json_and_csv_have_the_concept(tiny, terms):
    [phrase, *_] = json.loads(told("generate", "--system", tiny, "--vocabulary", terms, "--json")[0])["keyphrases"]
    assert (phrase["text"], phrase["uri"], phrase["matched"], phrase["new"]) == (
        "speech recognition",
        "http://example.org/speech",
        "voice recognition",
        False,
    )
    [row, *_] = csv.DictReader(
        told("generate", "--system", tiny, "--vocabulary", terms, "--format", "csv")[0].splitlines()
    )
    assert (row["keyphrase"], row["uri"], row["matched"]) == (phrase["text"], phrase["uri"], phrase["matched"])
    assert row["new"] == "false"


def test_new_terms_are_marked_in_the_text(tiny, terms):
    lines = told("generate", "--system", tiny, "--vocabulary", terms, "--also-new")[0].splitlines()
    assert any(line.endswith("not in the vocabulary") for line in lines)
    [concept] = [line for line in lines if "speech recognition" in line]
    assert not concept.endswith("not in the vocabulary")


@pytest.mark.parametrize("name", ["list.txt", "list.tsv"])
def test_an_allow_list_of_a_combined_system_is_a_vocabulary(name, tiny, tmp_path):
    write(tmp_path, name, "speech technology\tvoice recognition\ncase law\n")
    found = json.loads(told("generate", "--system", tiny, "--allow-list", tmp_path / name, "--json")[0])["keyphrases"]
    assert [(phrase["text"], phrase["matched"]) for phrase in found] == [("speech technology", "voice recognition")]


def test_a_text_that_fits_no_term_gets_none(tiny, tmp_path):
    write(tmp_path, "law.txt", "case law\nlaw courts\n")
    assert told("generate", "--system", tiny, "--vocabulary", tmp_path / "law.txt")[0] == "no keyphrases\n"


def test_a_compiled_vocabulary_gives_the_same(tiny, terms):
    made, noted = told("vocabulary", "compile", terms)
    compiled = terms.with_suffix(".vocabulary")
    assert made == f"{compiled}: concepts: 3, labels: 5 (en 5), relations: 1\n"
    assert noted == ""
    flags = ("--system", tiny, "--json", "--explain")
    assert told("generate", "--vocabulary", terms, *flags)[0] == told("generate", "--vocabulary", compiled, *flags)[0]


def test_compiling_says_what_a_file_holds_and_what_is_wrong_with_it(tmp_path):
    path = write(tmp_path, "terms.ttl", FILES["terms.ttl"] + "ex:vehicles skos:broader ex:cars .\n")
    made, noted = told("vocabulary", "compile", path, "--out", tmp_path / "a.vocabulary", "--json")
    assert json.loads(made) == {
        "out": str(tmp_path / "a.vocabulary"),
        "concepts": 3,
        "labels": 9,
        "languages": {"en": 6, "de": 3},
        "relations": 2,
    }
    assert "its broader relations are cyclic" in noted


def test_remarks_on_a_vocabulary_are_told_with_the_phrases(tiny, tmp_path):
    path = write(tmp_path, "terms.ttl", THESAURUS + "ex:law skos:broader ex:nothing .\n")
    _, noted = told("generate", "--system", tiny, "--vocabulary", path)
    assert (
        "ignored: relations to concepts that it does not have (1, the first to 'http://example.org/nothing')" in noted
    )


def test_a_list_in_another_language_is_told(tiny, tmp_path):
    words = ["Spracherkennung", "Mensch", "Roboter", "Verkehrsplanung", "Fahrrad", "Ampel", "Innenstadt", "Haushalt"]
    write(tmp_path, "worte.txt", "".join(f"{one} {other}\n" for one in words for other in words))
    _, noted = told("generate", "--system", tiny, "--vocabulary", tmp_path / "worte.txt")
    assert "worte.txt: few of the words of its labels are English, which texts are taken to be in" in noted


def test_a_text_in_another_language_is_told(tiny, terms):
    german = (
        "Ein sozialer Roboter versteht gesprochene Befehle durch Spracherkennung. Ältere Menschen verwenden diese " * 3
    )
    _, noted = told("generate", "--system", tiny, "--vocabulary", terms, stdin=german)
    assert noted == "the text is not in English, the language of the labels to be matched\n"


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (("--vocabulary", "none.ttl"), "keyseq: none.ttl: no such file"),
        (("--vocabulary", "{terms}", "--allow-list", "{terms}"), "--vocabulary and --allow-list exclude each other"),
        (("--vocabulary", "{terms}", "--system", "textrank"), "keyseq: textrank has no setting 'vocabulary'"),
        (("--vocabulary", "{terms}", "--system", "scholar-network"), "a network takes --allow-list"),
        (("--vocabulary", "{terms}", "--system", "./nowhere"), "keyseq: ./nowhere: neither a folder nor a hub id"),
        (("--also-new",), "keyseq: also_new adds phrases that a vocabulary lacks"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused_in_one_sentence(flags, message, terms):
    assert message in refused("generate", *(flag.format(terms=terms) for flag in flags))


def test_a_broken_thesaurus_is_refused_with_its_line(tmp_path):
    path = write(tmp_path, "broken.ttl", f'{PREFIX}ex:a skos:prefLabel "a"@en\nex:b')
    assert f"keyseq: {path}:4: broken Turtle" in refused("generate", "--vocabulary", path)
    assert f"keyseq: {path}:4: broken Turtle" in refused("vocabulary", "compile", path)
    assert not path.with_suffix(".vocabulary").exists()


def test_parts_have_concepts_too(tiny, terms, tmp_path):
    (tmp_path / "a.txt").write_text(TEXT)
    told(
        "generate",
        tmp_path / "a.txt",
        "--system",
        tiny,
        "--vocabulary",
        terms,
        "--workers",
        1,
        "--out",
        tmp_path / "out",
    )
    [part] = (tmp_path / "out").glob("part-*.jsonl")
    [phrase, *_] = json.loads(part.read_text())["keyphrases"]
    assert phrase["uri"] == "http://example.org/speech"
