"""An experiment's findings as Markdown, LaTeX and JSON."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from keyseq.evaluation.report import as_json
from keyseq.experiments.definition import Experiment
from keyseq.experiments.table import BASELINE, DIFFERS, Section
from keyseq.tables import escape_latex


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """The results of an experiment. `command` is the command that reproduces them, `figures` are files by title."""

    experiment: Experiment
    sections: Sequence[Section]
    command: str
    notes: Sequence[str] = ()
    figures: Mapping[str, Path] = field(default_factory=dict)

    @property
    def heading(self) -> str:
        """The title, with the table or section of the paper."""
        return f"{self.experiment.title} ({self.experiment.table})"

    @property
    def explained(self) -> list[str]:
        """Sentences that explain the tables."""
        values = [value for section in self.sections for value in section.values]
        lines = []
        if any(value.interval for value in values):
            lines.append(
                "Scores are in percent, numbers of phrases are not; ± is half the width of a 95 % bootstrap interval"
                " over the documents; difference is measured minus published."
            )
        if any(len(value.runs) > 1 for value in values):
            lines.append(
                "Of networks with several seeds, each document has the mean of its scores, from which intervals and"
                " tests come; the range of the seeds is in parentheses."
            )
        if any(value.differs or value.baseline for value in values):
            lines.append(
                f"{BASELINE} is the best baseline of a column; {DIFFERS} differs from it significantly (p < 0.05"
                " by paired bootstrap and approximate randomization, Holm's correction)."
            )
        return [*lines, *self.notes]

    @property
    def signatures(self) -> dict[str, str]:
        """Every signature, with its rows where its column has several signatures."""
        found: dict[str, str] = {}
        for section in self.sections:
            columns: dict[str, dict[str, list[str]]] = {}
            for value in section.values:
                if value.signature:
                    columns.setdefault(value.column, {}).setdefault(value.signature, []).append(value.row)
            for rows in columns.values():
                found |= {signature: "; ".join(labels) if len(rows) > 1 else "" for signature, labels in rows.items()}
        return found

    @property
    def signed(self) -> list[str]:
        """The signatures as lines."""
        return [f"`{signature}`" + (f": {rows}" if rows else "") for signature, rows in self.signatures.items()]


def markdown(findings: Findings) -> str:
    """The tables as Markdown."""
    parts = [f"# {findings.heading}", "", f"    {findings.command}", ""]
    for section in findings.sections:
        parts += [f"## {section.title}", "", section.render("markdown"), *(f"- {note}" for note in section.notes), ""]
    parts += [f"![{title}]({path.name})\n" for title, path in findings.figures.items()]
    parts += [f"- {line}" for line in findings.explained]
    parts += [f"- {line}" for line in findings.signed]
    return "\n".join(parts) + "\n"


def latex(findings: Findings) -> str:
    """The tables as LaTeX with booktabs; explanations are in comments and captions."""
    comments = [findings.heading, findings.command, *findings.signatures]
    parts = [f"% {line}" for line in comments]
    for section in findings.sections:
        caption = escape_latex(" ".join([f"{findings.experiment.title}: {section.title}.", *section.notes]))
        parts += [r"\begin{table}", r"\centering", section.render("latex").rstrip(), rf"\caption{{{caption}}}"]
        parts += [r"\end{table}", ""]
    parts += [f"% {line}" for line in findings.explained]
    return "\n".join(parts) + "\n"


def json_report(findings: Findings) -> str:
    """Every number with its metadata, as JSON."""
    return as_json(
        {
            "experiment": findings.experiment.name,
            "title": findings.experiment.title,
            "table": findings.experiment.table,
            "command": findings.command,
            "notes": findings.explained,
            "figures": {title: path.name for title, path in findings.figures.items()},
            "sections": [_section(section) for section in findings.sections],
        }
    )


def _section(section: Section) -> dict[str, Any]:
    values = [asdict(value) | {"difference": value.difference} for value in section.values]
    return {"title": section.title, "notes": list(section.notes), "values": values}
