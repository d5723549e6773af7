"""Whole experiments on invented corpora, with real networks of a few steps."""

import json
from dataclasses import replace

import pytest

from keyseq.errors import KeyseqError
from keyseq.evaluation import evaluate
from keyseq.experiments import budget
from keyseq.experiments.definition import Analysis, load
from keyseq.experiments.run import check_networks, run
from keyseq.experiments.workspace import Workspace
from keyseq.systems.merged import read_merge

from .conftest import TINY, Listener, greedily


def values(outcome, title):
    [section] = [section for section in outcome.sections if section.title == title]
    return {value.row: value for value in section.values}


def test_missing_networks_are_trained_and_scored(finished):
    _, told, outcome = finished
    assert [line.split(" on ")[0] for line in told] == ["training catseq", "training catseqd"]
    inspec = values(outcome, "inspec")
    assert set(inspec) == {"catseq", "catseqd"}
    for row, published in (("catseq", 30.7), ("catseqd", 33.1)):
        value = inspec[row]
        assert value.published == published
        assert value.difference == pytest.approx(value.measured - published)
        assert value.interval[0] <= value.measured <= value.interval[1]
        assert value.signature.startswith("present.f1@o|protocol:yuan2020")
        assert value.baseline == "catseq"


def test_a_test_set_that_is_missing_is_a_row_that_says_so(finished):
    value = values(finished[2], "krapivin")["catseq"]
    assert (value.missing, value.measured, value.published) == ("no data: test/krapivin.jsonl", None, 32.3)


def test_a_ranker_that_can_learn_nothing_is_a_row_that_says_so_and_the_others_stay(data, tmp_path):
    hopeless = tmp_path / "data"
    for split, name in (("train", "scholar"), ("valid", "scholar"), ("test", "inspec")):
        (hopeless / split).mkdir(parents=True)
        text = (data / split / f"{name}.jsonl").read_text()
        lines = [json.loads(line) | {"keywords": ["elsewhere"]} for line in text.splitlines()]
        (hopeless / split / f"{name}.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n")
    outcome = run(load("stackex").only(["tfidf", "kea"]), Workspace(data=hopeless, out=tmp_path, scale=TINY), "")
    assert values(outcome, "stackex")["kea"].missing == "no data: test/stackex.jsonl"
    outcome = run(load("present").only(["tfidf", "kea"]), Workspace(data=hopeless, out=tmp_path, scale=TINY), "")
    [section] = [section for section in outcome.sections if section.title == "inspec"]
    assert [value.missing[:14] for value in section.values if value.row == "kea"] == ["not measured: "] * 4


def test_what_stands_in_for_a_corpus_is_told(finished):
    [section] = [section for section in finished[2].sections if section.title == "kp20k"]
    assert "kp20k_1000 is used instead" in section.notes[0]
    assert any("systems are trained on scholar, used instead of kp20k" in line for line in finished[2].explained)


def test_a_small_scale_says_that_its_numbers_are_no_results(finished):
    [scale] = [line for line in finished[2].explained if line.startswith("At scale 0.0001")]
    assert "10 steps of 32 examples" in scale
    assert "show that everything runs, not how good it is" in scale


def test_the_stored_phrases_give_the_same_score_again(finished):
    value = values(finished[2], "inspec")["catseqd"]
    _, _, gold, predictions, _, metric = value.command.split()
    assert 100 * evaluate(gold, predictions, metrics=[metric]).aggregate(metric) == pytest.approx(value.measured)


def test_a_second_run_trains_and_decodes_nothing_and_finds_the_same(finished):
    workspace, _, first = finished
    listener = Listener()
    before = {path: path.stat().st_mtime_ns for path in (workspace.out / "predictions").glob("*.jsonl")}
    again = run(first.experiment, replace(workspace, progress=listener.progress), first.command)
    assert listener.told == []
    assert again.sections == first.sections
    assert {path: path.stat().st_mtime_ns for path in (workspace.out / "predictions").glob("*.jsonl")} == before


def test_all_reports_are_written(finished):
    workspace, _, outcome = finished
    for suffix in (".md", ".tex", ".json", ".html", ".png"):
        assert (workspace.out / f"ablation{suffix}").stat().st_size > 500
    report = json.loads((workspace.out / "ablation.json").read_text())
    assert report["command"] == outcome.command
    assert len(report["sections"]) == 5


