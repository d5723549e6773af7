"""Libraries in and out in their own format."""

import base64
import json

import pytest

CSV = (
    "\ufeffKey;Title;Abstract;Year\r\n"
    'k1;"Robots; that listen";They listen.;2020\r\n'
    ";;;2021\r\n"
    "\r\n"
    "k3;Parcels;They arrive.;=1+1\r\n"
)
BIB = "% mine\n@article{a, title = {Robots}, abstract = {They talk.}, year = 2020}\n@misc{b, note = {no text}}\n"
RIS = "TY  - JOUR\r\nTI  - Robots\r\nAB  - They talk.\r\nER  - \r\n"


def tagged(server, name, content, keyphrases, **options):
    encoded = base64.b64encode(content if isinstance(content, bytes) else content.encode()).decode()
    body = json.dumps({"name": name, "content": encoded, "keyphrases": keyphrases, **options})
    return server.ask("/v1/library", body, Content_Type="application/json")


@pytest.mark.parametrize(
    ("name", "content", "keyphrases", "expected"),
    [
        ("l.bib", BIB, [["robots", "talk"]], BIB.replace("year = 2020", "year = 2020, keywords = {robots, talk}")),
        ("l.ris", RIS, [["robots"]], RIS.replace("ER  -", "KW  - robots\r\nER  -")),
        ("l.csv", CSV, [["listening robots", "hearing"], []],
         CSV.replace("Year", "Year;keyphrases").replace("2020", '2020;"listening robots; hearing"')
            .replace("2021", "2021;").replace("=1+1", "=1+1;")),
    ],
)  # fmt: skip
def test_a_library_keeps_everything_else(server, name, content, keyphrases, expected):
    answer = tagged(server, name, content, keyphrases)
    assert answer.status == 200, answer.body
    assert answer.body.decode() == expected
    listed = server.ask(f"/v1/documents?name={name}", content.encode()).json["documents"]
    assert len(listed) == len(keyphrases)  # the documents that the lists belong to


def test_columns_can_be_named_as_for_reading_and_the_new_one_too(server):
    table = "Überschrift,x\nRobots,1\n".encode("cp1252")
    options = {"title_column": "Überschrift", "encoding": "cp1252", "column": "Tags"}
    answer = tagged(server, "l.csv", table, [["robots"]], **options)
    assert answer.body.decode("cp1252") == "Überschrift,x,Tags\nRobots,1,robots\n"


def test_existing_keywords_can_be_replaced_or_kept(server):
    bib = "@misc{a, title = {Robots}, keywords = {old}}\n"
    assert tagged(server, "l.bib", bib, [["new"]], existing="replace").body.decode() == bib.replace("old", "new")
    assert tagged(server, "l.bib", bib, [["new"]], existing="keep").body.decode() == bib


@pytest.mark.parametrize(
    ("change", "place", "said"),
    [
        ({"keyphrases": [["a"], ["b"]]}, "body", "one list for each document"),
        ({"keyphrases": []}, "body", "one list for each document"),
        ({"name": "l.pdf"}, "name", "must end in one of .bib, .bibtex, .ris"),
        ({"content": "abc"}, "content", "base64 decoding error"),
        ({"content": "a!b="}, "content", "content is not base64, which has no '!'"),
        ({"content": None}, "content", "content"),
        ({"keyphrases": "a"}, "keyphrases", "valid list"),
        ({"kephrases": []}, "kephrases", "did you mean 'keyphrases'?"),
        ({"beta": 2}, "beta", "is not a known field; there are name, format, title_column, text_column"),
    ],
)
def test_a_library_that_cannot_be_tagged_is_refused_in_a_sentence(server, change, place, said):
    body = {"name": "l.bib", "content": base64.b64encode(BIB.encode()).decode(), "keyphrases": [["a"]], **change}
    answer = server.ask("/v1/library", json.dumps(body), Content_Type="application/json")
    assert answer.status == 422, answer.body
    assert answer.error["place"] == place
    assert said in answer.error["message"]
    assert "/tmp" not in answer.error["message"]
