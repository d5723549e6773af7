"""Subject indexing as libraries report it: by hand, and beside scikit-learn's definitions, which Annif uses."""

import csv
import json

import numpy as np
import pytest
from sklearn.metrics import f1_score, precision_score, recall_score

from keyseq.errors import KeyseqError
from keyseq.evaluation import evaluate
from keyseq.evaluation.metrics import SUBJECT_INDEXING
from keyseq.evaluation.per_subject import write_per_subject
from keyseq.evaluation.significance import compare
from keyseq.evaluation.subject_table import SubjectTable
from keyseq.types import Document, Phrase
from keyseq.vocabularies.building import build_vocabulary
from keyseq.vocabularies.concept import ALTERNATIVE, Concept, ConceptLabel

EX = "http://example.org/"
GOLD = [("a", "b"), ("a",), ("c", "d"), ()]
PREDICTED = [["a", "x", "b"], ["b", "a"], [], ["a"]]


def documents(gold=GOLD):
    return [Document(id=str(n), body="text", keyphrases=names) for n, names in enumerate(gold)]


def scored(metrics=None, **options):
    return evaluate(documents(), PREDICTED, protocol="annif", metrics=metrics, processes=1, **options)


@pytest.mark.parametrize(
    ("metric", "expected", "reason"),
    [
        ("all.precision@m", (2 / 3 + 1 / 2 + 0 + 0) / 4, "all documents enter, the empty ones with 0"),
        ("all.recall@m", (1 + 1 + 0 + 0) / 4, "no gold: 0"),
        ("all.f1@m", (4 / 5 + 2 / 3 + 0 + 0) / 4, "the mean of the documents' F1"),
        ("all.precision@1", (1 + 0 + 0 + 0) / 4, "the first prediction alone"),
        ("all.ndcg@1", (1 + 0 + 0 + 1) / 4, "a document without gold has 1"),
        ("all.ndcg", ((1 + 1 / 2) / (1 + 1 / np.log2(3)) + 1 / np.log2(3) + 0 + 1) / 4, "hits at ranks 1 and 3; at 2"),
        ("all.micro-precision@m", 3 / 6, "3 of 6 assignments"),
        ("all.micro-recall@m", 3 / 5, "3 of 5 gold subjects"),
        ("all.micro-f1@m", 6 / 11, "their harmonic mean"),
        # a: TP 2, FP 1, FN 0; b: TP 1, FP 1; x: FP 1; c, d: FN 1
        ("all.subject-precision@m", (2 / 3 + 1 / 2 + 0 + 0 + 0) / 5, "five subjects occur"),
        ("all.subject-recall@m", (1 + 1 + 0 + 0 + 0) / 5, ""),
        ("all.subject-f1@m", (4 / 5 + 2 / 3) / 5, ""),
        ("all.weighted-f1@m", (2 * 4 / 5 + 1 * 2 / 3) / 5, "a has two of the five gold assignments, b, c and d one"),
        (
            "all.subject-recall@1",
            (1 / 2 + 0 + 0 + 0) / 4,
            "at 1, x is no subject, and b is predicted for the wrong one",
        ),
        ("predictions.count", 6 / 4, ""),
    ],
)
def test_scores_computed_by_hand(metric, expected, reason):
    assert scored([metric]).aggregate(metric) == pytest.approx(expected), reason


