"""English as published and as it was; other languages by native examples: stems, stop words, presence."""

import pickle
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

import keyseq
from keyseq.errors import KeyseqError
from keyseq.evaluation import evaluate
from keyseq.text.analyzer import ENGLISH, Analyzer
from keyseq.text.presence import SourceText, StemmedText, phrase_stems
from keyseq.text.stem import stems_by_word
from keyseq.types import Document

TITLE = "Deep learning for the detection of plant diseases"
BODY = """\
Convolutional neural networks have been applied to the classification of leaf images. We compare transfer learning with
training from scratch on 54,306 images of 14 crops, and find that pre-trained networks generalise better to images taken
in the field. Data augmentation reduces overfitting. The Schrödinger equation isn't needed; Poincaré's lemma is."""

# The answers before there were analyzers for other languages
RANKED = {
    "tfidf": [("Schrödinger equation", 1.0), ("Poincaré", 0.697589), ("lemma", 0.628677)],
    "textrank": [
        ("Convolutional neural networks", 1.0),
        ("Deep learning", 0.926128),
        ("pre-trained networks", 0.642529),
    ],
    "singlerank": [
        ("pre-trained networks", 1.0),
        ("Convolutional neural networks", 0.998917),
        ("leaf images", 0.841592),
    ],
    "positionrank": [("Convolutional neural networks", 1.0), ("Deep learning", 0.941365)],
    "topicrank": [("leaf images", 1.0), ("training", 0.716698), ("plant diseases", 0.613883)],
    "multipartiterank": [("leaf images", 1.0), ("training", 0.712466), ("plant diseases", 0.647616)],
    "firstphrases": [("Deep learning", 1.0), ("detection", 0.943662), ("plant diseases", 0.915493)],
}
NOT_ENGLISH = (
    "Maschinelles Lernen hilft bei der Erkennung von Pflanzenkrankheiten. Neuronale Netze erkennen Krankheiten."
)
FORMER = ["Maschinelles Lernen hilft", "Netze erkennen Krankheiten", "Erkennung", "Pflanzenkrankheiten"]

SCORES = {
    "yuan2020": (0.5, "stem:nltk-porter|tokenizer:meng17|pad:no|avg:docs-with-targets|f1:mean-of-f1"),
    "meng2017": (0.466666667, "stem:nltk-porter|tokenizer:meng17|pad:yes|avg:all-docs|f1:mean-of-f1"),
    "chan2019": (0.533333333, "stem:nltk-porter|tokenizer:meng17|pad:yes|avg:all-docs|f1:f1-of-means"),
}
GOLD = [
    Document(
        id="1",
        title="Deep learning for plant diseases",
        body=BODY,
        keyphrases=(
            "convolutional neural network",
            "leaf image classification",
            "transfer learning",
            "data augmentation (DA)",
            "deep learning",
            "Schrödinger equations",
        ),
    ),
    Document(
        id="2",
        title="Graph ranking of words",
        body="We rank words of a text by random walks over graphs of neighbouring words.",
        keyphrases=("random walk", "graph-based ranking", "keyphrase extraction"),
    ),
]
PREDICTED = [
    ["deep learnings", "transfer learning", "leaf images", "overfitting", "Schrödinger equation", "crops"],
    ["random walks", "graph", "ranking", "keyphrase extraction", "words"],
]


@pytest.mark.parametrize(("system", "expected"), RANKED.items())
def test_english_rankings_are_what_they_were_before_there_were_other_languages(system, expected):
    [phrases] = keyseq.load(system).predict([f"{TITLE}\n\n{BODY}"])
    found = [(phrase.text, round(phrase.score, 6)) for phrase in phrases[: len(expected)]]
    assert found == expected


def test_a_text_in_another_language_that_nobody_named_is_read_as_before():
    [phrases] = keyseq.load("textrank").predict([NOT_ENGLISH])
    assert [phrase.text for phrase in phrases] == FORMER


@pytest.mark.parametrize(("protocol", "expected"), SCORES.items())
def test_english_scores_and_signatures_are_what_they_were(protocol, expected):
    score, rules = expected
    scores = evaluate(GOLD, PREDICTED, protocol=protocol)
    assert round(scores.aggregate("present.f1@5"), 9) == score
    assert scores.signature("present.f1@5") == (
        f"present.f1@5|protocol:{protocol}|{rules}|docs:2|data:documents:0e1acd97|keyseq:{keyseq.__version__}"
    )


def test_english_stems_are_those_of_the_published_tokenizer_and_of_unicode_beyond_ascii():
    text = "Running dogs' naïve Schrödinger equations, 1999; generically hopping"
    published = ["run", "dog", "'", "na", "ve", "schr", "dinger", "equat", ",", "<digit>", "gener", "hop"]
    whole = ["run", "dog", "'", "naïv", "schrödinger", "equat", ",", "<digit>", "gener", "hop"]
    assert ENGLISH.text_stems(text) == published
    assert ENGLISH.for_text(text).text_stems(text) == whole
    assert ENGLISH.for_text("ASCII alone") is ENGLISH


