"""The default system and texts in several languages: which system answers, and that the answer says so."""

import json
import pickle
import shutil

import pytest
from tests.systems.tiny_combined import TEXT, package_tiny
from typer.testing import CliRunner

import keyseq
from keyseq.cli import app
from keyseq.data.formats import write_documents
from keyseq.errors import KeyseqError
from keyseq.languages import ANY
from keyseq.serving.answers import Answering
from keyseq.systems import auto, language_systems
from keyseq.systems.auto import AutoSystem
from keyseq.systems.combined import read_parts, read_settings, write_parts
from keyseq.text.analyzer import Analyzer
from keyseq.text.detection import detect
from keyseq.text.selection import Selection
from keyseq.types import SCORE_DIGITS, Document

GERMAN = "Die Stadtwerke bauen einen Wärmespeicher. Im Wärmespeicher wird die Abwärme der Industrie gehalten."
FRENCH = "Le parc éolien fournit de l'électricité aux ménages. Le parc éolien est construit en mer du Nord."
UKRAINIAN = "Вітрові електростанції виробляють електроенергію. Електростанції будують на узбережжі."
HINGLISH = "mujhe yeh film bahut pasand aayi lekin gaane theek nahi lage"


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    """The systems of the package as tiny ones, with one for French and one for any language."""
    folder = package_tiny(tmp_path_factory.mktemp("languages"))
    shutil.copytree(folder / "scholar", folder / "news")
    for name, analyzer in (("french", Analyzer.for_language("fr")), ("multilingual", Analyzer(ANY, "", "", ""))):
        shutil.copytree(folder / "scholar", folder / name)
        parts = read_parts(folder / "scholar")._replace(analyzer=analyzer)
        write_parts(folder / name, parts, read_settings(folder / "scholar"))
    return folder


@pytest.fixture
def package(tiny, monkeypatch):
    language_systems.system_for.cache_clear()
    for module in (auto, language_systems):
        monkeypatch.setattr(module, "PRETRAINED", tiny)
    yield tiny
    language_systems.system_for.cache_clear()


@pytest.fixture
def without_trained(package, monkeypatch, tmp_path):  # noqa: ARG001  # the English ones are there
    monkeypatch.setattr(language_systems, "PRETRAINED", tmp_path)
    language_systems.system_for.cache_clear()


def origins(predicted):
    return [(phrases[0].evidence.system, phrases[0].evidence.language) for phrases in predicted]


@pytest.mark.usefixtures("package")
def test_a_mixed_batch_is_routed_text_by_text():
    found = AutoSystem().predict([GERMAN, TEXT, FRENCH, UKRAINIAN])
    assert origins(found) == [("multilingual", "de"), ("general", "en"), ("french", "fr"), ("multilingual", "uk")]
    assert {phrase.text for phrase in found[0]} & {"Wärmespeicher", "Abwärme", "Stadtwerke"}


@pytest.mark.usefixtures("without_trained")
def test_without_such_systems_a_ranker_answers_under_the_same_settings():
    [phrases] = AutoSystem().predict([GERMAN])
    assert origins([phrases]) == [("textrank", "de")]
    assert phrases[0].text == "Wärmespeicher"
    assert phrases[0].evidence.occurrences == 2
    assert len(AutoSystem().with_settings(top=1).predict([GERMAN])[0]) == 1
    assert "Wärmespeicher" not in [one.text for one in keyseq.generate(GERMAN, deny=["Wärmespeichers"])]
    assert AutoSystem().with_settings(present=False).predict([GERMAN]) == [[]]


@pytest.mark.usefixtures("package")
@pytest.mark.parametrize("text", ["graph mining", "Deep learning for proteins", "", "12 34", "ᚠᚢᚦᚨᚱᚲ", HINGLISH])
def test_what_cannot_be_told_goes_where_it_went(text):
    assert AutoSystem().route(Document(id="1", body=text)).language == "en"


@pytest.mark.usefixtures("package")
def test_of_a_mixed_text_the_language_of_most_of_it_counts():
    route = AutoSystem().route(Document(id="1", body=f"{GERMAN * 6} In this article we describe the heat storage."))
    assert route == ("multilingual", "de")


@pytest.mark.usefixtures("package")
def test_a_language_that_is_named_overrides_what_is_detected():
    system = AutoSystem().with_settings(language="fr")
    assert origins(system.predict([GERMAN])) == [("french", "fr")]
    assert AutoSystem().with_settings(language="en").route(Document(id="1", body=GERMAN)).language == "en"
    assert pickle.loads(pickle.dumps(keyseq.load(language="fr"))).settings.language == "fr"


def test_a_system_of_one_language_refuses_another_and_an_unknown_one_is_told():
    with pytest.raises(KeyseqError, match=r"^scholar is for texts in English, not in German; leave the language"):
        keyseq.load("scholar", language="de")
    with pytest.raises(KeyseqError, match="unknown language 'xx'"):
        keyseq.load(language="xx")


