"""Run an experiment and write its report: tables, figures and files."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from keyseq.data.datasets import VARIABLE, data_folder
from keyseq.errors import KeyseqError, MissingExtraError, nearest
from keyseq.experiments import dataset_table, figure, grid, scores
from keyseq.experiments.corpora import locate
from keyseq.experiments.definition import Experiment
from keyseq.experiments.findings import Findings, json_report, latex, markdown
from keyseq.experiments.html_page import html
from keyseq.experiments.workspace import MissingPartError, Workspace
from keyseq.files import make_folder, write_whole

WRITERS: dict[str, Callable[[Findings], str]] = {".md": markdown, ".tex": latex, ".json": json_report, ".html": html}


def run(experiment: Experiment, workspace: Workspace, command: str) -> Findings:
    """Run an experiment and write its reports into its folder."""
    check_networks(experiment, workspace.networks)
    if data_folder(workspace.data) is None:
        raise KeyseqError(f"no data directory; set it with --data DIR or the environment variable {VARIABLE}")
    make_folder(workspace.out)
    findings = _RUNS[experiment.kind](experiment, workspace, command)
    for suffix, write in WRITERS.items():
        with write_whole(workspace.out / f"{experiment.name}{suffix}") as file:
            file.write(write(findings))
    return findings


def check_networks(experiment: Experiment, networks: Mapping[str, Path]) -> None:
    """Refuse a network that belongs to no row, or to more than one."""
    corpora = list(dict.fromkeys(experiment.test_sets.values()))
    names = [subject.name for subject in experiment.systems if subject.config]
    known = [*names, *(f"{name}@{corpus}" for name in names for corpus in corpora)]
    for given in networks:
        if given not in known:
            raise KeyseqError(f"--network {given}: {experiment.name} has no such network{nearest(given, known)}")
        if given in names and len(corpora) > 1:
            choices = " or ".join(f"{given}@{corpus}" for corpus in corpora)
            raise KeyseqError(f"--network {given}: this network is trained on several corpora here; use {choices}")


def training_notes(experiment: Experiment, workspace: Workspace) -> list[str]:
    """Describe what networks and rankers were trained on, and which were trained elsewhere."""
    given = ", ".join(f"{name} ({folder})" for name, folder in workspace.networks.items())
    elsewhere = [f"Trained elsewhere: {given}."] if given else []
    return [workspace.scale.told(), *_corpus_notes(experiment, workspace), *elsewhere]


def _corpus_notes(experiment: Experiment, workspace: Workspace) -> list[str]:
    notes = []
    for wanted in dict.fromkeys(experiment.test_sets.values()):
        with suppress(MissingPartError):
            train = locate(wanted, "train", workspace.data)
            stands_in = "" if train.name == wanted else f", used instead of {wanted}"
            tests = ", ".join(name for name, corpus in experiment.test_sets.items() if corpus == wanted)
            notes.append(f"For {tests}, systems are trained on {train.name}{stands_in}.")
    return notes


def _scores(experiment: Experiment, workspace: Workspace, command: str) -> Findings:
    sections = list(scores.sections(experiment, workspace))
    figures = {}
    rows = [f"{subject.name}: {subject.note}." for subject in experiment.systems if subject.note]
    notes = [*rows, *training_notes(experiment, workspace)]
    path = workspace.out / f"{experiment.name}.png"
    try:
        figure.draw(sections, path)
        figures["Measured and published scores"] = path
    except MissingExtraError as error:
        notes.append(f"No figure: {error}.")
    return Findings(experiment=experiment, sections=sections, command=command, notes=notes, figures=figures)


def _statistics(experiment: Experiment, workspace: Workspace, command: str) -> Findings:
    sections = list(dataset_table.sections(experiment, workspace))
    return Findings(experiment=experiment, sections=sections, command=command)


def _diversity(experiment: Experiment, workspace: Workspace, command: str) -> Findings:
    from keyseq.experiments import diversity

    section, figures = diversity.run(experiment, workspace)
    notes = training_notes(experiment, workspace)
    return Findings(experiment=experiment, sections=[section], command=command, notes=notes, figures=figures)


def _grid(experiment: Experiment, workspace: Workspace, command: str) -> Findings:
    sections = list(grid.sections(experiment, workspace))
    notes = _corpus_notes(experiment, workspace)
    return Findings(experiment=experiment, sections=sections, command=command, notes=notes)


_RUNS: dict[str, Callable[[Experiment, Workspace, str], Findings]] = {
    "scores": _scores,
    "statistics": _statistics,
    "diversity": _diversity,
    "grid": _grid,
}
