"""An experiment's findings as one self-contained HTML file."""

from base64 import b64encode
from collections.abc import Sequence
from pathlib import Path

from keyseq.evaluation.html.markup import Markup, element
from keyseq.evaluation.html.page import shell
from keyseq.experiments.findings import Findings
from keyseq.experiments.table import Section
from keyseq.version import __version__


def html(findings: Findings) -> str:
    """Write the tables, the figures, and how every number was computed."""
    body = element(
        "main",
        *(_section(section) for section in findings.sections),
        *(_figure(title, path) for title, path in findings.figures.items()),
        _method(findings),
    )
    header = element(
        "header",
        element("h1", findings.heading),
        element("p", f"keyseq {__version__} · ", element("code", findings.command)),
    )
    return shell(findings.heading, header, body)


def _section(section: Section) -> Markup:
    headers, rows = section.table()
    head = element("thead", element("tr", *(element("th", name, scope="col") for name in headers)))
    lines = [element("tr", element("th", row[0], scope="row"), *map(_cell, row[1:])) for row in rows]
    table = element("table", head, element("tbody", *lines))
    return element(
        "section",
        element("h2", section.title),
        element("div", table, class_="wide", tabindex="0"),
        *(element("p", note, class_="quiet") for note in section.notes),
    )


def _cell(value: object) -> Markup:
    return element("td", "–" if value is None else value, class_="number")


def _figure(title: str, path: Path) -> Markup:
    """A figure embedded in the page."""
    image = f"data:image/png;base64,{b64encode(path.read_bytes()).decode('ascii')}"
    return element("section", element("h2", title), element("img", src=image, alt=title, style="max-width: 100%"))


def _method(findings: Findings) -> Markup:
    commands = dict.fromkeys(
        value.command for section in findings.sections for value in section.values if value.command is not None
    )
    return element(
        "section",
        element("h2", "How the numbers were computed"),
        *(element("p", line, class_="quiet") for line in findings.explained),
        _folded("Signatures", [line.replace("`", "") for line in findings.signed]),
        _folded("Commands that recompute a score from the stored predictions", list(commands)),
    )


def _folded(title: str, lines: Sequence[str]) -> Markup | None:
    if not lines:
        return None
    return element("details", element("summary", title), *(element("p", element("code", line)) for line in lines))
