"""Text in BibTeX's fields."""

import random

import pytest

from keyseq.data.formats.latex import to_latex, to_text


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"G{\"o}del, \'Etude, {\ss}, \c c, \o re", "Gödel, Étude, ß, ç, øre"),
        (r"{DNA} and {{RNA}}", "DNA and RNA"),
        (r"50% of AT&T, 5\% of R\&D", "50% of AT&T, 5% of R&D"),  # no comment begins, no cell ends
        (r"``a -- b''~c", "“a – b” c"),
        (r"in $O(n \log n)$ time", r"in $O(n \log n)$ time"),
        (
            r"{\em two words} and \emph{two more} at \url{http://a_b.c/%20}",
            "two words and two more at http://a_b.c/%20",
        ),
        ("one\n\n   two", "one two"),
        (r"\'\footnote{x}", r"\'\footnote{x}"),  # the decoder fails; the text stays
        ("a } b { c", "a b c"),
        ("\\", ""),
    ],
)
def test_markup_becomes_the_text_that_it_means(latex, text):
    assert to_text(latex) == text


def test_no_text_is_changed_by_escaping_and_decoding():
    source = random.Random(1)
    for _ in range(3_000):
        text = "".join(source.choices("ab -'`?!<>,\\{}%&$#_~^\"éα.;:()[]@|*+=/0", k=source.randint(1, 30)))
        latex = to_latex(" ".join(text.split()))
        assert to_text(latex) == " ".join(text.split())
        assert latex.count("{") == latex.count("}")  # BibTeX counts them


def test_nothing_is_said_about_odd_markup(capfd):
    to_text(r"\url \textbf \'\footnote{x y}")
    assert capfd.readouterr() == ("", "")
