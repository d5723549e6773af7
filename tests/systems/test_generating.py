"""keyseq.generate: one call for one text or for many."""

import pickle
from pathlib import Path

import pytest
from tests.systems.tiny_combined import train_tiny

import keyseq

TEXT = "Voice recognition for social robots. A social robot <follows> the spoken commands of older people."


def test_a_text_gives_its_phrases_and_texts_give_a_list_each():
    one = keyseq.generate(TEXT, "textrank", top=2)
    assert one == keyseq.load("textrank", top=2).predict([TEXT])[0]
    assert one.texts == [phrase.text for phrase in one]
    assert keyseq.generate([TEXT, "A short text."], "textrank", top=2)[0] == one
    assert keyseq.generate(iter([TEXT]), keyseq.load("textrank"), top=2) == [one]


def test_the_default_system_and_a_list_as_a_setting():
    assert "social robots" in keyseq.generate(TEXT).texts
    assert "social robots" not in keyseq.generate(TEXT, deny=["social robots"]).texts


def test_a_bad_value_and_an_unknown_setting_are_one_sentence():
    with pytest.raises(keyseq.KeyseqError, match=r"document 1 .* is None"):
        keyseq.generate([TEXT, None])
    with pytest.raises(keyseq.KeyseqError, match="auto has no setting 'tops'; did you mean 'top'"):
        keyseq.generate(TEXT, tops=3)


def test_what_is_no_system_is_one_sentence():
    with pytest.raises(keyseq.KeyseqError, match="a system is a name, a folder or one that is loaded, not an int"):
        keyseq.generate(TEXT, 3)


def test_a_system_may_be_a_path_and_nothing_else_than_a_name(tmp_path, monkeypatch):
    train_tiny(tmp_path)
    monkeypatch.chdir(tmp_path)
    expected = keyseq.load("./tiny", top=1).predict([TEXT])[0]
    for path in (tmp_path / "tiny", Path("tiny")):
        assert keyseq.load(path, top=1).predict([TEXT])[0][0].text == expected[0].text
        assert keyseq.generate(TEXT, path, top=1).texts == [expected[0].text]
    (tmp_path / "tiny").rename("scholar")
    assert keyseq.load(Path("scholar")).name == "./scholar", "a path is not taken for the name of a system"
    with pytest.raises(keyseq.KeyseqError, match="by its name or its folder, not by an int"):
        keyseq.load(7)


def test_finding_23_a_notebook_shows_the_text_highlighted_with_scores_and_evidence():
    phrases = keyseq.generate(TEXT, top=3)
    html = phrases._repr_html_()
    assert ">Voice recognition</mark>" in html
    assert "&lt;follows&gt;" in html, "the text is escaped"
    assert f"{phrases[0].score:.2f}" in html
    assert "in the text" in html, "evidence"
    assert pickle.loads(pickle.dumps(phrases)).document == phrases.document


def test_a_notebook_says_that_there_are_no_phrases():
    assert "no keyphrases" in keyseq.Keyphrases("A text.", [])._repr_html_()


def test_finding_23_public_names_complete_before_they_are_imported():
    assert {"load", "generate", "evaluate", "compare", "adapt", "read", "Document"} <= set(dir(keyseq))
    for name in dir(keyseq):
        assert getattr(keyseq, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'generat'"):
        keyseq.generat  # noqa: B018