@pytest.mark.parametrize(
    ("language", "forms"),
    [
        ("de", "Netz Netze Netzen Netzes"),
        ("de", "Haus Häuser HAUSES"),
        ("de", "Straße Strasse Straßen"),
        ("fr", "réseau réseaux Réseaux"),
        ("fr", "neuronal neuronale neuronaux"),
        ("es", "clasificación clasificaciones"),
        ("es", "red redes"),
        ("pt", "doença doenças"),
        ("it", "malattia malattie"),
        ("nl", "netwerk netwerken"),
        ("ru", "сеть сети сетей Сетями"),
        ("ru", "нейронная нейронные нейронных"),
        ("pl", "sieć sieci"),
        ("fi", "verkko verkot verkon verkossa"),
        ("fi", "kasvi kasvien kasvit kasveissa"),
        ("sv", "nätverk nätverken"),
        ("da", "netværk netværket"),
        ("no", "nettverk nettverket"),
        ("cs", "sítě sítí"),
        ("tr", "ağ ağlar"),
        ("ar", "الشبكات شبكة"),
        ("hi", "किताब किताबें"),
    ],
)
def test_inflected_forms_of_a_word_have_one_stem(language, forms):
    assert len(set(Analyzer.for_language(language).text_stems(forms))) == 1


@pytest.mark.parametrize(
    ("language", "text", "phrase", "found"),
    [
        ("de", "Wir trainieren tiefer neuronaler Netze wegen.", "tiefes neuronales Netz", "tiefer neuronaler Netze"),
        ("fr", "L’analyse des réseaux neuronaux profonds", "réseau neuronal", "réseaux neuronaux"),
        ("es", "Entrenamos redes neuronales profundas.", "red neuronal", "redes neuronales"),
        ("ru", "Распознавание нейронными сетями", "нейронная сеть", "нейронными сетями"),
        ("fi", "Oppiminen syvässä neuroverkossa", "neuroverkko", "neuroverkossa"),
        ("zh", "我们训练神经网络。", "神经网络", "神经网络"),
    ],
)
def test_a_phrase_is_present_by_its_stems(language, text, phrase, found):
    analyzer = Analyzer.for_language(language)
    source = SourceText(text, analyzer)
    [(start, end)] = source.spans(phrase_stems(phrase, analyzer))
    assert text[start:end] == found
    assert phrase_stems(phrase, analyzer) in StemmedText.of(text, analyzer)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("de", "der weil für werden"),
        ("fr", "des nous parce aujourd'hui aujourd’hui"),
        ("es", "porque también está"),
        ("ru", "потому также который"),
        ("fi", "koska myös että"),
        ("zh", "我们 因为"),
    ],
)
def test_function_words_are_stop_words(language, words):
    assert set(words.split()) <= Analyzer.for_language(language).stop_words


def test_threads_that_meet_new_words_together_get_the_right_stems():
    words = [f"{first}{second}ungen" for first in "bdfghklmn" * 20 for second in ("ahn", "ohr", "ind")]
    stems_by_word.cache_clear()
    expected = Analyzer.for_language("de").stems(words)
    stems_by_word.cache_clear()
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    with ThreadPoolExecutor(8) as pool:
        assert all(found == expected for found in pool.map(Analyzer.for_language("de").stems, [words] * 16))
    sys.setswitchinterval(before)


def test_an_analyzer_goes_to_other_processes_by_its_names():
    german = Analyzer.for_language("de")
    assert pickle.loads(pickle.dumps(german)) == german


def test_only_english_has_a_tagger_yet():
    assert ENGLISH.tagger is not None
    assert Analyzer.for_language("de").tagger is None


def test_a_stemmer_that_there_is_not_is_told_with_the_list_of_the_known():
    wrong = Analyzer("de", "unicode", "snowball-klingon", "stopwordsiso")
    with pytest.raises(KeyseqError, match=r"unknown stemmer 'snowball-klingon'; choose one of nltk-porter, snowball-"):
        wrong.stems(["Haus"])


APART = ["Neural networks, 1998.", "", "a\0b", "naïve <digit> C++", " ", "λ-calculus, K\u212a"]


@pytest.mark.parametrize("tokenizer", ["meng17", "unicode", "turkish", "josa"])
@pytest.mark.parametrize("texts", [APART, APART[:3], ["\0\0", "\0"], [""], []])
def test_lines_of_stems_are_the_stems_of_each_text(tokenizer, texts):
    analyzer = ENGLISH.with_tokenizer(tokenizer)
    assert [line.split() for line in analyzer.stem_lines(texts)] == list(map(analyzer.text_stems, texts))
    assert all(line == " ".join(("", *line.split(), "")) for line in analyzer.stem_lines(texts))
