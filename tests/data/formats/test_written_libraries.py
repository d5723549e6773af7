"""Libraries, tables and exports as people have them: ten of each, read with the right titles, texts and ids."""

import unicodedata
import zipfile

import pytest
from tests.data.formats.sample_papers import SAMPLES
from tests.data.formats.written_libraries import TWO, WRITERS, marc_records

from keyseq.data.formats import FORMATS, CorpusReading, ReadingReport, read_documents
from keyseq.errors import DataError
from keyseq.types import Document


@pytest.mark.parametrize("kind", WRITERS)
def test_ten_files_are_read_with_titles_texts_keywords_and_ids(tmp_path, kind):
    name, suffix, write = WRITERS[kind]
    assert suffix in FORMATS[name].suffixes or suffix in (".txt", ".json", ".xml")
    prefix = "https://openalex.org/W" if kind == "OpenAlex JSON" else ""
    numbered = kind == "BibTeX"  # whose keys have no spaces
    summary = kind == "PubMed CSV"  # which has neither abstracts nor keywords
    year = 2021 if kind in ("BibTeX", "RIS") else None
    for number in range(10):
        papers = [SAMPLES[number], SAMPLES[number - 1]]
        write(tmp_path / f"{number}{suffix}", papers)
        assert list(read_documents(tmp_path / f"{number}{suffix}")) == [
            Document(
                id=f"k{SAMPLES.index(paper)}" if numbered else prefix + paper.name,
                title=paper.title,
                body="" if summary else paper.abstract,
                keyphrases=None if summary else paper.keywords,
                year=year,
            )
            for paper in papers
        ]


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("Zotero CSV", "export of Zotero: id from 'Key', title from 'Title', text from 'Abstract Note', keyphrases"),
        ("Scopus CSV", "export of Scopus: id from 'EID', title from 'Title', text from 'Abstract', keyphrases"),
        ("Web of Science CSV", "export of Web of Science: id from 'UT (Unique WOS ID)', title from 'Article Title'"),
        ("Web of Science tabs", "export of Web of Science: id from 'UT', title from 'TI', text from 'AB', keyph"),
        ("PubMed CSV", "read as an export of PubMed: id from 'PMID', title from 'Title'"),
        ("OpenAlex CSV", "read as an export of OpenAlex: id from 'id', title from 'display_name', text from 'abs"),
        ("Excel", "read as an export of Web of Science: id from 'UT (Unique WOS ID)'"),
        ("Parquet", "id from 'id', title from 'title', text from 'abstract', keyphrases from 'keywords'"),
    ],
)
def test_the_columns_that_are_read_are_told(tmp_path, kind, told):
    _, suffix, write = WRITERS[kind]
    write(tmp_path / f"a{suffix}", TWO)
    notes = []
    list(CorpusReading().documents(tmp_path / f"a{suffix}", ReadingReport(tell=notes.append)))
    [note] = notes
    assert note.startswith(f"{tmp_path / 'a'}{suffix}: ")
    assert told in note


def test_a_table_of_nothing_but_what_is_read_needs_no_word(tmp_path):
    (tmp_path / "a.csv").write_text("id,title\n1,a\n")
    notes = []
    list(CorpusReading().documents(tmp_path / "a.csv", ReadingReport(tell=notes.append)))
    assert notes == []


def test_a_column_that_the_user_names_comes_before_that_of_the_export(tmp_path):
    _, _, write = WRITERS["Zotero CSV"]
    write(tmp_path / "a.csv", TWO)
    [first, _] = CorpusReading.of(keywords_column="Automatic Tags").documents(tmp_path / "a.csv")
    assert (first.id, first.keyphrases) == (TWO[0].name, ("never", "read"))


@pytest.mark.parametrize(
    "content",
    ["sep=;\r\nTitel;Text\r\nGröße;Viel\r\n", "Titel;Text\nGröße;Viel\n", "Titel\tText\nGröße\tViel\n"],
)
def test_the_delimiters_of_spreadsheets_are_recognised(tmp_path, content):
    (tmp_path / "a.csv").write_text(content, encoding="utf-8-sig", newline="")
    [document] = CorpusReading.of(title_column="Titel").documents(tmp_path / "a.csv")
    assert (document.title, document.body) == ("Größe", "Viel")
    (tmp_path / "a.csv").write_text(content.replace("Text", "Worte"), newline="")
    with pytest.raises(DataError, match=r"has no text; of its fields \(Titel, Worte\)"):
        list(read_documents(tmp_path / "a.csv"))


