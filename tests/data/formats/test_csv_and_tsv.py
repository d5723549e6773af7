"""Tables with named columns."""

import pytest

from keyseq.data.formats import Columns, read_documents
from keyseq.errors import DataError
from keyseq.types import Document


def read(tmp_path, content, name="corpus.csv", **options):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return list(read_documents(path, **options))


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        pytest.param(
            "a.csv",
            "id,title,abstract,keywords\nx,T,B,a; b;\n\n, , ,\n  \ny,U,C,\n",
            [
                Document(id="x", title="T", body="B", keyphrases=("a", "b")),
                Document(id="y", title="U", body="C", keyphrases=()),
            ],
            id="named as in JSON; an empty cell is no keyphrases, a blank line no row",
        ),
        pytest.param("a.tsv", "title\tabstract\nT\tB, b\n", [Document(id="1", title="T", body="B, b")], id="tabs"),
        pytest.param(
            "a.csv",
            '\ufeffTitle,Year,Abstract\r\n"T ""q""",1999,"two\r\nlines"\r\nU,2000,C\r\n',
            [
                Document(id="1", title='T "q"', body="two\r\nlines", year=1999),
                Document(id="2", title="U", body="C", year=2000),
            ],
            id="as spreadsheets write it",
        ),
        pytest.param("a.csv", "Title,title\nA,b\n", [Document(id="1", title="b")], id="the exact name first"),
    ],
)
def test_rows_become_documents(tmp_path, name, content, expected):
    assert read(tmp_path, content, name) == expected


def test_the_user_says_which_column_is_what(tmp_path):
    content = "Nr,Headline,Story,Topics\n7,H,S,a|b;c\n"
    columns = Columns(id="nr", title="Headline", text="Story", keyphrases="Topics", separator="|")
    assert read(tmp_path, content, columns=columns) == [Document(id="7", title="H", body="S", keyphrases=("a", "b;c"))]
    with pytest.raises(DataError, match=r"corpus\.csv:1: has no field 'Storey'; did you mean 'Story'\?"):
        read(tmp_path, content, columns=Columns(text="Storey"))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param("a,b\n1,2\n", r":1: has no text; of its fields \(a, b\) choose one with", id="no text column"),
        pytest.param("", r": has no header with the names of columns", id="empty"),
        pytest.param("title,title\na,b\n", ":1: two columns are named 'title'", id="column twice"),
        pytest.param('"title\na,b\n', ":1: unexpected end of data; is a quote left open", id="broken header"),
        pytest.param(b"PK\3\4\x14\0\r\n", ": is a zip archive or an office document, not text", id="Excel"),
        pytest.param("title,abstract\na,b\n".encode("utf-16-le"), ": looks like UTF-16 without", id="UTF-16"),
        pytest.param("id,title\r1,a\r", ":1: has the line ends of old Macs", id="lines of old Macs"),
        pytest.param(b"ti\xe9tle\na\n", r":1: not UTF-8 \(byte 0xE9\)", id="header not UTF-8"),
    ],
)
def test_a_table_whose_header_will_not_do_is_refused_even_when_skipping(tmp_path, content, message):
    for skipped in (None, []):
        with pytest.raises(DataError, match=message):
            read(tmp_path, content, skipped=skipped)


@pytest.mark.parametrize(
    ("row", "line", "message"),
    [
        pytest.param(b"a,b,c", 4, "has 3 cells where the header has 2", id="too many cells"),
        pytest.param(b'"a"b,c', 4, "',' expected after '\"'; is a quote left open", id="quote inside"),
        pytest.param(b"caf\xe9,c", 4, r"not UTF-8 \(byte 0xE9\)", id="not UTF-8"),
        pytest.param(b'"a\nb\xe9",c', 5, r"not UTF-8 \(byte 0xE9\)", id="not UTF-8 in a cell's second line"),
    ],
)
def test_a_bad_row_is_named_by_its_line_or_passed_over(tmp_path, row, line, message):
    content = b'title,abstract\n"fir\nst",x\n' + row + b"\nlast,y\n"
    with pytest.raises(DataError, match=rf"corpus\.csv:{line}: {message}"):
        read(tmp_path, content)
    skipped = []
    assert [document.body for document in read(tmp_path, content, skipped=skipped)] == ["x", "y"]
    assert len(skipped) == 1


def test_a_quote_left_open_swallows_no_rows_in_silence(tmp_path):
    with pytest.raises(DataError, match=r"corpus\.csv:3: unexpected end of data; is a quote left open"):
        read(tmp_path, 'title\na\n"b\nc\nd\n')


def test_long_cells_are_read(tmp_path):
    [document] = read(tmp_path, f"title\n{'a' * 1_000_000}\n")
    assert len(document.title) == 1_000_000


def test_a_row_without_text_is_bad(tmp_path):
    with pytest.raises(DataError, match=r"corpus\.csv:2: has no text"):
        read(tmp_path, "id,title\n7, \n")


@pytest.mark.parametrize("said", ["[No abstract available]", "No abstract available.", " [no abstract] "])
def test_what_a_database_writes_in_the_place_of_an_abstract_is_none(tmp_path, said):
    [document] = read(tmp_path, f"title,abstract\nPreface,{said}\n")
    assert document.body == ""
    with pytest.raises(DataError, match="has no text"):
        read(tmp_path, f"title,abstract\n,{said}\n")


def test_keyphrases_cannot_be_parted_by_nothing():
    with pytest.raises(DataError, match="the separator of keyphrases must not be empty"):
        Columns(separator="")
