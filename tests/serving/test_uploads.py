"""Files to documents, through a process that can be ended."""

import asyncio
import json
from base64 import b64encode
from importlib.resources import files
from io import BytesIO
from zipfile import ZipFile

import pytest
from tests.data.formats.sample_papers import SAMPLES
from tests.data.formats.written_files import WRITERS
from tests.data.formats.written_libraries import WRITERS as LIBRARIES

from keyseq.data.formats import read_documents
from keyseq.serving.refusals import Refusal
from keyseq.serving.requests import ReadRequest
from keyseq.serving.server_settings import Limits
from keyseq.serving.uploads import SUFFIXES, Uploads

BIB = b"""@article{a, title = {Voice recognition}, abstract = {Robots that listen.}}
@article{b, title = {Social robots}, abstract = {Robots that talk.}}
"""


def pdf(*pages):
    """A PDF of text pages, written by hand: objects, their table, and the trailer."""
    count = len(pages)
    kids = " ".join(f"{3 + number} 0 R" for number in range(count))
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", f"<< /Type /Pages /Kids [{kids}] /Count {count} >>"]
    font = 3 + 2 * count
    for number in range(count):
        resources = f"<< /Font << /F1 {font} 0 R >> >>"
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Resources {resources} "
            f"/Contents {3 + count + number} 0 R >>"
        )
    for text in pages:
        content = f"BT /F1 12 Tf 50 700 Td ({text}) Tj ET"
        objects.append(f"<< /Length {len(content)} >>\nstream\n{content}\nendstream")
    objects.append("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
    out, places = "%PDF-1.4\n", []
    for number, content in enumerate(objects, start=1):
        places.append(len(out))
        out += f"{number} 0 obj\n{content}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    size = len(objects) + 1
    trailer = f"trailer << /Size {size} /Root 1 0 R >>\nstartxref\n{len(out)}\n%%EOF"
    return f"{out}xref\n0 {size}\n0000000000 65535 f \n{table}{trailer}".encode()


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("paper.txt", b"Robots that listen.", [("", "Robots that listen.")]),
        ("paper.md", b"# Robots\n\nThey *listen*.", [("Robots", "They listen.")]),
        ("paper.pdf", pdf("Robots that listen.", "And talk."), [("", "Robots that listen.\n\nAnd talk.")]),
        ("PAPER.PDF", pdf("Robots."), [("", "Robots.")]),
        ("l.bib", BIB, [("Voice recognition", "Robots that listen."), ("Social robots", "Robots that talk.")]),
        ("l.ris", b"TY  - JOUR\nTI  - Robots\nAB  - They talk.\nER  - \n", [("Robots", "They talk.")]),
        ("l.csv", b"title,abstract\nRobots,They talk.\nParcels,They arrive.\n",
         [("Robots", "They talk."), ("Parcels", "They arrive.")]),
        ("C:\\files\\../../etc/l\x00 ü?.txt", b"Robots.", [("", "Robots.")]),  # only the last part of a name counts
    ],
)  # fmt: skip
def test_files_become_documents(server, name, content, expected):
    from urllib.parse import quote

    answer = server.ask(f"/v1/documents?name={quote(name)}", content)
    assert answer.status == 200, answer.body
    assert [(row["title"], row["text"]) for row in answer.json["documents"]] == expected
    assert answer.json["skipped"] == []


@pytest.mark.parametrize(
    ("name", "content", "status", "said"),
    [
        ("paper.exe", b"MZ", 422, ".markdown, .pdf"),
        ("paper", b"text", 422, ".markdown, .pdf"),
        ("paper.txt.gz", b"\x1f\x8b", 422, ".markdown, .pdf"),  # what could unpack to anything
        ("paper.txt", b"caf\xe9", 422, "paper.txt:1: not UTF-8"),
        ("paper.txt", b"", 422, "paper.txt: has no text"),
        ("paper.pdf", b"no pdf", 422, "paper.pdf: cannot be read"),
        ("paper.pdf", pdf("Robots")[:300], 422, "paper.pdf: cannot be read"),
        ("paper.pdf", pdf(""), 422, "OCR"),
        ("table.csv", b"a,b\n1,2\n", 422, "table.csv"),
        ("paper.txt", b"a" * 600_000, 413, "524,288 bytes"),
    ],
)
def test_what_cannot_be_read_is_told_without_the_servers_paths(server, name, content, status, said):
    answer = server.ask(f"/v1/documents?name={name}", content)
    assert answer.status == status, answer.body
    assert said in answer.error["message"]
    assert "/tmp" not in answer.error["message"]  # where the server keeps it


@pytest.mark.parametrize("format", WRITERS)
def test_finding_9_every_format_of_documents_is_read_as_on_the_command_line(server, format, tmp_path):
    suffix, write = WRITERS[format]
    write(tmp_path / f"a{suffix}", SAMPLES[0])
    answer = server.ask(f"/v1/documents?name=a{suffix}", (tmp_path / f"a{suffix}").read_bytes())
    assert answer.status == 200, answer.body
    [document] = read_documents(tmp_path / f"a{suffix}")
    assert answer.json["documents"] == [{"id": "a", "title": SAMPLES[0].title, "text": document.body}]


