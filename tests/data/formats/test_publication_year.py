"""The year of a document, from libraries, tables and JSON lines."""

import pytest

from keyseq.data.formats import read_documents
from keyseq.data.formats.publication_year import year_of


@pytest.mark.parametrize(
    ("values", "year"),
    [
        ((2019,), 2019),
        (("{2019}",), 2019),
        (("2019/05/03/",), 2019),
        (("May 1987",), 1987),
        (("", "2001"), 2001),
        (("12345",), None),  # no year inside a longer number
        ((None, True), None),
        (("in press",), None),
    ],
)
def test_years_are_found_as_they_are_written(values, year):
    assert year_of(*values) == year


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.bib", "@article{k, title={Tides}, abstract={Tides move sand.}, year=2019}"),
        ("b.bib", "@article{k, title={Tides}, abstract={Tides move sand.}, date={2019-05}, year = unknown # text}"),
        ("a.ris", "TY  - JOUR\nTI  - Tides\nAB  - Tides move sand.\nPY  - 2019\nER  - \n"),
        ("b.ris", "TY  - JOUR\nTI  - Tides\nAB  - Tides move sand.\nY1  - 2019/05//\nER  - \n"),
        ("a.csv", "title,abstract,Year\nTides,Tides move sand.,2019\n"),
        ("a.jsonl", '{"title": "Tides", "abstract": "Tides move sand.", "year": 2019}\n'),
    ],
)
def test_documents_keep_the_year_of_their_records(tmp_path, name, content):
    (tmp_path / name).write_text(content)
    [document] = read_documents(tmp_path / name)
    assert document.year == 2019