def test_rankers_and_networks_from_elsewhere_need_no_training(finished, tmp_path):
    workspace, _, _ = finished
    [folder] = (workspace.out / "networks").glob("catseq-*")
    [checkpoint] = (workspace.out / "runs").glob("catseqd-*")
    listener = Listener()
    there = Workspace(
        data=workspace.data,
        out=tmp_path,
        scale=TINY,
        networks={"catseq": folder, "catseqd": checkpoint},
        progress=listener.progress,
    )
    outcome = run(greedily(load("present").only(["tfidf", "catseq", "catseqd"])), there, "")
    assert listener.told == [f"exporting {checkpoint / 'best'}"]
    inspec = {(value.row, value.column): value.measured for value in outcome.sections[1].values}
    first = values(finished[2], "inspec")
    for row in ("catseq", "catseqd"):
        assert inspec[row, "present.f1@o"] == pytest.approx(first[row].measured)
    assert inspec["tfidf", "present.f1@o"] > 0


def test_a_table_that_the_paper_has_not_is_measured_all_the_same(data, tmp_path):
    own = replace(load("present").only(["tfidf"]), published="", test_sets={"inspec": "kp20k"})
    [section] = run(own, Workspace(data=data, out=tmp_path), "").sections
    assert [value.published for value in section.values] == [None] * 4
    assert section.values[0].measured > 0


def test_of_a_large_test_set_only_the_first_documents_may_be_taken(data, tmp_path):
    few = replace(load("present").only(["tfidf"]), test_sets={"inspec": "kp20k"}, first={"inspec": 7})
    [section] = run(few, Workspace(data=data, out=tmp_path), "").sections
    assert "docs:7" in section.values[0].signature
    assert section.notes == ["inspec: at most the first 7 documents."]


def test_a_folder_without_a_network_is_refused(finished, tmp_path):
    workspace = replace(finished[0], networks={"catseq": tmp_path})
    with pytest.raises(KeyseqError, match="not a trained network"):
        run(load("ablation").only(["catseq"]), workspace, "")


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("present", "catsek", "has no such network; did you mean 'catseq'"),
        ("present", "tfidf", "has no such network"),
        ("self-terminating", "catseq", "use catseq@kp20k or catseq@stackex"),
    ],
)
def test_a_network_for_no_row_or_for_two_is_refused(name, given, message, tmp_path):
    with pytest.raises(KeyseqError, match=message):
        check_networks(load(name), {given: tmp_path})


def test_statistics_count_what_is_there_beside_what_was_published(data, tmp_path):
    outcome = run(load("statistics"), Workspace(data=data, out=tmp_path), "")
    first, appendix, gold = ({(v.row, v.column): v for v in section.values} for section in outcome.sections)
    assert (first["inspec", "#Test"].measured, first["inspec", "#Test"].difference) == (30, -470)
    assert (first["kp20k", "#Train"].measured, first["kp20k", "#Train"].published) == (400, 514_000)
    assert first["inspec", "Mean"].measured == 3.0
    assert first["krapivin", "Mean"].missing == "no data: krapivin.jsonl"
    assert appendix["inspec", "#AbsKP"].measured == 30  # each text only means one of its three phrases
    assert appendix["inspec", "#PreKP"].measured == 60
    # three phrases each: all right, of five or ten
    assert gold["kp20k", "all.f1@5-padded"].measured == pytest.approx(75)
    assert gold["kp20k", "all.f1@10-padded"].measured == pytest.approx(100 * 6 / 13)
    assert gold["kp20k", "all.f1@5-padded"].published == 85.8


def test_the_diversity_of_networks_is_measured_and_drawn(finished, tmp_path):
    workspace, _, _ = finished
    networks = {name: next((workspace.out / "networks").glob(f"{name}-*")) for name in ("catseq", "catseqd")}
    there = Workspace(data=workspace.data, out=tmp_path, scale=TINY, networks=networks)
    outcome = run(replace(load("diversity"), analysis=Analysis(states=100, steps=(1,))), there, "")
    [section] = outcome.sections
    found = {(value.row, value.column): value for value in section.values}
    unique = found["unique phrases, beam 50", "catseqd"]
    assert unique.published == 89.7
    assert unique.measured >= found["unique stems, beam 50", "catseqd"].measured > 0
    assert -1 <= found["cosine of separators", "catseq"].measured <= 1
    assert {"duplicate tokens, greedy", "purity, k = 1", "similarity of phrases, beam 50"} <= {row for row, _ in found}
    for path in outcome.figures.values():
        assert path.read_bytes().startswith(b"\x89PNG")


