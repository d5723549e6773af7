"""`keyseq data stats` and `keyseq data list`."""

import json

import pytest
from typer.testing import CliRunner

from keyseq.cli import app
from keyseq.errors import KeyseqError

DOCUMENTS = [
    {"id": "1", "title": "Graphs", "abstract": "On networks.", "keywords": ["graph", "network", "tree"]},
    {"id": "2", "title": "Trees", "abstract": "Only trees.", "keywords": ["tree"]},
]
ROW = "2     4   2.0  1.0  75.0        2       3        1       1"


@pytest.fixture
def data(tmp_path, monkeypatch):
    monkeypatch.delenv("KEYSEQ_DATA", raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "test").mkdir()
    for name in ("inspec", "nus"):
        lines = "".join(json.dumps(document) + "\n" for document in DOCUMENTS)
        (tmp_path / "test" / f"{name}.jsonl").write_text(lines)
    return tmp_path


def run(*arguments, **more):
    return CliRunner().invoke(app, ["data", *map(str, arguments)], **more)


def test_a_row_for_each_dataset(data):
    done = run("stats", "inspec", "nus", "--data", data)
    assert done.exit_code == 0
    assert done.stdout.splitlines() == [
        "Dataset  #Doc  #KP  Mean  Var  %Pre  #PreDoc  #PreKP  #AbsDoc  #AbsKP",
        "-------  ----  ---  ----  ---  ----  -------  ------  -------  ------",
        "inspec      2    4   2.0  1.0  75.0        2       3        1       1",
        "nus         2    4   2.0  1.0  75.0        2       3        1       1",
    ]


def test_a_folder_or_a_file_gives_the_same_rows(data):
    by_name = run("stats", "inspec", "nus", "--data", data).stdout
    assert run("stats", "test").stdout == by_name
    assert run("stats", "test/inspec.jsonl", "test/nus.jsonl").stdout == by_name


def test_the_environment_says_where_the_data_is(data):
    assert run("stats", "inspec", env={"KEYSEQ_DATA": str(data)}).exit_code == 0


@pytest.mark.parametrize(
    ("format", "line"),
    [
        ("markdown", "| inspec  |    2 |   4 |  2.0 | 1.0 | 75.0 |       2 |      3 |       1 |      1 |"),
        ("latex", r"inspec & 2 & 4 & 2.0 & 1.0 & 75.0 & 2 & 3 & 1 & 1 \\"),
    ],
)
def test_tables_for_papers(data, format, line):
    assert line in run("stats", "inspec", "--data", data, "--format", format).stdout.splitlines()


def test_json_for_machines(data):
    [found] = json.loads(run("stats", "inspec", "--data", data, "--json").stdout)
    assert found["name"] == "inspec"
    assert found["sizes"] == {"1": 1, "3": 1}
    assert (found["present_keyphrases"], found["absent_keyphrases"], found["variance"]) == (3, 1, 1.0)


def test_a_figure_is_drawn_beside_the_table(data):
    assert run("stats", "test", "--plot", "figure.svg").exit_code == 0
    assert "<!-- nus -->" in (data / "figure.svg").read_text()


def test_a_figure_that_cannot_be_drawn_is_refused_before_reading(data):
    (data / "test" / "nus.jsonl").write_text("not JSON")
    with pytest.raises(KeyseqError, match="the name of a figure must end in"):
        run("stats", "test", "--plot", "figure.gif", catch_exceptions=False)


def test_bad_documents_stop_the_count_or_are_skipped_and_told(data):
    with (data / "test" / "nus.jsonl").open("a") as file:
        file.write("{broken\n")
    with pytest.raises(KeyseqError, match=r"test/nus\.jsonl:3: not a JSON object"):
        run("stats", "test", catch_exceptions=False)
    done = run("stats", "test", "--skip-bad")
    assert done.exit_code == 1
    assert "nus         2    4" in done.stdout
    assert "test/nus.jsonl:3" in done.stderr


def test_documents_without_known_keyphrases_are_told(data):
    with (data / "test" / "nus.jsonl").open("a") as file:
        file.write('{"title": "No keywords"}\n')
    assert "nus: #Doc alone includes 1 document without known keyphrases" in run("stats", "test").stderr


def test_standard_input_with_its_format_named(data):
    text = (data / "test" / "nus.jsonl").read_text()
    assert run("stats", "-", "--from", "jsonl", input=text).stdout.splitlines()[2].split() == ["-", *ROW.split()]


def test_list_shows_sizes_and_what_is_found(data):
    lines = run("list", "--data", data).stdout.splitlines()
    [inspec] = [line for line in lines if line.startswith("inspec")]
    assert inspec.split()[1:5] == ["–", "1,500", "500", "test"]
    assert run("list").stdout.splitlines()[3].split()[:5] == ["inspec", "–", "1,500", "500", "–"]


def test_list_as_json_has_licence_home_and_the_way_to_get_it(data):
    entries = {entry["name"]: entry for entry in json.loads(run("list", "--json", "--data", data).stdout)}
    assert entries["inspec"]["found"] == ["test"]
    assert entries["stackex"]["licence"] == "CC BY-SA"
    assert all(entry["home"] and entry["how_to_get"] and entry["format"] for entry in entries.values())
