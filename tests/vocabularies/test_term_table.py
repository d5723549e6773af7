"""Concepts of tables and lists."""

import pytest

from keyseq.vocabularies.concept import ALTERNATIVE, BROADER, PREFERRED, RELATED
from keyseq.vocabularies.term_table import TermTable, is_uri


def concepts(text, delimiter="\t"):
    found, remarks = TermTable.parse(text, "terms", delimiter).concepts()
    return [(one.uri, one.labels, one.relations) for one in found], remarks


def test_a_list_has_a_label_a_line():
    found, _ = concepts("cats\n\n  dogs \nlabel\n")
    assert found == [("", ((name, PREFERRED, ""),), ()) for name in ("cats", "dogs", "label")]


def test_behind_tabs_there_may_be_other_labels_and_related_terms():
    [cars, _], _ = concepts("automobiles\tcars; motor cars\ttraffic\ntraffic\n")
    assert cars == (
        "",
        (("automobiles", PREFERRED, ""), ("cars", ALTERNATIVE, ""), ("motor cars", ALTERNATIVE, "")),
        ((RELATED, "traffic"),),
    )


def test_the_table_of_annif_has_a_uri_and_a_label():
    found, _ = concepts("<http://example.org/1>\tcats\nhttp://example.org/2\tdogs\tnotation\n")
    assert found == [
        ("http://example.org/1", (("cats", PREFERRED, ""),), ()),
        ("http://example.org/2", (("dogs", PREFERRED, ""),), ()),
    ]


@pytest.mark.parametrize(
    "header",
    [
        "uri,label_en,altLabel,broader",
        "URI,prefLabel@en,Synonyms,Broader",
        "id,skos:prefLabel:en,alternative,parent",
    ],
)
def test_a_header_names_the_columns_in_one_of_several_ways(header):
    [[uri, labels, relations]], remarks = concepts(
        f"{header}\nhttp://e.org/1,cats,felines|Cats,<http://e.org/2> <http://e.org/3>\n", ","
    )
    assert uri == "http://e.org/1"
    assert labels == (("cats", PREFERRED, "en"), ("felines", ALTERNATIVE, ""), ("Cats", ALTERNATIVE, ""))
    assert relations == ((BROADER, "http://e.org/2"), (BROADER, "http://e.org/3"))
    assert remarks == []


@pytest.mark.parametrize(
    "table",
    [
        'uri;label;altLabel\nhttp://e.org/1;"cats, big";felines|Cats\n',
        '"uri";"label";"altLabel"\r\nhttp://e.org/1;"cats, big";"felines;Cats"\r\n',
        "uri\tlabel\taltLabel\nhttp://e.org/1\tcats, big\tfelines;Cats\n",
    ],
)
def test_a_csv_file_may_be_separated_by_semicolons_or_tabs_as_spreadsheets_write_it(table):
    labels = (("cats, big", PREFERRED, ""), ("felines", ALTERNATIVE, ""), ("Cats", ALTERNATIVE, ""))
    assert concepts(table, ",") == ([("http://e.org/1", labels, ())], [])


@pytest.mark.parametrize(
    ("line", "label"),
    [("http://e.org/1;cats", "cats"), ("<http://e.org/1>,cats; dogs", "cats; dogs"), ("cats; dogs", "cats; dogs")],
)
def test_without_a_header_the_uri_shows_the_separator(line, label):
    [[_, labels, _]], _ = concepts(line, ",")
    assert labels == ((label, PREFERRED, ""),)


def test_columns_that_are_not_read_are_told():
    _, remarks = concepts("uri,label,editor,colour\na,b,c,d\n", ",")
    assert remarks == ["terms: not read: the columns editor, colour"]


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("<http://example.org/1>", True),
        ("urn:nbn:1", True),
        ("https://example.org/a", True),
        ("note: a label", False),
        ("Windows: history", False),
        ("c:drive", False),
        ("<b>", True),  # whatever stands in angle brackets, as Annif has it
    ],
)
def test_a_uri_is_told_from_a_label(cell, expected):
    assert is_uri(cell) is expected
