"""`keyseq generate --together`: a table, CSV and JSON lines; years of libraries; refusals."""

import csv
import io
import json

import pytest
from typer.testing import CliRunner

from keyseq.cli import app

LIBRARY = "".join(
    f"@article{{k{number}, title={{{title}}}, abstract={{{title} in old houses, tested.}}, year={{{year}}}}}\n"
    for number, (title, year) in enumerate(
        [("Heat pumps", 2019), ("Heat pumps", 2020), ("Solar panels", 2020), ("Heat pumps", 2021)]
    )
)
OTHERS = '{"title": "Tides", "abstract": "Tides move sand along the coast."}\n'


@pytest.fixture
def library(tmp_path):
    (tmp_path / "found.bib").write_text(LIBRARY)
    (tmp_path / "others.jsonl").write_text(OTHERS)
    return tmp_path


def run(*arguments):
    return CliRunner().invoke(app, ["generate", *map(str, arguments)])


def together(library, *arguments):
    others = library / "others.jsonl"
    return run(library / "found.bib", "--together", "--system", "textrank", "--background", others, *arguments)


def test_the_table_has_counts_shares_and_trends(library):
    ran = together(library)
    assert ran.exit_code == 0, ran.output
    assert ran.stdout.splitlines()[0].split("  ")[0] == "phrase"
    assert "trend a year" in ran.stdout
    [line] = [line for line in ran.stdout.splitlines() if line.lower().startswith("heat pump")]
    assert line.split()[2:5] == ["3", "75.0", "%"]


def test_json_and_csv_say_the_same(library):
    rows = [json.loads(line) for line in together(library, "--json").stdout.splitlines()]
    [first] = [row for row in rows if row["text"].lower() == "heat pumps"]
    assert first["years"] == {"2019": 1, "2020": 1, "2021": 1}
    assert together(library, "--out", library / "together.csv").exit_code == 0
    written = list(csv.DictReader(io.StringIO((library / "together.csv").read_text())))
    [same] = [row for row in written if row["text"].lower() == "heat pumps"]
    assert same["years"] == "2019: 1; 2020: 1; 2021: 1"
    assert [row["text"] for row in written] == [row["text"] for row in rows]


def test_top_is_how_many_phrases_the_collection_gets(library):
    assert len(together(library, "--top", 1, "--json").stdout.splitlines()) == 1


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (["--background", "others.jsonl"], "add --together"),
        (["--together", "--explain"], "does not support --explain"),
        (["--together", "--workers", "2"], "does not support --workers and --ray"),
        (["--together", "--format", "ris"], "is written as text, jsonl, csv, not ris"),
        (["--together", "--system", "textrank"], "give others as a background"),
    ],
)
def test_what_does_not_go_together_is_refused_in_one_sentence(library, flags, told):
    ran = run(library / "found.bib", *flags)
    assert ran.exit_code != 0
    assert told in str(ran.exception)