def test_a_grid_has_a_network_for_each_pair_and_names_the_best(data, tmp_path):
    small = {"loss.orthogonal": (0.1,), "loss.semantic": (0.03, 0.3)}
    tiny = replace(load("lambdas").systems[0], config="tiny", settings=("model.output_vocabulary=0",))
    experiment = replace(load("lambdas"), grid=small, systems=(tiny,))
    outcome = run(experiment, Workspace(data=data, out=tmp_path, scale=TINY), "")
    [section] = outcome.sections
    assert [(value.row, value.column) for value in section.values] == [("0.1", "0.03"), ("0.1", "0.3")]
    assert all(value.measured is not None for value in section.values)
    assert any(note.startswith("Best: 0.1 and") for note in section.notes)
    assert len(list((tmp_path / "networks").glob("catseqd-*"))) == 2


def test_without_data_nothing_is_begun(tmp_path, monkeypatch):
    monkeypatch.delenv("KEYSEQ_DATA", raising=False)
    with pytest.raises(KeyseqError, match="no data directory"):
        run(load("present"), Workspace(data=None, out=tmp_path), "")
    with pytest.raises(KeyseqError, match="no such data directory"):
        run(load("present"), Workspace(data=tmp_path / "nowhere", out=tmp_path), "")


def test_a_network_that_starts_from_another_trains_that_first_and_once(data, tmp_path, monkeypatch):
    sizes = [f"model.{name}=8" for name in ("embedding_size", "encoder_size", "hidden_size", "output_size")]
    monkeypatch.setattr(budget, "SETTINGS", (*budget.SETTINGS, *sizes, "loss.reward_words=5"))
    [row] = load("present").only(["catseqtg-2rf1"]).systems
    own = replace(load("present"), systems=(row,), others=(), test_sets={"inspec": "kp20k"})
    listener = Listener()
    there = Workspace(data=data, out=tmp_path, scale=TINY, progress=listener.progress)
    outcome = run(greedily(own), there, "")
    assert [line.split(" on ")[0] for line in listener.told] == ["training catseqtg", "training catseqtg-2rf1"]
    assert values(outcome, "inspec")["catseqtg-2rf1"].measured is not None
    assert any(line.startswith("catseqtg-2rf1: takes a tenth more steps") for line in outcome.explained)
    run(greedily(own), there, "")
    assert len(listener.told) == 2


def test_a_combined_row_is_made_with_its_network_once(data, tmp_path, monkeypatch):
    sizes = [f"model.{name}=8" for name in ("embedding_size", "encoder_size", "hidden_size", "output_size")]
    monkeypatch.setattr(budget, "SETTINGS", (*budget.SETTINGS, *sizes))
    [row] = load("present").only(["kg-ke-kr-m"]).systems
    own = replace(load("present"), systems=(row,), others=(), test_sets={"inspec": "kp20k"})
    listener = Listener()
    there = Workspace(data=data, out=tmp_path, scale=TINY, progress=listener.progress)
    outcome = run(own, there, "")
    told = ["training kg-ke-kr on scholar", "combining kg-ke-kr-m on validation documents of scholar"]
    assert [line.split(", into")[0] for line in listener.told] == told
    value = values(outcome, "inspec")["kg-ke-kr-m"]
    assert value.measured is not None
    assert value.published == 31.4
    [made] = (tmp_path / "combined").glob("kg-ke-kr-m-*")
    assert read_merge(made).documents == 10, "as many as select the best checkpoint at this scale"
    run(own, there, "")
    assert len(listener.told) == 2


def test_several_seeds_are_a_row_with_their_mean_and_range(finished):
    workspace, _, first = finished
    listener = Listener()
    own = replace(first.experiment.only(["catseq"]), test_sets={"inspec": "kp20k"}, name="seeds")
    there = replace(workspace, scale=replace(TINY, seeds=2), progress=listener.progress)
    outcome = run(own, there, "")
    assert len(listener.told) == 1, "the first seed is the usual one, which was trained before"
    value = values(outcome, "inspec")["catseq"]
    assert value.runs[0] == pytest.approx(values(first, "inspec")["catseq"].measured)
    assert value.measured == pytest.approx(sum(value.runs) / 2)
    assert value.interval[0] <= value.measured <= value.interval[1]
    assert value.signature.endswith("|seeds:2")
    files = set()
    for command, score in zip(value.command.split(" && "), value.runs, strict=True):
        _, _, gold, predictions, _, metric = command.split()
        files.add(predictions)
        assert 100 * evaluate(gold, predictions, metrics=[metric]).aggregate(metric) == pytest.approx(score)
    assert len(files) == 2
    assert any("2 networks of a row have the seeds 3435 to 3436" in line for line in outcome.explained)
    assert any("the range of the seeds is in parentheses" in line for line in outcome.explained)
