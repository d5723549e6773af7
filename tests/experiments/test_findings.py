"""Reports: whole, escaped, and without anything from elsewhere."""

import json
import re

from keyseq.experiments.definition import parse
from keyseq.experiments.findings import Findings, json_report, latex, markdown
from keyseq.experiments.html_page import html
from keyseq.experiments.table import Section, Value

EXPERIMENT = parse("mine", {"title": "A & B", "table": "Table 9", "kind": "scores", "test_sets": {"inspec": "kp20k"}})
SIGNATURE = "present.f1@5|protocol:yuan2020|docs:3"


def outcome(tmp_path):
    figure = tmp_path / "mine.png"
    figure.write_bytes(b"\x89PNG")
    values = [
        Value(
            row="a_b<i>",
            column="present.f1@5",
            measured=50.0,
            published=40.0,
            interval=(45.0, 55.0),
            signature=SIGNATURE,
            command="keyseq evaluate gold.jsonl p.jsonl",
        ),
        Value(row="kea", column="present.f1@5", published=4.6, missing="no system: kea"),
    ]
    section = Section(title="inspec_50%", values=values, notes=["5 % & more"])
    return Findings(experiment=EXPERIMENT, sections=[section], command="keyseq experiment mine", figures={"F": figure})


def test_latex_escapes_what_latex_would_take_for_commands(tmp_path):
    text = latex(outcome(tmp_path))
    body = "\n".join(line for line in text.splitlines() if not line.startswith("%"))
    assert r"a\_b" in body
    assert r"A \& B: inspec\_50\%. 5 \% \& more" in body
    assert not re.search(r"(?<!\\)[_#%]", body)
    assert text.count(r"\begin{tabular}") == text.count(r"\end{tabular}") == 1
    assert f"% {SIGNATURE}" in text


def test_markdown_holds_the_command_the_figure_and_every_signature(tmp_path):
    text = markdown(outcome(tmp_path))
    assert "    keyseq experiment mine\n" in text
    assert "![F](mine.png)" in text
    assert f"- `{SIGNATURE}`\n" in text, "the only one of its column needs no rows"
    assert "| 50.00 ± 5.00" in text
    assert "no system: kea" in text


def test_signatures_that_differ_within_a_column_name_their_rows():
    values = [Value(row=row, column="present.f1@5", measured=1.0, signature=f"docs:{row}") for row in ("3", "4")]
    made = Findings(experiment=EXPERIMENT, sections=[Section(title="inspec", values=values)], command="")
    assert made.signed == ["`docs:3`: 3", "`docs:4`: 4"]


def test_json_has_every_number_with_its_difference_and_command(tmp_path):
    [section] = json.loads(json_report(outcome(tmp_path)))["sections"]
    first, second = section["values"]
    assert (first["measured"], first["published"], first["difference"]) == (50.0, 40.0, 10.0)
    assert first["command"] == "keyseq evaluate gold.jsonl p.jsonl"
    assert (second["measured"], second["missing"]) == (None, "no system: kea")


def test_the_page_is_escaped_and_loads_nothing(tmp_path):
    page = html(outcome(tmp_path))
    assert "a_b&lt;i&gt;" in page
    assert "<i>" not in page
    assert 'src="data:image/png;base64,iVBORw==' in page
    assert not re.search(r"(src|href)=\"(?!data:)", page)
    assert "url(" not in page
    assert "<script" not in page
