"""The default system: each text by the system for its kind."""

import pytest

import keyseq
from keyseq.systems import auto
from keyseq.systems.auto import AutoSystem
from keyseq.systems.combined import read_parts
from keyseq.types import Document

PAPER = Document(
    id="paper",
    title="Graph neural networks for traffic forecasting",
    body="We propose a graph neural network that predicts traffic flow. Experiments on two datasets show that the "
    "proposed method outperforms recurrent baselines and that spatial attention matters.",
)
QUESTION = "Why does my sourdough bread not rise? I fed the starter twice a day, and the dough stays flat."
NEWS = (
    "The city council voted on Tuesday to close two libraries. Residents protested outside the town hall, and the "
    "mayor said that the budget left no choice. The vote was 7 to 5, officials said."
)
GUIDE = (
    "To install the plugin, open the settings page and click Add. The new release brings faster builds, a dark theme "
    "and better support for containers. Read the guide to learn how to configure your first pipeline in five minutes."
)


@pytest.fixture(scope="module")
def system():
    return AutoSystem()


@pytest.mark.parametrize(
    ("text", "name"), [(PAPER, "scholar"), (QUESTION, "questions"), (NEWS, "news"), (GUIDE, "general")]
)
def test_the_text_itself_decides(system, text, name):
    assert system.choose([text]) == [name]
    [phrases] = system.predict([text])
    assert phrases
    assert {phrase.evidence.system for phrase in phrases} == {name}


def test_a_mixed_batch_keeps_its_order(system):
    together = system.predict([NEWS, PAPER, QUESTION])
    assert together == [system.predict([text])[0] for text in (NEWS, PAPER, QUESTION)]


def test_settings_reach_whichever_system_answers():
    few = keyseq.load(top=1)
    assert [len(phrases) for phrases in few.predict([PAPER, QUESTION, NEWS])] == [1, 1, 1]


def test_other_settings_need_no_loading(monkeypatch):
    read = []
    monkeypatch.setattr(auto, "read_parts", lambda folder: read.append(folder.name) or read_parts(folder))
    system = AutoSystem()
    for top in (1, 2, 3):
        [phrases] = system.with_settings(top=top).predict([PAPER])
        assert len(phrases) == top
    assert read == ["scholar"]


ODD = {
    "nothing": "",
    "spaces": " \n\t ",
    "numbers": "12 3456 78.9 2024-01-02 33 %",
    "marks": "!!! ??? ... ---",
    "stop words": "and the of it is",
    "code": "for (int i = 0; i < n; i++) { sum += a[i]; }",
}


@pytest.mark.parametrize("text", ODD.values(), ids=ODD)
def test_texts_without_phrases_get_none_or_words(system, text):
    [phrases] = system.predict([text])
    for phrase in phrases:
        assert any(map(str.isalpha, phrase.text))
        assert not set("<>{}=;") & set(phrase.text)


SHORT = {
    "a bare title": ("Deep learning for protein structure prediction", "protein structure"),
    "two words": ("graph mining", "graph mining"),
    "one word": ("robots", "robots"),
    "a tweet": ("Dockworkers strike closes the port of Rotterdam for a third day", "Rotterdam"),
}


@pytest.mark.parametrize(("text", "wanted"), SHORT.values(), ids=SHORT)
def test_short_texts_get_phrases_of_theirs_and_no_word_twice(system, text, wanted):
    [phrases] = system.predict([text])
    given = [phrase.text.lower() for phrase in phrases]
    assert any(wanted.lower() in phrase for phrase in given), given
    for phrase in given:
        words = phrase.split()
        assert len(words) == len(set(words))


def test_special_words_and_entities_are_never_shown(system):
    text = "TNF-&alpha; levels in 2019 and 2020 &amp; mortality of <digit> patients. Tumour necrosis factor counts."
    [phrases] = system.predict([text])
    assert not any("<" in phrase.text or "&" in phrase.text or "\\" in phrase.text for phrase in phrases)
