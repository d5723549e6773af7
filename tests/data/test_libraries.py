"""Libraries with keywords added, and not a byte changed beside."""

import io

import pytest

from keyseq.data.formats import read_documents
from keyseq.data.libraries import annotate
from keyseq.errors import DataError


def annotated(tmp_path, content, phrases, name="lib.bib"):
    path = tmp_path / name
    path.write_bytes(content.encode())
    out = io.StringIO(newline="")
    annotate(path, phrases, out)
    return out.getvalue()


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        pytest.param(
            "@article{k,\n  author    = {A},\n  title     = {T}\n}",
            "@article{k,\n  author    = {A},\n  title     = {T},\n  keywords  = {new, 50\\% of {a, b}}\n}",
            id="a new field in line with its neighbour",
        ),
        pytest.param(
            "@article{k,\r\n\ttitle={T},\r\n}\r\n",
            "@article{k,\r\n\ttitle={T},\r\n\tkeywords={new, 50\\% of {a, b}},\r\n}\r\n",
            id="tabs, no spaces, a comma at the end, Windows",
        ),
        pytest.param(
            '@misc(k, title = "T")', '@misc(k, title = "T", keywords = {new, 50\\% of {a, b}})', id="all in a line"
        ),
        pytest.param(
            "@misc{k, title={keywords = {x}}, Keywords = {Old; NEW },year=1}",
            "@misc{k, title={keywords = {x}}, Keywords = {Old; NEW; 50\\% of {a, b} },year=1}",
            id="a field that is there grows, in its own manner, without repeating",
        ),
        pytest.param(
            '@misc{k, title={T}, keywords = "old,"}',
            '@misc{k, title={T}, keywords = "old, new, 50\\% of {a, b}"}',
            id="in quotes, a comma at the end",
        ),
        pytest.param(
            "@misc{k, title={T}, keywords = {}}",
            "@misc{k, title={T}, keywords = {new, 50\\% of {a, b}}}",
            id="an empty field",
        ),
        pytest.param(
            '@string{kw = "old"}\n@misc{k, title={T}, keywords = kw}',
            '@string{kw = "old"}\n@misc{k, title={T}, keywords = kw # {, new, 50\\% of {a, b}}}',
            id="an abbreviation",
        ),
    ],
)
def test_keywords_are_added_to_an_entry(tmp_path, entry, expected):
    expected = expected.replace("50\\% of {a, b}", "{50\\% of a, b}")
    assert annotated(tmp_path, entry, [["new", "50% of a, b", "New"]]) == expected


LIBRARY = """\ufeffA library of mine, with \u00e9 and   spaces.

@comment{ @misc{a, title = {T}} }
@string{x = "X"}
@misc{a, title = {T}}
  @ARTICLE { b ,
     Author = "no text here" }
@misc{c, title = {U} , url = {1}, url = {2} }   trailing
@misc{a, title = {a key again}}
@misc{d, title = {V}, keywords = {known}}

"""


def test_everything_else_stays_byte_for_byte(tmp_path):
    assert (
        annotated(tmp_path, LIBRARY, [["known"], [], ["Known"]]).replace(", keywords = {known}}\n", "}\n", 1) == LIBRARY
    )
    assert annotated(tmp_path, LIBRARY, [[], [], []]) == LIBRARY


def test_phrases_go_to_the_entries_that_are_read_as_documents(tmp_path):
    result = annotated(tmp_path, LIBRARY, [["p"], ["q"], ["r"]])
    (tmp_path / "out.bib").write_text(result)
    skipped = []
    documents = read_documents(tmp_path / "out.bib", skipped=skipped)
    assert {document.id: document.keyphrases for document in documents} == {
        "a": ("p",),
        "c": ("q",),
        "d": ("known", "r"),
    }
    assert len(skipped) == 2


RIS = """\ufeffHead
TY  - GEN
TI  - T
KW  - Old
{first}ER  -

TY  - GEN
AU  - no text here
ER  -
TY  - GEN
TI  - U
{second}ER  -"""


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_ris_gets_its_lines_before_the_end_of_each_reference(tmp_path, line_end):
    library = RIS.format(first="", second="").replace("\n", line_end)
    expected = RIS.format(first="KW  - new one\n", second="KW  - x\n").replace("\n", line_end)
    assert annotated(tmp_path, library, [["old", "new\none"], ["x"]], "lib.ris") == expected


@pytest.mark.parametrize("phrases", [[], [["a"], ["b"]]])
@pytest.mark.parametrize(
    ("name", "content"), [("a.bib", "@misc{a, title={T}}"), ("a.ris", "TY  - GEN\nTI  - T\nER  - \n")]
)
def test_phrases_for_other_documents_are_the_callers_mistake(tmp_path, name, content, phrases):
    with pytest.raises(ValueError, match="lists of phrases than documents"):
        annotated(tmp_path, content, phrases, name)


def test_only_libraries_can_be_annotated(tmp_path):
    with pytest.raises(DataError, match=r"a\.jsonl: not a library or a table; its format must be one of bibtex, ris"):
        annotated(tmp_path, "", [], "a.jsonl")
