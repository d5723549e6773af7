"""Libraries and tables come back whole, with keyphrases added: read again by the libraries that people use."""

import csv
import io
import json
import xml.etree.ElementTree as ElementTree

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pymarc
import pytest
from tests.data.formats.sample_papers import SAMPLES
from tests.data.formats.written_libraries import WRITERS, marc_records

from keyseq.data.formats import CorpusReading, ReadingReport, read_documents
from keyseq.data.libraries import annotate
from keyseq.data.tagging import TAGGERS, Tagging, tag
from keyseq.errors import DataError, KeyseqError

PAPERS = SAMPLES[:3]
NEW = [["a new phrase", PAPERS[0].keywords[0].upper()], ["größere Wörter, mit Komma"], []]
TAGGED = {kind: known for kind, known in WRITERS.items() if known[0] in TAGGERS}


def tagged(path, phrases=NEW, format=None, **rules):
    out = io.BytesIO()
    annotate(path, phrases, out, format=format, rules=Tagging(**rules))
    return out.getvalue()


def written(folder, kind):
    known, suffix, write = TAGGED[kind]
    path = folder / f"library{suffix}"
    write(path, PAPERS)
    return path, known


@pytest.mark.parametrize("kind", TAGGED)
def test_documents_are_the_same_afterwards_but_for_their_keyphrases(kind, tmp_path):
    path, known = written(tmp_path, kind)
    again = path.with_name(f"again{path.suffix}")
    again.write_bytes(tagged(path, format=known))
    before, after = (list(read_documents(one, format=known)) for one in (path, again))
    assert [(one.id, one.title, one.body) for one in after] == [(one.id, one.title, one.body) for one in before]


@pytest.mark.parametrize("kind", [kind for kind, known in TAGGED.items() if known[0] in ("csv", "tsv")])
def test_a_table_gets_one_column_and_keeps_every_other_byte(kind, tmp_path):
    path, known = written(tmp_path, kind)
    encoding = "utf-16" if "16" in kind else "utf-8-sig"
    result = tagged(path, format=known, column="Tags").decode(encoding)
    delimiter = "\t" if known == "tsv" else ";" if "Web" in kind else ","
    rows = list(csv.reader(io.StringIO(result, newline=""), delimiter=delimiter))
    with path.open(encoding=encoding, newline="") as file:
        assert [row[:-1] for row in rows] == list(csv.reader(file, delimiter=delimiter))
    assert [row[-1] for row in rows] == ["Tags", f"a new phrase; {NEW[0][1]}", NEW[1][0], ""]


@pytest.mark.parametrize(("kind", "suffix"), [("CSL-JSON", ".json"), ("MARCXML", ".xml")])
def test_a_library_is_known_by_what_it_holds_where_its_name_does_not_tell(kind, suffix, tmp_path):
    path, known = written(tmp_path, kind)
    assert path.suffix == suffix
    assert tagged(path) == tagged(path, format=known)
    WRITERS["OpenAlex JSON" if suffix == ".json" else "PubMed XML"][2](path, PAPERS)
    with pytest.raises(DataError, match=rf"library\{suffix}: not a library or a table; its format must be one of bib"):
        tagged(path)


def test_a_parquet_file_gets_a_column_of_lists_and_keeps_every_other_with_its_metadata(tmp_path):
    path, again = tmp_path / "a.parquet", tmp_path / "b.parquet"
    schema = pa.schema([pa.field("n", pa.int16(), metadata={"unit": "m"}), ("title", pa.string())], {"of": "me"})
    pq.write_table(pa.table({"n": [1, None, 3], "title": ["one", None, "three"]}, schema), path)
    again.write_bytes(tagged(path, [["p", "P"], []], column="Tags"))
    before, after = pq.read_table(path), pq.read_table(again)
    assert after.drop_columns("Tags").equals(before, check_metadata=True)
    assert after["Tags"].to_pylist() == [["p"], None, []]
    with pytest.raises(DataError, match=r"b\.parquet: has a column 'Tags' already; name another one with --column"):
        tagged(again, [[], []], column="tags")


