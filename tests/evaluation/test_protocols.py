"""The rules as data: complete, validated, and as the table of the docs says."""

import importlib.metadata
import re
from pathlib import Path

import pytest

from keyseq.errors import KeyseqError
from keyseq.evaluation import evaluate
from keyseq.evaluation.explanation import explain
from keyseq.evaluation.protocols import CHOICES, PROTOCOLS, RULES, find
from keyseq.types import Document

DOCS = Path(__file__).parents[2] / "docs" / "explanation" / "evaluation.md"


@pytest.mark.parametrize(
    ("rule", "yuan", "meng", "chan", "reason"),
    [
        ("precision", "predicted", "k", "k", "P@k divides by min(k, #pred), k, k"),
        ("documents", "with-targets", "all", "all", "who enters the average"),
        ("average", "mean-of-f1", "mean-of-f1", "f1-of-means", "Chan: harmonic mean of mean P and mean R"),
        ("one_word", "any", "first", "any", "Meng keeps only the first one-word prediction"),
        ("punctuation", ".,", "_,().'%", ".,", "marks that make a prediction invalid"),
        ("gold_duplicates", "keep", "keep", "drop", "targets with the same stems"),
        ("title", "period", "period", "space", "what stands between title and body"),
        ("empty_gold", "present", "present", "absent", "an empty keyphrase in the gold"),
    ],
)
def test_the_conventions_differ_as_published(rule, yuan, meng, chan, reason):
    assert tuple(getattr(PROTOCOLS[name], rule) for name in ("yuan2020", "meng2017", "chan2019")) == (
        yuan,
        meng,
        chan,
    ), reason


def test_an_override_shows_and_the_rest_stays():
    changed = find("chan2019", {"precision": "predicted", "title": "space"})
    assert changed.overrides == {"precision": "predicted"}
    assert {rule: getattr(changed, rule) for rule in RULES if rule != "precision"} == {
        rule: getattr(PROTOCOLS["chan2019"], rule) for rule in RULES if rule != "precision"
    }


@pytest.mark.parametrize(
    ("name", "overrides", "message"),
    [
        ("yuan", {}, "unknown protocol 'yuan'; did you mean 'yuan2020'?"),
        ("bleu", {}, "unknown protocol 'bleu'; there are yuan2020, meng2017, chan2019"),
        ("yuan2020", {"oneword": "first"}, "unknown rule 'oneword' of a protocol; did you mean 'one_word'?"),
        ("yuan2020", {"name": "mine"}, "unknown rule 'name'"),
        ("yuan2020", {"documents": "some"}, "documents is 'some'; choose one of with-targets, all"),
    ],
)
def test_a_mistake_is_told_with_the_choices(name, overrides, message):
    with pytest.raises(KeyseqError) as error:
        find(name, overrides)
    assert message in str(error.value)


def test_every_choice_of_every_rule_has_a_meaning_in_the_explanation():
    told = explain()
    for rule in RULES:
        assert re.search(rf"^- `{rule}`: ", told, re.MULTILINE)
    assert set(CHOICES) < set(RULES)


def test_the_docs_hold_the_tables_as_they_are_now():
    text = DOCS.read_text(encoding="utf-8")
    for block in explain().split("\n\n"):
        assert block.strip() in text, "docs/explanation/evaluation.md: put in the output of keyseq evaluate --explain"


def test_a_language_decides_on_tokenizer_and_stemmer_and_the_signature_says_so():
    german = find("yuan2020", {"language": "de"})
    assert (german.tokenizer, german.stemmer) == ("unicode", "snowball-german")
    assert german.overrides == {"language": "de"}
    assert find("yuan2020", {"language": "de", "stemmer": "none"}).overrides == {"language": "de", "stemmer": "none"}
    assert find("yuan2020", {"language": "en"}) == PROTOCOLS["yuan2020"]
    document = Document(id="1", body="Wir bauen hohe Häuser.", keyphrases=("hohes Haus",))
    scores = evaluate([document], [["Hohe Häuser"]], protocol=german, metrics=["present.f1@5"])
    version = importlib.metadata.version("snowballstemmer")
    assert scores.aggregate("present.f1@5") == 1
    assert f"|set:language=de|stem:snowball-german-{version}|tokenizer:unicode|" in scores.signature("present.f1@5")
    english = evaluate([document], [["Hohe Häuser"]], metrics=["absent.recall@10"])
    assert english.aggregate("absent.recall@10") == 0  # to Porter they are different words