def test_records_of_older_catalogues_are_decoded(tmp_path):
    """MARC-8, in which an accent stands before its letter."""
    [record] = marc_records([SAMPLES[0]._replace(title="?Elegance")])
    raw = record.as_marc().replace(b"?Elegance", b"\xe2Elegance")
    (tmp_path / "a.mrc").write_bytes(raw[:9] + b" " + raw[10:])
    [document] = read_documents(tmp_path / "a.mrc")
    assert unicodedata.normalize("NFC", document.title) == "Élegance"


def test_one_bad_record_of_a_catalogue_is_passed_over(tmp_path):
    good = [record.as_marc() for record in marc_records(SAMPLES[:3])]
    (tmp_path / "a.mrc").write_bytes(good[0] + good[1][:12] + b"x" + good[1][13:] + b"\n" + good[2])
    with pytest.raises(DataError, match=r"a\.mrc: record 2: cannot be read"):
        list(read_documents(tmp_path / "a.mrc"))
    skipped = []
    found = [document.id for document in read_documents(tmp_path / "a.mrc", skipped=skipped)]
    assert found == [SAMPLES[0].name, SAMPLES[2].name]
    assert len(skipped) == 1


def test_entities_are_refused_in_a_workbook(tmp_path):
    _, _, write = WRITERS["Excel"]
    write(tmp_path / "a.xlsx", TWO)
    doctype = b'<!DOCTYPE a [<!ENTITY a "haha"><!ENTITY b "&a;&a;&a;&a;&a;">]>'
    with zipfile.ZipFile(tmp_path / "a.xlsx") as whole, zipfile.ZipFile(tmp_path / "b.xlsx", "w") as out:
        for member in whole.infolist():
            content = whole.read(member)
            out.writestr(member, doctype + content if member.filename.endswith("sheet2.xml") else content)
    with pytest.raises(DataError, match=r"b\.xlsx: damaged, or not an Excel file"):
        list(read_documents(tmp_path / "b.xlsx"))


def test_a_workbook_that_unpacks_to_too_much_is_refused(tmp_path, monkeypatch):
    _, _, write = WRITERS["Excel"]
    write(tmp_path / "a.xlsx", TWO)
    monkeypatch.setattr("keyseq.data.formats.packages.LARGEST", 2000)
    with pytest.raises(DataError, match=r"a\.xlsx: over 0 MiB unpacked, more than the limit"):
        list(read_documents(tmp_path / "a.xlsx"))


def test_numbers_and_dates_of_a_workbook_are_texts(tmp_path):
    import datetime

    from openpyxl import Workbook

    workbook = Workbook()
    workbook.active.append(["id", "title", "text"])
    workbook.active.append([7.0, 1984, datetime.date(2020, 1, 2)])
    workbook.active.append([])
    workbook.active.append([None, "last", None])
    workbook.save(tmp_path / "a.xlsx")
    assert list(read_documents(tmp_path / "a.xlsx")) == [
        Document(id="7", title="1984", body="2020-01-02T00:00:00"),
        Document(id="2", title="last"),
    ]


@pytest.mark.parametrize(
    "content",
    ['[{"id": 1, "title": "a"}, {"title": "b"}]', '{\n "items": [{"id": 1, "title": "a"},\n {"title": "b"}]}'],
)
def test_a_json_file_may_be_one_list(tmp_path, content):
    (tmp_path / "a.json").write_text(content)
    assert list(read_documents(tmp_path / "a.json")) == [Document(id="1", title="a"), Document(id="2", title="b")]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('[{"title": "a"},\n{"title": 3}]', r"a\.json: record 2: 'title' must be a text, not a number"),
        ('[\n{"title": "a"},\n', r"a\.json:3: not JSON \(Expecting value at column 1\)"),
        ("[3]", r"a\.json: record 1: must be a JSON object, not a number"),
        ("[" * 100_000, r"a\.json: JSON that cannot be read"),
    ],
)
def test_what_is_wrong_in_a_list_is_told_with_its_place(tmp_path, content, message):
    (tmp_path / "a.json").write_text(content)
    with pytest.raises(DataError, match=message):
        list(read_documents(tmp_path / "a.json"))
