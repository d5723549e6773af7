"""Each rule of a protocol in a case small enough to do by hand."""

import pytest

from keyseq.evaluation import evaluate, protocols
from keyseq.evaluation.matching import novelty
from keyseq.types import Document

BODY = "Neural networks (NNs) learn graphs. In 1998, support vector machines of class 7 learned models"


def score(gold, predicted, metric, protocol="yuan2020", title="", body=BODY, **rules):
    document = Document(id="1", title=title, body=body, keyphrases=tuple(gold))
    scores = evaluate([document], [predicted], protocol=protocols.find(protocol, rules), metrics=[metric])
    return float(scores.values[metric][0])


@pytest.mark.parametrize(
    ("gold", "predicted", "metric", "expected", "reason"),
    [
        (["neural network"], ["Neural NETWORKS"], "present.f1@m", 1, "case and endings do not matter"),
        (["neural network"], ["neural-network"], "present.f1@m", 1, "a hyphen is a space"),
        (["network neural"], ["network neural"], "present.count", 0, "present needs the words in this order"),
        (["network neural"], ["network neural"], "absent.f1@m", 1, "so it is absent"),
        (["neural net"], ["neural net"], "present.count", 0, "whole words only"),
        (["1998"], ["2020"], "present.f1@m", 1, "numbers of two and more digits are all alike"),
        (["class 7"], ["class 8"], "present.f1@m", 0, "single digits are not"),
        (["graph"], [], "present.f1@m", 0, "no predictions"),
        (["graph"], ["tree"], "present.precision@m", 0, "only an absent prediction"),
        (["graph", "tree"], ["graph", "tree"], "all.f1@m", 1, "present and absent together"),
        (["model"], ["x", "graph", "model"], "all.f1@2", 0, "all parts in the order of the predictions"),
        (["graph"], ["learn", "graphs", "graph"], "present.precision@m", 1 / 2, "a duplicate by stem is passed over"),
        (["graph", "model"], ["graph", "graphs", "model"], "present.recall@2", 1, "and does not take a rank"),
        (["graph"], ["", " ", "-", "graph"], "present.precision@1", 1, "empty phrases are passed over"),
        (["graph"], ["graphs. in", "graph"], "present.precision@1", 1, "a phrase with a full stop is passed over"),
        (["graph"], ["in 1998, support", "graph"], "present.precision@1", 1, "or with a comma"),
        (["graph"], ["neural networks (nns)", "graph"], "present.precision@1", 0, "but not with brackets"),
        (["graph"], ["<unk> graph", "graph"], "present.precision@1", 1, "an unknown word"),
        (["neural network (NN)"], ["neural network"], "present.f1@m", 1, "brackets of gold phrases are removed"),
        (["neural network"], ["neural network (NN)"], "all.f1@m", 0, "brackets of predictions are not"),
        (["graph", "graphs"], ["graph"], "present.recall@m", 1 / 2, "both are targets, one prediction meets one"),
        (["graph", "graphs"], ["graph"], "present.precision@o", 1, ""),
        (
            ["graph", ""],
            ["graph", ""],
            "present.recall@m",
            1 / 2,
            "an empty gold phrase is a present target, never met",
        ),
        (["(nns)"], ["tree"], "present.recall@m", 0, "also if only brackets made it empty"),
        (["graph"], ["graph", "model"], "predictions.count-mae", 1, "one too many"),
        (["graph"], ["graph", "graphs", "", "."], "predictions.unique", 3, "by stems, valid or not"),
        (["graph"], ["graph", "graphs", "", "."], "predictions.count", 1, "only valid ones"),
        (["graph"], ["graph", "graphs"], "predictions.duplicate-ratio", 1 / 2, ""),
    ],
)
def test_rules_of_the_default_by_hand(gold, predicted, metric, expected, reason):
    assert score(gold, predicted, metric) == pytest.approx(expected), reason