def test_a_table_of_any_shape_stays_as_it_is(tmp_path):
    path = tmp_path / "odd.csv"
    content = 'sep=;\r\nTitle;"a ""quoted"" note";n\r\n\r\n"one\r\nline";x;01\r\n;;\r\n;no text;2\r\nlast;y;3'
    path.write_bytes(content.encode())
    assert tagged(path, [["p;q"], ["r"]]).decode() == (
        'sep=;\r\nTitle;"a ""quoted"" note";n;keyphrases\r\n\r\n"one\r\nline";x;01;p q\r\n;;\r\n;no text;2;\r\n'
        "last;y;3;r"
    )


def test_a_row_that_cannot_be_read_passes_through_byte_for_byte(tmp_path):
    path = tmp_path / "bad.csv"
    path.write_bytes(b"title,n\ngood,1\nbad \xe9,2\nthree,cells,here\nend,3\n")
    assert tagged(path, [["p"], ["q"]]) == (b"title,n,keyphrases\ngood,1,p\nbad \xe9,2,\nthree,cells,here\nend,3,q\n")


def test_a_column_that_is_there_already_is_not_overwritten(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("title,Keyphrases\na,b\n")
    with pytest.raises(DataError, match=r"table\.csv:1: has a column 'Keyphrases' already; name another .* --column"):
        tagged(path, [["p"]])
    with pytest.raises(KeyseqError, match="must not be empty"):
        Tagging(column=" ")


def test_a_workbook_keeps_its_sheets_formulas_and_styles(tmp_path):
    path, _ = written(tmp_path, "Excel")
    workbook = openpyxl.load_workbook(path)
    workbook["savedrecs"]["A3"].font = openpyxl.styles.Font(bold=True)
    workbook["Sheet"]["A2"] = "=1+1"
    workbook.save(path)
    after = openpyxl.load_workbook(io.BytesIO(tagged(path)))
    assert after["Sheet"]["A2"].value == "=1+1"
    assert after["savedrecs"]["A3"].font.bold
    sheet = after["savedrecs"]
    assert [sheet.cell(row, sheet.max_column).value for row in range(1, 6)] == [
        None,
        "keyphrases",
        f"a new phrase; {NEW[0][1]}",
        NEW[1][0],
        None,
    ]


def marc_terms(content):
    return [[field.get_subfields("a")[0] for field in one.get_fields("653")] for one in pymarc.MARCReader(content)]


def test_marc_records_get_fields_653_and_keep_the_others(tmp_path):
    path, _ = written(tmp_path, "MARC 21")
    before, after = (list(pymarc.MARCReader(one)) for one in (path.read_bytes(), tagged(path)))
    for old, new in zip(before, after, strict=True):
        assert [str(one) for one in new.fields if one.tag != "653"] == [
            str(one) for one in old.fields if one.tag != "653"
        ]
        assert [one.tag for one in new.fields] == sorted(one.tag for one in new.fields), "in the order of the tags"
    existing = [[f"{word}." for word in paper.keywords] for paper in PAPERS]
    assert marc_terms(tagged(path)) == [[*existing[0], "a new phrase"], [*existing[1], NEW[1][0]], existing[2]]


def test_a_marc_record_in_marc_8_gets_ascii(tmp_path):
    record = next(marc_records(PAPERS[:1], "650")).as_marc()
    (tmp_path / "old.mrc").write_bytes(record[:9] + b" " + record[10:])
    [terms] = marc_terms(tagged(tmp_path / "old.mrc", [["größer", "дерево"]]))
    assert terms == ["grosser"]


def test_marcxml_gets_fields_653_in_its_namespace(tmp_path):
    path, known = written(tmp_path, "MARCXML")
    result = tagged(path, format=known)
    root = ElementTree.fromstring(result)
    space = "{http://www.loc.gov/MARC21/slim}"
    terms = [[one[0].text for one in record.findall(f"{space}datafield[@tag='653']")] for record in root]
    assert terms == [["a new phrase"], [NEW[1][0]], []], "headings (650) count as existing keywords"
    first, last = result.index(b'<datafield tag="653"'), result.index(b"</record>")
    assert result[:first] + result[last : last + 20] == path.read_bytes()[: first + 20], "all else stays"


def test_csl_items_keep_fields_order_and_indent(tmp_path):
    path, known = written(tmp_path, "CSL-JSON")
    items, before = json.loads(tagged(path, format=known)), json.loads(path.read_text())
    assert [{**item, "keyword": ""} for item in items] == [{**item, "keyword": ""} for item in before]
    assert items[0]["keyword"] == f"{before[0]['keyword']}, a new phrase"
    assert items[2] == before[2]
    assert tagged(path, [[], [], []], known) == path.read_bytes()


def test_a_library_that_begins_with_a_page_without_author_and_date_is_known_too(tmp_path):
    path, known = written(tmp_path, "CSL-JSON")
    page = {"id": "p", "type": "webpage", "title": "Delivery robots"}
    path.write_text(json.dumps([page, *json.loads(path.read_text())]))
    assert tagged(path, [["parcels"], *NEW]) == tagged(path, [["parcels"], *NEW], format=known)


BIB = "@misc{a, title={T}, keywords={old one}}\n@misc{b, title={V}}\n"
RIS = "TY  - GEN\nTI  - T\nKW  - old one\n  goes on\nAU  - A\nER  - \nTY  - GEN\nTI  - V\nER  - \n"


@pytest.mark.parametrize(
    ("existing", "bib", "ris"),
    [
        ("merge", "keywords={old one, new}}", "KW  - old one\n  goes on\nAU  - A\nKW  - new\nER"),
        ("keep", "keywords={old one}}", "KW  - old one\n  goes on\nAU  - A\nER"),
        ("replace", "keywords={new}}", "TI  - T\nAU  - A\nKW  - new\nER"),
    ],
)
def test_existing_keywords_are_kept_merged_or_replaced(tmp_path, existing, bib, ris):
    for name, content, expected, added in (("a.bib", BIB, bib, "keywords={new}"), ("a.ris", RIS, ris, "KW  - new")):
        path = tmp_path / name
        path.write_text(content)
        result = tagged(path, [["new"], ["new"]], existing=existing).decode()
        assert expected in result
        assert added in result.rpartition("V")[2], "an entry without keywords always gets some"
        assert tagged(path, [[], []], existing=existing).decode() == content, "nothing new: nothing lost"


@pytest.mark.parametrize("existing", ["merge", "keep", "replace"])
def test_existing_terms_of_marc_and_csl_follow_the_same_rule(tmp_path, existing):
    path, _ = written(tmp_path, "MARC 21")
    old = [f"{word}." for word in PAPERS[0].keywords]
    expected = {"merge": [*old, "a new phrase"], "keep": old, "replace": ["a new phrase", NEW[0][1]]}[existing]
    assert marc_terms(tagged(path, existing=existing))[0] == expected
    path, known = written(tmp_path, "CSL-JSON")
    before = ", ".join(PAPERS[0].keywords)
    told = {"merge": f"{before}, a new phrase", "keep": before, "replace": f"a new phrase, {NEW[0][1]}"}[existing]
    assert json.loads(tagged(path, format=known, existing=existing))[0]["keyword"] == told


def test_the_encoding_of_a_library_stays(tmp_path):
    path = tmp_path / "latin.bib"
    path.write_bytes("@misc{a, title={Größe}}\n".encode("cp1252"))
    out = io.BytesIO()
    source = CorpusReading(format="bibtex", encoding="cp1252").source(str(path), ReadingReport())
    tag("bibtex", source, [["Größe"]], out)
    assert "title={Größe}".encode("cp1252") in out.getvalue()
