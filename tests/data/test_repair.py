import pytest

from keyseq.data.repair import plain, repaired


@pytest.mark.parametrize(
    ("damaged", "meant", "reason"),
    [
        ("the CramÃ©r bound", "the Cramér bound", "UTF-8 read as Latin-1"),
        ("we call it â€œnaturalâ€\x9d here", "we call it “natural” here", "quotation marks are not made straight"),
        ("an eﬃcient ﬁlter", "an efficient filter", "ligatures of a PDF"),
        ("Gaspe\u0301sie", "Gaspésie", "an accent of its own"),
        ("naïve Übung — 5 µm", "naïve Übung — 5 µm", "what is right stays"),
        ("plain text", "plain text", "ASCII cannot be damaged"),
    ],
)
def test_damage_to_the_encoding_is_undone(damaged, meant, reason):
    assert repaired(damaged) == meant, reason


@pytest.mark.parametrize(
    ("marked", "shown", "reason"),
    [
        ("p &lt; 0.05 &amp; more", "p < 0.05 & more", "entities"),
        ("the phase (&#966;) and &#x3b1;", "the phase (φ) and α", "numbered entities"),
        ("brain&x2013;computer", "brain–computer", "whose # was lost"),
        ("1.2 & PLUSMN; 0.3", "1.2 ± 0.3", "a database's capitals and space"),
        ("a plant in Kass & oslash;, Denmark", "a plant in Kassø, Denmark", "a letter goes back into its word"),
        ("a gap of 5 & Aring; here", "a gap of 5 Å here", "a unit does not"),
        ("male & female; R&D; M&As; AT&T", "male & female; R&D; M&As; AT&T", "no entity at all"),
        ("&#0; &#xFFFFFF;", "&#0; &#xFFFFFF;", "no character"),
        ("CO<sub>2</sub> <i>in situ</i>", "CO2 in situ", "tags within a line part no words"),
        ("<p>First.</p><jats:p>Second.</jats:p>", "First. Second.", "tags of blocks do"),
        ('<span class="x">word</span>', "word", "attributes"),
        ("if a<b and c>d, or <P2>", "if a<b and c>d, or <P2>", "signs and names are no tags"),
        (r"a \emph{new} \textbf{\textit{kind}}", "a new kind", "emphasis, one in another"),
        (r"the {\em old} way, 5\% \& more", "the old way, 5% & more", "groups and escapes"),
        (r"$\beta$-DQN in $O(n \log n)$", "β-DQN in O(n log n)", "formulas as they are read"),
        (r"$\textsf{Name}$ is it", "Name is it", "words set as formulas"),
        (r"from $5 to \emph{at most} $9", "from $5 to at most $9", "prices are no formula"),
        (r"G\"odel and {\'E}tale \cite{a} sets", "Gödel and Étale sets", "accents and citations"),
        (r"the \DNA\ of mice", "the DNA of mice", "braces that became backslashes"),
        (r"the internal\external border", r"the internal\external border", "an unknown command may be a word"),
        ("two\n lines  here", "two lines here", "white space"),
    ],
)
def test_markup_goes_and_words_stay(marked, shown, reason):
    assert plain(marked) == shown, reason


def test_plain_text_is_plain_already():
    for text in (r"$\alpha$ &amp; <b>x</b>", r"\emph{a}"):
        assert plain(plain(text)) == plain(text)