@pytest.mark.parametrize(
    ("protocol", "rules", "gold", "predicted", "metric", "expected", "reason"),
    [
        ("meng2017", {}, ["graph"], ["model", "graph"], "present.recall@m", 0, "one word: only the first"),
        ("meng2017", {}, ["graph"], [".", "graph"], "present.recall@m", 0, "though the first is not valid"),
        ("meng2017", {}, ["graph"], ["tree", "graph"], "present.recall@m", 0, "or not in the text"),
        ("meng2017", {}, ["graph"], ["neural networks", "graph"], "present.recall@m", 1, "two words do not count"),
        ("meng2017", {}, ["x"], ["networks (nns"], "predictions.count", 0, "more marks are refused"),
        ("meng2017", {}, ["graph"], ["graph"], "present.precision@5", 1 / 5, "divides by k"),
        ("chan2019", {}, ["graph"], ["graph"], "present.precision@5", 1 / 5, "divides by k"),
        ("chan2019", {}, ["graph", "graphs"], ["graph"], "present.recall@m", 1, "gold duplicates are dropped"),
        ("chan2019", {}, ["graph", ""], ["graph"], "present.recall@m", 1, "an empty gold phrase is absent"),
        ("chan2019", {}, ["graph", ""], ["graph"], "absent.recall@m", 0, "and never met"),
        ("chan2019", {"precision": "predicted"}, ["graph"], ["graph"], "present.precision@5", 1, "meng_rui_precision"),
        ("yuan2020", {"empty_gold": "drop"}, ["graph", ""], ["graph"], "present.recall@m", 1, "no target"),
        ("yuan2020", {"duplicates": "wrong"}, ["graph"], ["graph", "graphs"], "present.precision@m", 1 / 2, "kept"),
        ("yuan2020", {"duplicates": "wrong"}, ["graph"], ["graph", "graphs"], "present.recall@m", 1, "not twice right"),
        ("yuan2020", {"brackets": "both"}, ["graph"], ["graph (x)"], "present.f1@m", 1, "removed everywhere"),
        ("yuan2020", {"brackets": "keep"}, ["graph (x)"], ["graph"], "all.f1@m", 0, "removed nowhere"),
        ("yuan2020", {"brackets": "keep"}, ["graph (x)"], ["graph (x)"], "all.f1@m", 1, "removed nowhere"),
        ("yuan2020", {"unknown": ""}, ["a <unk>"], ["a <unk>"], "all.f1@m", 1, "unknown words are let through"),
        ("yuan2020", {"punctuation": ""}, ["graphs. in"], ["graphs. in"], "present.f1@m", 1, "so are marks"),
        ("yuan2020", {"stemmer": "none"}, ["graph"], ["graph"], "present.count", 0, "the text has only graphs"),
        ("yuan2020", {"match": "characters"}, ["raph"], ["raph"], "present.f1@m", 1, "any run of characters"),
        ("yuan2020", {"tokenizer": "nopunc"}, ["nns learn"], ["nns learn"], "present.f1@m", 1, "no marks between"),
        ("yuan2020", {"tokenizer": "nopunc"}, ["1998"], ["2020"], "all.f1@m", 0, "no digit rule either"),
        ("yuan2020", {"tokenizer": "whitespace"}, ["(nns)"], ["(nns)"], "all.count", 1, "words as they stand"),
    ],
)
def test_what_other_protocols_and_overrides_change(protocol, rules, gold, predicted, metric, expected, reason):
    assert score(gold, predicted, metric, protocol, **rules) == pytest.approx(expected), reason


def test_a_phrase_can_span_title_and_body_only_where_nothing_stands_between():
    place = {"title": "deep", "body": "learning works"}
    assert score(["deep learning"], ["deep learning"], "present.count", **place) == 0
    assert score(["deep learning"], ["deep learning"], "present.count", "chan2019", **place) == 1


def test_text_beyond_ascii_needs_the_other_tokenizer():
    place = {"body": "Größenordnung schätzen"}
    assert score(["Größenordnung"], ["größenordnungen"], "present.f1@m", **place) == 0
    assert score(["Größenordnung"], ["GRÖßENORDNUNG"], "present.f1@m", tokenizer="unicode", **place) == 1


@pytest.mark.parametrize(
    ("predicted", "targets", "expected", "reason"),
    [
        (
            ["neural network", "network", "graph"],
            ["neural network", "graph mine"],
            [1, 0.5, 1],
            "the second met t1 again",
        ),
        (["network neural", "neural network deep"], ["neural network"], [1, 0.5], "words in any order, more or fewer"),
        (["a", "b", "a b c"], ["a b"], [1, 0.5, 0.25], "halved each time"),
        (["x", "a"], ["a"], [0, 1], "nothing to do with a target"),
        (["a", "a b"], ["a", "a b"], [1, 0.5], "what was met most often counts"),
        (["a"], [""], [0], "nothing has to do with an empty phrase"),
        ([], ["a"], [], ""),
    ],
)
def test_novelty_by_hand(predicted, targets, expected, reason):
    assert novelty(predicted, targets) == expected, reason


def test_alpha_ndcg_of_a_whole_document():
    gold, predicted = ["neural networks", "graphs of models"], ["neural networks", "networks", "graph"]
    discount = 0.6309297535714575  # 1 / log2(3)
    expected = (1 + 0.5 * discount) / (1 + discount)
    assert score(gold, predicted, "all.alpha-ndcg@5") == pytest.approx(expected)
    # present: one target, one prediction looked at
    assert score(gold, predicted, "present.alpha-ndcg@5") == 1
