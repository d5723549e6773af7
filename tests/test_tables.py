"""Tables in the three layouts."""

import pytest

from keyseq.errors import KeyseqError
from keyseq.tables import escape_latex, render

HEADERS = ["Dataset", "#KP", "Mean"]
ROWS = [["inspec", 4913, "9.8"], ["a_long|name", 1234567, None]]


def test_text_aligns_numbers_right_and_leaves_no_trailing_space():
    assert render(HEADERS, ROWS) == (
        "Dataset            #KP  Mean\n"
        "-----------  ---------  ----\n"
        "inspec           4,913   9.8\n"
        "a_long|name  1,234,567     –\n"
    )
    assert render(["n", "name"], [[1, "x"], [2, "yy"]]).splitlines() == ["n  name", "-  ----", "1  x", "2  yy"]


def test_markdown_marks_alignment_and_escapes_bars_so_that_no_cell_splits():
    assert render(HEADERS, ROWS, "markdown") == (
        "| Dataset      |       #KP | Mean |\n"
        "| ------------ | --------: | ---: |\n"
        "| inspec       |     4,913 |  9.8 |\n"
        "| a_long\\|name | 1,234,567 |    – |\n"
    )


def test_latex_is_a_booktabs_table_with_every_special_character_escaped():
    assert render(HEADERS, ROWS, "latex") == (
        "\\begin{tabular}{lrr}\n"
        "\\toprule\n"
        "Dataset & \\#KP & Mean \\\\\n"
        "\\midrule\n"
        "inspec & 4,913 & 9.8 \\\\\n"
        "a\\_long|name & 1,234,567 & \\textendash{} \\\\\n"
        "\\bottomrule\n"
        "\\end{tabular}\n"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("50% & more_#1", r"50\% \& more\_\#1"),
        (r"a\b", r"a\textbackslash{}b"),  # the braces of the replacement are not escaped again
        ("{x}$^~", r"\{x\}\$\textasciicircum{}\textasciitilde{}"),
        ("31.4 ± 0.2†", r"31.4 \ensuremath{\pm} 0.2\textdagger{}"),
        ("é λ 漢", r"\'e \ensuremath{\lambda} 漢"),  # a letter without a command is left to the fonts
    ],
)
def test_latex_specials_print_as_themselves(text, expected):
    assert escape_latex(text) == expected


@pytest.mark.parametrize("cell", ["[10pt]", "*"])
def test_no_cell_is_taken_for_an_option_of_the_row_before(cell):
    assert f"\n{{}}{cell} \\\\\n" in render(["a"], [["x"], [cell]], "latex")


@pytest.mark.parametrize(
    ("cells", "right"),
    [
        (["1", "2.5", "–"], True),
        (["-0.3", "+1,000.25", "63.3%", "31.4 ± 0.2", "0.34*", "1e-05", "0.3 [0.2, 0.4]"], True),
        (["1", "n/a"], False),
        (["v1", "2"], False),
        ([""], False),
    ],
)
def test_a_column_is_right_aligned_only_if_all_its_cells_are_numbers(cells, right):
    rule = render(["a rather wide header"], [[cell] for cell in cells], "markdown").splitlines()[1]
    assert rule.endswith("-: |") == right


def test_line_breaks_in_a_cell_cannot_break_the_table():
    assert render(["a"], [["x\ny\t z"]]) == "a\n-----\nx y z\n"


def test_a_table_without_rows_still_shows_its_headers():
    assert render(["a", "bb"], []) == "a  bb\n-  --\n"
    assert render(["a"], [], "latex").count("\n") == 6


def test_an_unknown_format_lists_the_choices():
    with pytest.raises(KeyseqError, match="unknown table format 'html'; choose one of text, markdown, latex"):
        render(["a"], [], "html")


def test_a_row_of_another_length_is_refused_rather_than_misaligned():
    with pytest.raises(ValueError, match="a row of 1 cells under 2 headers"):
        render(["a", "b"], [["x"]])