@pytest.mark.parametrize("seed", range(3))
def test_scores_are_those_of_scikit_learn_as_annif_calls_it(seed):
    chance = np.random.default_rng(seed)
    names = [f"s{number}" for number in range(12)]
    concepts = build_vocabulary([Concept(f"{EX}{name}", (ConceptLabel(name),)) for name in names], "terms")
    true = chance.random((30, 12)) < 0.2
    ranks = chance.permuted(np.tile(np.arange(1, 13), (30, 1)), axis=1) / 12
    ranks[chance.random((30, 12)) < 0.5] = 0
    gold = [tuple(names[number] for number in np.flatnonzero(row)) for row in true]
    predicted = [[names[number] for number in np.argsort(-row) if row[number]] for row in ranks]
    scores = evaluate(documents(gold), predicted, protocol="annif", vocabulary=concepts, processes=1)

    def top(limit):
        return (ranks >= np.sort(ranks, axis=1)[:, [-limit]]) & (ranks > 0)

    expected = {
        "all.f1@m": f1_score(true, ranks > 0, average="samples", zero_division=0),
        "all.f1@5": f1_score(true, top(5), average="samples", zero_division=0),
        "all.precision@3": precision_score(true, top(3), average="samples", zero_division=0),
        "all.recall@m": recall_score(true, ranks > 0, average="samples", zero_division=0),
        "all.subject-precision@m": precision_score(true, ranks > 0, average="macro", zero_division=0),
        "all.subject-f1@m": f1_score(true, ranks > 0, average="macro", zero_division=0),
        "all.weighted-recall@m": recall_score(true, ranks > 0, average="weighted", zero_division=0),
        "all.weighted-f1@m": f1_score(true, ranks > 0, average="weighted", zero_division=0),
        "all.micro-f1@m": f1_score(true, ranks > 0, average="micro", zero_division=0),
        "all.micro-precision@m": precision_score(true, ranks > 0, average="micro", zero_division=0),
    }
    assert {name: scores.aggregate(name) for name in expected} == pytest.approx(expected)
    for metric, limit in (("all.ndcg", None), ("all.ndcg@5", 5), ("all.ndcg@10", 10)):
        expected = [ndcg(set(names), ranked, limit) for names, ranked in zip(gold, predicted, strict=True)]
        assert scores.aggregate(metric) == pytest.approx(np.mean(expected))


def ndcg(gold, ranked, limit):
    """Annif's definition: both lists are cut at the limit, and a document without gold has 1."""

    def gain(hits):
        return sum(hit / np.log2(rank + 1) for rank, hit in enumerate(hits[:limit], start=1))

    return gain([name in gold for name in ranked]) / gain([1] * len(gold)) if gold else 1.0


def test_the_default_metrics_are_those_that_libraries_report():
    assert scored().metrics == SUBJECT_INDEXING


def vocabulary():
    return build_vocabulary(
        [
            Concept(f"{EX}cats", (ConceptLabel("cats"), ConceptLabel("felines", ALTERNATIVE))),
            Concept(f"{EX}dogs", (ConceptLabel("dogs"),)),
            Concept("", (ConceptLabel("birds"),)),
        ],
        "terms",
    )


@pytest.mark.parametrize(
    ("gold", "predicted", "terms", "expected", "reason"),
    [
        ({"subjects": (f"{EX}cats",)}, [("cats", f"{EX}cats")], None, 1, "both have URIs"),
        ({"subjects": (f"{EX}cats",)}, [("cats", None)], None, 0, "a label is no URI without a vocabulary"),
        ({"subjects": (f"{EX}cats",)}, [("Feline", None)], vocabulary(), 1, "any label is"),
        ({"keyphrases": ("Cats",)}, [("cats", f"{EX}cats")], None, 1, "labels are compared if gold has no URIs"),
        ({"keyphrases": ("felines",)}, [("x", f"{EX}cats")], vocabulary(), 1, "an alternative label and a URI"),
        ({"keyphrases": ("birds",)}, [("bird", None)], vocabulary(), 1, "a concept without a URI"),
        ({"keyphrases": ("trains",)}, [("Trains", None)], vocabulary(), 1, "what the vocabulary lacks is its own name"),
        ({"subjects": (f"{EX}Cats",)}, [("", f"{EX}cats")], None, 0, "case counts in URIs"),
    ],
)
def test_concepts_are_told_by_uris_and_labels(gold, predicted, terms, expected, reason):
    phrases = [[Phrase(text=text, score=1.0, present=False, uri=uri) for text, uri in predicted]]
    document = Document(id="1", body="b", **gold)
    scores = evaluate([document], phrases, protocol="annif", metrics=["all.f1@m"], vocabulary=terms)
    assert scores.aggregate("all.f1@m") == expected, reason


