"""Controlled vocabularies over HTTP and on the page: named at the start, asked for by name."""

import subprocess
import sys

import pytest
from tests.serving.running import running
from tests.systems.tiny_combined import TEXT, train_tiny
from tests.vocabularies.thesauri import PREFIX

from keyseq.errors import KeyseqError
from keyseq.extractive.frequencies import SHIPPED
from keyseq.serving.loaded_systems import LoadedSystems
from keyseq.vocabularies.building import vocabulary_of_labels

THESAURUS = f"""{PREFIX}
ex:speech a skos:Concept ; skos:prefLabel "speech recognition"@en ; skos:altLabel "voice recognition"@en ;
    skos:related ex:robots .
ex:robots a skos:Concept ; skos:prefLabel "robots"@en ; skos:altLabel "social robots"@en .
ex:help a skos:Concept ; skos:prefLabel "assistive technology"@en .
ex:law a skos:Concept ; skos:prefLabel "case law"@en .
ex:use a skos:Concept ; skos:prefLabel "uses"@en ; skos:hiddenLabel "use"@en .
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("vocabularies")
    (folder / "thesaurus.ttl").write_text(THESAURUS)
    (folder / "law.txt").write_text("case law\nlaw courts\n")
    named = ("--vocabulary", f"care={folder / 'thesaurus.ttl'}", "--vocabulary", folder / "law.txt")
    with running(folder, train_tiny(folder), "textrank", *named) as server:
        yield server


def asked(server, **fields):
    answer = server.keyphrases({"text": TEXT, **fields})
    assert answer.status == 200, answer.error
    [document] = answer.json["documents"]
    return {phrase["text"]: phrase for phrase in document["keyphrases"]}


def test_a_server_lists_its_vocabularies_and_which_systems_take_them(server):
    told = server.ask("/v1/systems").json
    assert told["vocabularies"] == [
        {"name": "care", "concepts": 5, "languages": {"en": 8}},
        {"name": "law", "concepts": 2, "languages": {"": 2}},
    ]
    assert ["vocabulary" in system["settings"] for system in told["systems"]] == [True, False]


def test_an_answer_has_concepts_with_uri_preferred_and_matched_label(server):
    found = asked(server, vocabulary="care", top=5, min_score=0.01, explain=True)
    speech = found["speech recognition"]
    assert (speech["uri"], speech["matched"], speech["new"]) == (
        "http://example.org/speech",
        "voice recognition",
        False,
    )
    assert [TEXT[start:end].lower() for start, end in speech["spans"]] == ["voice recognition"] * 2
    assert (speech["evidence"]["label"], speech["evidence"]["related"]) == ("alternative", ["robots"])
    assert found["assistive technology"]["present"] is False
    assert "case law" not in found


def test_without_a_vocabulary_there_are_no_fields_of_concepts(server):
    [phrase, *_] = asked(server, explain=True).values()
    assert not {"uri", "matched", "new"} & set(phrase)
    assert not {"label", "related", "sharing"} & set(phrase["evidence"])


def test_a_text_that_fits_no_term_gets_none(server):
    assert asked(server, vocabulary="law") == {}
    assert asked(server, vocabulary="law", top=5) == {}


def test_new_terms_are_marked(server):
    found = asked(server, vocabulary="law", also_new=True, min_score=0.01)
    assert found
    assert all(phrase["new"] for phrase in found.values())


def test_a_low_minimum_score_reaches_the_system(server):
    usual, more = (asked(server, vocabulary="care", top=9, **least) for least in ({}, {"min_score": 0.0001}))
    assert set(usual) < set(more)


@pytest.mark.parametrize(
    ("fields", "place", "message"),
    [
        ({"vocabulary": "cares"}, "vocabulary", "unknown vocabulary 'cares'; did you mean 'care'?"),
        ({"vocabulary": "care", "allow": ["a"]}, "allow", "allow and vocabulary exclude each other; leave one out"),
        ({"also_new": True}, "also_new", "also_new adds phrases that a vocabulary lacks; name a vocabulary too"),
        ({"vocabulary": "care", "system": "textrank"}, "vocabulary", "textrank has no setting 'vocabulary'"),
    ],
)
def test_what_makes_no_sense_is_refused_with_its_place(server, fields, place, message):
    answer = server.keyphrases({"text": TEXT, **fields})
    assert (answer.status, answer.error["place"]) == (422, place)
    assert answer.error["message"].startswith(message)


def test_a_server_without_vocabularies_says_so():
    with pytest.raises(KeyseqError, match="unknown vocabulary 'a'; this server has none"):
        LoadedSystems(["general"]).resolve(None, {"vocabulary": "a"})


def test_two_vocabularies_of_one_name_are_refused(tmp_path):
    for suffix in ("txt", "tsv"):
        (tmp_path / f"a.{suffix}").write_text("cats\n")
    command = [sys.executable, "-m", "keyseq", "serve", "--port", "0", "textrank"]
    flags = [part for suffix in ("txt", "tsv") for part in ("--vocabulary", str(tmp_path / f"a.{suffix}"))]
    done = subprocess.run([*command, *flags], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert "two vocabularies are called a; write NAME=FILE for one of them" in done.stderr


def test_requests_with_one_vocabulary_share_a_batch():
    systems = LoadedSystems(["general"], {"list": vocabulary_of_labels(["cats"], "list")})
    first, second = (systems.resolve(None, {"vocabulary": "list", "top": 3})[0] for _ in range(2))
    assert first == second
    assert hash(first) == hash(second)


def test_the_page_offers_the_vocabularies_and_shows_concepts(visit, server):
    page = visit(origin=server.url)
    page.fill("#text", TEXT)
    page.wait_for_selector("body:not(.busy) .row")
    page.select_option("#vocabulary", "care")
    page.wait_for_selector('.phrase:has-text("speech recognition")')
    assert page.locator("#vocabulary option").all_text_contents() == ["any phrase", "care", "law"]
    assert "vocabulary=care" in page.url
    page.click('[aria-label="why? speech recognition"]')
    reasons = page.locator("#why-0-0 > li").all_text_contents()
    assert reasons[:3] == [
        "http://example.org/speech",
        "Found as “voice recognition”, alternative label",
        "Related to robots",
    ]
    marked = page.locator("#marks mark").evaluate_all("all => all.map((one) => one.textContent.toLowerCase())")
    assert marked.count("voice recognition") == 2
    page.select_option("#vocabulary", "law")
    page.wait_for_selector('#empty:has-text("No term of the vocabulary fits this text.")')
    page.locator("#also-new-field").click()
    page.wait_for_selector(".phrase .new")
    assert "also_new=true" in page.url


def test_a_server_without_vocabularies_shows_no_choice_of_them(visit, explaining):
    page = visit(origin=explaining.url)
    page.wait_for_selector("#system option", state="attached")
    assert page.locator("#vocabulary-field").is_hidden()
    assert page.locator("#also-new-field").is_hidden()


def test_a_server_can_give_a_system_a_vocabulary_by_name_which_a_request_replaces(tmp_path):
    folder = train_tiny(tmp_path)
    care = vocabulary_of_labels(["voice recognition", "robots"], "care")
    systems = LoadedSystems([str(folder)], {"care": care}, [f"{folder.name}.vocabulary=care"])
    [entry] = systems.entries()
    assert entry.defaults == {"vocabulary": "care"}
    assert dict(systems.resolve(None, {})[0].settings)["vocabulary"] is care
    assert "vocabulary" not in dict(systems.resolve(None, {"allow": ("robots",)})[0].settings)
    with pytest.raises(KeyseqError, match="unknown vocabulary 'law'; the only one is care"):
        LoadedSystems([str(folder)], {"care": care}, [f"{folder.name}.vocabulary=law"])


def test_a_path_among_the_settings_of_a_server_is_not_told():
    [entry] = LoadedSystems(["tfidf"], overrides=[f"tfidf.frequencies={SHIPPED}", "tfidf.top=3"]).entries()
    assert entry.defaults == {"top": 3}