def test_an_archive_of_files_is_read_and_what_is_not_read_is_told(server, tmp_path):
    for number, kind in enumerate(("docx", "html")):
        suffix, write = WRITERS[kind]
        write(tmp_path / f"{number}{suffix}", SAMPLES[number])
    content = BytesIO()
    with ZipFile(content, "w") as archive:
        for path in sorted(tmp_path.iterdir()):
            archive.write(path, f"papers/{path.name}")
        archive.writestr("notes.txt", "Social robots talk.")
        archive.writestr("cover.png", b"\x89PNG")
        archive.writestr("broken.pdf", b"no pdf")
    answer = server.ask("/v1/documents?name=papers.zip", content.getvalue())
    assert answer.status == 200, answer.body
    assert {row["title"] for row in answer.json["documents"]} == {SAMPLES[0].title, SAMPLES[1].title, ""}
    told = "\n".join(answer.json["skipped"])
    assert "papers.zip/cover.png: is a picture" in told
    assert "papers.zip/broken.pdf: cannot be read" in told
    assert answer.json["taggable"] is False
    assert server.ask("/v1/documents?name=papers.zip", content.getvalue()[:-30]).status == 422


def test_an_archive_that_unpacks_to_too_much_is_told(server):
    content = BytesIO()
    with ZipFile(content, "w") as archive:
        archive.writestr("a.txt", "Robots.")
        archive.infolist()[0].file_size = 300 << 20  # as its table says, beyond which nothing is unpacked
    answer = server.ask("/v1/documents?name=bomb.zip", content.getvalue())
    assert answer.status == 422
    assert "bomb.zip/a.txt: over 256 MiB, more than the limit" in answer.error["message"]


def test_columns_and_encoding_can_be_named(server):
    table = "Nr;Überschrift\n7;Zwei Größen\n".replace(";", ",").encode("cp1252")
    options = "title_column=%C3%9Cberschrift&id_column=Nr&encoding=cp1252"
    answer = server.ask(f"/v1/documents?name=a.csv&{options}", table)
    assert answer.json["documents"] == [{"id": "7", "title": "Zwei Größen", "text": ""}]
    answer = server.ask("/v1/documents?name=a.csv&title-column=x", table)
    assert (answer.status, answer.error["message"]) == (
        422,
        "title-column is not a known field; did you mean 'title_column'?",
    )


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.csv", b"Nr,Heading\n7,Robots\n", "choose one with title_column or text_column"),
        ("a.txt", b"Gr\xf6\xdfe", "name its encoding with encoding, such as cp1252"),
        ("a.txt", b"%PDF-1.7\xff", "or name the format with format"),
        ("letter.doc", b"x", "letter.doc: is a document that keyseq does not read; save it as .docx or .pdf"),
    ],
)
def test_finding_7_what_an_error_recommends_is_a_field_of_the_request(server, name, content, said):
    answer = server.ask(f"/v1/documents?name={name}", content)
    assert answer.status == 422
    assert said in answer.error["message"]
    assert "--" not in answer.error["message"]


@pytest.mark.parametrize("kind", ["CSL-JSON", "MARCXML", "Parquet", "OpenAlex JSON", "PubMed XML", "Zotero CSV"])
def test_it_is_told_whether_keyphrases_can_be_added_to_a_file(server, kind, tmp_path):
    _, suffix, write = LIBRARIES[kind]
    write(tmp_path / f"a{suffix}", SAMPLES[:2])
    content = (tmp_path / f"a{suffix}").read_bytes()
    answer = server.ask(f"/v1/documents?name=a{suffix}", content).json
    assert answer["taggable"] == (kind not in ("OpenAlex JSON", "PubMed XML"))
    body = {"name": f"a{suffix}", "content": b64encode(content).decode(), "keyphrases": [["a"], []]}
    tagged = server.ask("/v1/library", json.dumps(body), Content_Type="application/json")
    assert tagged.status == (200 if answer["taggable"] else 422), tagged.body


def test_the_page_offers_every_format():
    page = files("keyseq.serving").joinpath("page", "index.html").read_text()
    assert f'accept="{",".join(SUFFIXES)}"' in page


def test_a_bad_record_is_passed_over_and_told(server):
    rows = b'{"title": "Robots", "abstract": "They talk."}\n{"title": 5}\n'
    answer = server.ask("/v1/documents?name=l.jsonl", rows).json
    assert [row["title"] for row in answer["documents"]] == ["Robots"]
    assert "l.jsonl:2" in answer["skipped"][0]


def test_a_name_is_needed(server):
    answer = server.ask("/v1/documents", b"text")
    assert (answer.status, answer.error["place"]) == (422, "name")


def test_reading_that_takes_too_long_is_ended():
    async def read():
        await Uploads(Limits(seconds=0.01)).read(ReadRequest(name="paper.pdf"), pdf("Robots"))

    with pytest.raises(Refusal, match=r"over 0\.01 seconds") as refused:
        asyncio.run(read())
    assert refused.value.status_code == 408


def test_a_file_of_too_many_documents_is_cut_and_says_so():
    async def read():
        return await Uploads(Limits(read=1)).read(ReadRequest(name="l.bib"), BIB)

    answer = asyncio.run(read())
    assert [document.title for document in answer.documents] == ["Voice recognition"]
    assert answer.skipped == ["l.bib: all after the first 1 documents"]
