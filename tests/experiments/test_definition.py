"""The experiments of the package are whole, and mistakes in one are told."""

from dataclasses import replace

import pytest

from keyseq.config import load_settings
from keyseq.config.single import overridden
from keyseq.data.catalogue import DATASETS
from keyseq.decoding.policies import POLICIES
from keyseq.errors import KeyseqError
from keyseq.evaluation.metrics import parse as parse_metric
from keyseq.experiments.budget import Scale
from keyseq.experiments.corpora import STAND_INS
from keyseq.experiments.definition import available, load, parse
from keyseq.experiments.published import numbers
from keyseq.systems.registry import TRAINABLE, kind_named

PAPER = ["statistics", "present", "stackex", "self-terminating", "ablation", "absent", "diversity", "lambdas"]
BEYOND = ["decodings", "decodings-stackex"]
CORPORA = {*DATASETS, *(name for splits in STAND_INS.values() for name in splits.values())}


def test_every_table_of_the_paper_is_there_in_its_order():
    assert available() == [*PAPER, *BEYOND]


@pytest.mark.parametrize("name", [*PAPER, *BEYOND])
def test_an_experiment_names_only_what_exists(name):
    experiment = load(name)
    assert experiment.title
    assert experiment.table
    for test_set, corpus in experiment.test_sets.items():
        assert test_set in CORPORA
        assert corpus in DATASETS
    for metric in experiment.metrics:
        parse_metric(metric)
    assert set(experiment.decodings) <= set(POLICIES)
    assert not experiment.published or experiment.published in numbers()
    for subject in experiment.systems:
        if subject.config:
            Scale().settings(subject.config, subject.settings)
        if not (subject.config or subject.learns):
            assert kind_named(subject.name) in ("method", "network"), "what the paper compares, not the default system"
        if subject.learns:
            kind = TRAINABLE[subject.learns].reference("settings")
            overridden(subject.learns, kind, subject.settings)


@pytest.mark.parametrize("name", ["present", "stackex", "self-terminating", "ablation", "absent", "diversity", *BEYOND])
def test_what_is_compared_has_a_baseline(name):
    assert any(subject.baseline for subject in load(name).systems)


def test_networks_differ_only_in_what_the_table_compares():
    catseq, orthogonal = (Scale().settings(name, ()) for name in ("catseq", "catseq+orthogonal"))
    assert (catseq.model, catseq.target, catseq.training) == (orthogonal.model, orthogonal.target, orthogonal.training)
    assert (catseq.loss.orthogonal, orthogonal.loss.orthogonal) == (0.0, 0.3)


def test_the_budget_is_the_same_number_of_steps_for_all():
    settings = [Scale().settings(name, ()).training for name in ("copyrnn", "catseq", "catseqd")]
    assert {(training.steps, training.batch_size, training.seed) for training in settings} == {(2000, 32, 3435)}


def test_many_networks_share_a_budget_and_still_learn_from_the_whole_corpus():
    smaller = Scale(budget=load("lambdas").analysis.budget)
    assert smaller.is_whole
    assert smaller.steps == 500


def test_a_paper_s_weights_are_those_of_its_table():
    weights = {
        name: next(one for one in load(name).systems if one.name == "catseqd") for name in ("stackex", "present")
    }
    stackex, present = (Scale().settings("catseqd", weights[name].settings).loss for name in ("stackex", "present"))
    assert (stackex.orthogonal, stackex.semantic) == (0.03, 0.1)
    assert (present.orthogonal, present.semantic) == (1.0, 0.03)
    assert load_settings("catseqd").loss.orthogonal == 1.0


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"kind": "score"}, "unknown kind 'score'; did you mean 'scores'?"),
        ({"kind": "scores", "metric": []}, "unknown key 'metric'; did you mean 'metrics'?"),
        ({"kind": "scores", "systems": {"a": {"confg": "catseq"}}}, "unknown key 'confg'; did you mean 'config'?"),
    ],
)
def test_a_mistake_in_a_definition_names_what_was_meant(values, message):
    with pytest.raises(KeyseqError, match=message.replace("?", r"\?")):
        parse("mine", {"title": "t", "table": "t", "test_sets": {}, **values})


def test_rows_can_be_chosen_and_a_wrong_one_is_told():
    chosen = load("present").only(["catseq", "tfidf"])
    assert [subject.name for subject in chosen.systems] == ["tfidf", "catseq"]
    assert not chosen.others
    with pytest.raises(KeyseqError, match="present has no system 'catsek'; did you mean 'catseq'"):
        load("present").only(["catsek"])


def test_every_system_of_the_papers_table_is_measured():
    """Fourteen systems; CopyRNN has two rows in the paper, of which the authors' own training is compared with ours."""
    experiment = load("present")
    published = {subject.published or subject.name for subject in experiment.systems}
    table = set(numbers()["present_exhaustive"])
    assert len(table) == 15
    assert table - published == {"copyrnn"} == set(experiment.others)


def test_a_larger_budget_is_more_steps_for_all_and_another_seed_differs_in_that_alone():
    scale = Scale(budget=1.75)
    assert {scale.settings(name, ()).training.steps for name in ("copyrnn", "catseqd", "kg-ke-kr")} == {3500}
    first, second = (Scale(seed=seed).settings("catseq", ()) for seed in (3435, 3436))
    assert replace(second, training=replace(second.training, seed=3435)) == first == Scale().settings("catseq", ())
