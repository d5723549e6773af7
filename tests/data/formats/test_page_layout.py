"""What old or narrow pages do to words, as papers set in LaTeX have it."""

import pytest
from reportlab.pdfgen.canvas import Canvas

from keyseq.data.formats import read_documents
from keyseq.data.formats.page_layout import TextLine, read_layout


def lines(*texts):
    return [TextLine(text, 10.0, 700.0 - 12 * place) for place, text in enumerate(texts)]


def test_a_keyword_that_is_divided_at_the_end_of_a_line_is_whole():
    page = lines("We test.", "Keywords: structural change, moni-", "toring, S.", "1 Introduction")
    assert read_layout([page]).keywords == "structural change, monitoring, S"


def test_keywords_of_a_line_each_need_no_separator():
    assert read_layout([lines("We test.", "Keywords:", "monitoring", "structural change")]).keywords == (
        "monitoring; structural change"
    )


@pytest.mark.parametrize("first", [11, 27])
def test_ligatures_in_the_encodings_of_tex_are_letters(tmp_path, first):
    canvas = Canvas(str(tmp_path / "a.pdf"), pageCompression=0)
    canvas.drawString(60, 700, "Stu# modi$es re%ections of o&cial sta*e.")
    canvas.save()
    content = (tmp_path / "a.pdf").read_bytes()
    for place, mark in enumerate((b"u#", b"i$", b"e%", b"o&", b"a*")):
        assert content.count(mark) == 1
        content = content.replace(mark, mark[:1] + b"\\%03o" % (first + place))
    (tmp_path / "a.pdf").write_bytes(content)
    [document] = read_documents(tmp_path / "a.pdf")
    assert document.body == "Stuff modifies reflections of official staffle."


def drawn(path, *pieces):
    canvas = Canvas(str(path))
    for x, y, text in pieces:
        canvas.saveState()
        canvas.translate(x, y)
        piece = canvas.beginText(0, 0)
        piece.textOut(text)
        canvas.drawText(piece)
        canvas.restoreState()
    canvas.save()
    [document] = read_documents(path)
    return document.body


def test_a_word_whose_hyphen_is_drawn_apart_is_whole(tmp_path):
    lines = ((60, 700, "A bucket for every ten"), (181, 700, "-"), (60, 688, "ant serves it - for all."))
    assert drawn(tmp_path / "a.pdf", *lines) == "A bucket for every tenant serves it - for all."


def test_a_dash_in_the_last_cell_of_a_table_joins_no_words(tmp_path):
    cells = ((60, 700, "precision"), (120, 700, "0.3"), (181, 700, "-"), (60, 688, "recall"), (120, 688, "0.4"))
    assert "0.3 - recall" in drawn(tmp_path / "a.pdf", *cells)