@pytest.mark.usefixtures("package")
def test_a_vocabulary_is_asked_in_the_languages_it_has_labels_in(tmp_path):
    rows = "uri\tlabel_en\tlabel_de\nex:1\theat storage\tWärmespeicher\n"
    (tmp_path / "terms.tsv").write_text(rows, encoding="utf-8")
    system = AutoSystem().with_settings(vocabulary=str(tmp_path / "terms.tsv"), min_score=1e-6, top=5)
    assert system.route(Document(id="1", body=GERMAN)).language == "de"
    assert system.route(Document(id="1", body=FRENCH)).language == "en"  # as ever
    [[phrase]] = system.predict([GERMAN])
    assert (phrase.text, phrase.uri) == ("Wärmespeicher", "ex:1")


def test_a_system_for_any_language_detects_that_of_each_text(package):
    system = keyseq.load(str(package / "multilingual"))
    found = system.predict([GERMAN, FRENCH])
    assert [phrases[0].evidence.language for phrases in found] == ["de", "fr"]
    assert system.with_settings(language="fr").with_settings(language="de").analyzer.language == "de"
    with pytest.raises(KeyseqError, match="name that of the texts"):
        system.with_settings(allow=("Wärmespeicher",))


@pytest.mark.usefixtures("package")
def test_the_command_says_once_a_language_where_no_system_was_trained(tmp_path):
    corpus = tmp_path / "corpus.jsonl"
    texts = [GERMAN, FRENCH, GERMAN, TEXT]
    write_documents((Document(id=str(at), body=text) for at, text in enumerate(texts)), corpus)
    done = CliRunner().invoke(app, ["generate", str(corpus), "--json"])
    assert done.exit_code == 0, done.output
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert [one["language"] for one in told] == ["de", "fr", "de", "en"]
    assert [one["system"] for one in told] == ["multilingual", "french", "multilingual", "general"]
    system, *notes = done.stderr.splitlines()
    assert system == "system: multilingual, German (2), french, French (1), general (1)"
    assert notes == ["no system is trained for German; multilingual, learnt from other languages, answered"]
    assert [one["language_confidence"] for one in told] == [
        round(detect(text).confidence, SCORE_DIGITS) for text in texts
    ]
    named = CliRunner().invoke(app, ["generate", str(corpus), "--json", "--language", "de"])
    assert "language_confidence" not in named.stdout
    assert {json.loads(line)["language"] for line in named.stdout.splitlines()} == {"de"}


@pytest.mark.usefixtures("package")
def test_the_command_says_how_sure_the_language_of_a_text_is(tmp_path):
    (tmp_path / "text.txt").write_text(FRENCH, encoding="utf-8")
    sure = int(100 * detect(FRENCH).confidence)
    detected = CliRunner().invoke(app, ["generate", str(tmp_path / "text.txt")])
    assert f"system: french, French ({sure} % sure)\n" in detected.stderr
    named = CliRunner().invoke(app, ["generate", str(tmp_path / "text.txt"), "--language", "fr"])
    assert "system: french, French\n" in named.stderr


@pytest.mark.usefixtures("package")
def test_an_answer_over_http_has_language_and_note():
    document = Document(id="1", body=GERMAN)
    [phrases] = AutoSystem().predict([document])
    answer = Answering("auto", Selection(), explain=False).document(document, phrases).model_dump(exclude_unset=True)
    assert (answer["language"], answer["system"]) == ("de", "multilingual")
    assert 0.9 < answer["language_confidence"] <= 1
    assert answer["note"].startswith("no system is trained for German")
    [phrases] = AutoSystem().with_settings(language="de").predict([document])
    answer = Answering("auto", Selection(), explain=False).document(document, phrases).model_dump(exclude_unset=True)
    assert "language_confidence" not in answer


def test_a_note_names_the_extra_of_a_language_whose_words_are_missing(monkeypatch):
    monkeypatch.setattr("keyseq.languages._is_installed", lambda package: not package)
    assert language_systems.remark("multilingual", "zh").endswith("pip install 'keyseq[cjk]'")
    assert language_systems.remark("french", "fr") == ""


def test_a_note_says_that_the_words_of_a_language_are_not_known():
    assert "reads words as the text separates them" in language_systems.remark("multilingual", "th")
    assert "separates" not in language_systems.remark("multilingual", "de")


@pytest.mark.usefixtures("package")
def test_generated_phrases_say_their_language_and_how_sure_it_is():
    found = keyseq.generate(FRENCH, system=AutoSystem())
    assert (found.language, found.system) == ("fr", "french")
    assert found.language_confidence == round(detect(FRENCH).confidence, SCORE_DIGITS)
    named = AutoSystem().with_settings(language="fr")
    assert keyseq.generate(FRENCH, system=named).language_confidence is None


@pytest.mark.usefixtures("package")
def test_of_a_text_whose_language_cannot_be_told_no_confidence_is_given():
    for text in ("ᚠᚢᚦᚨᚱᚲ", HINGLISH):
        found = keyseq.generate(text, system=AutoSystem())
        assert (found.language, found.language_confidence) == ("", None)
        answer = Answering("auto", Selection(), explain=False).document(found.document, found)
        assert answer.note == "no language was recognised; the text is read as English, and single words are ranked"