def test_a_signature_says_that_concepts_were_compared_and_what_subjects_are():
    plain, within = scored(), scored(vocabulary=vocabulary())
    assert "|protocol:annif|compare:concepts|pad:no|avg:all-docs|" in plain.signature("all.f1@5")
    assert "|compare:concepts|subjects:occurring|" in plain.signature("all.subject-f1@m")
    assert "|compare:concepts|subjects:vocabulary-of-3|" in within.signature("all.subject-f1@m")
    assert within.documents("all.subject-f1@m") == 4


def test_with_a_vocabulary_subjects_that_never_occur_count_too():
    document = Document(id="1", body="b", keyphrases=("cats",))
    metric = "all.subject-f1@m"
    assert evaluate([document], [["felines"]], protocol="annif", metrics=[metric]).aggregate(metric) == 0
    assert evaluate([document], [["felines"]], protocol="annif", metrics=[metric], vocabulary=vocabulary()).aggregate(
        metric
    ) == pytest.approx(1 / 3)


def test_averages_over_subjects_work_for_stems_too_and_have_no_intervals():
    scores = evaluate(
        [Document(id="1", body="networks", keyphrases=("neural network",))],
        [["Neural networks"]],
        metrics=["all.subject-f1@m", "all.micro-f1@m"],
    )
    assert (scores.aggregate("all.subject-f1@m"), scores.aggregate("all.micro-f1@m")) == (1, 1)
    with pytest.raises(KeyseqError, match="averaged over subjects, for which documents are not resampled"):
        compare({"a": scores}, ["all.subject-f1@m"])
    interval = compare({"a": scores}, ["all.micro-f1@m"]).results[0].interval
    assert (interval.low, interval.high) == (1, 1)


@pytest.mark.parametrize("name", ["s.tsv", "s.csv", "s.jsonl"])
def test_scores_per_subject_are_written_with_the_labels_of_uris(name, tmp_path):
    gold = [
        Document(id="1", body="b", keyphrases=("cats", "dogs")),
        Document(id="2", body="b", keyphrases=("felines",)),
    ]
    scores = evaluate(gold, [["cats", "mice"], ["dogs"]], protocol="annif", vocabulary=vocabulary(), processes=1)
    write_per_subject({"mine": scores}, tmp_path / name)
    with (tmp_path / name).open() as file:
        if name.endswith("jsonl"):
            rows = [json.loads(line) for line in file]
        else:
            rows = list(csv.DictReader(file, delimiter="\t" if name.endswith("tsv") else ","))
    shown = [tuple(str(row[column]) for column in ("subject", "label", "support", "true_positives")) for row in rows]
    assert shown == [(f"{EX}cats", "cats", "2", "1"), (f"{EX}dogs", "dogs", "1", "0"), ("mice", "", "0", "0")]
    assert [float(row["f1"]) for row in rows] == pytest.approx([2 / 3, 0, 0])
    assert [int(row["false_positives"]) for row in rows] == [0, 1, 1]


def test_a_cut_at_as_many_as_gold_is_each_documents_own():
    table = SubjectTable.of([(["a", "b"], ["x", "a", "b"]), (["a"], ["b", "a"])])
    counts = table.counts("o")
    assert dict(zip(table.names, counts.true_positives.tolist(), strict=True)) == {"x": 0, "a": 1, "b": 0}


def test_the_oracle_is_right_about_everything_but_documents_without_gold():
    from keyseq.evaluation import oracle
    from keyseq.evaluation.protocols import find

    gold = [Document(id="1", body="b", subjects=(f"{EX}cats",)), Document(id="2", body="b", subjects=())]
    scores = evaluate(gold, list(oracle(gold, find("annif"))), protocol="annif", metrics=["all.f1@m", "all.ndcg"])
    assert (scores.aggregate("all.f1@m"), scores.aggregate("all.ndcg")) == (0.5, 1.0)


def test_gold_without_subjects_and_keyphrases_is_refused():
    with pytest.raises(KeyseqError, match="document '1' has no gold keyphrases"):
        evaluate([Document(id="1", body="b")], [["a"]], protocol="annif")
