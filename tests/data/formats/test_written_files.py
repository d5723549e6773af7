"""Documents as people have them: ten of each format, read with the right title, text, keywords and id."""

import io
import zipfile

import pytest
from tests.data.formats.sample_papers import CITED, SAMPLES
from tests.data.formats.written_files import HEAD, WRITERS

from keyseq.data.formats import FORMATS, CorpusReading, ReadingReport, read_documents
from keyseq.errors import DataError


def words(text):
    return " ".join(text.split())


@pytest.mark.parametrize("format", WRITERS)
def test_ten_files_are_read_with_title_text_keywords_and_id(tmp_path, format):
    suffix, write = WRITERS[format]
    assert suffix in FORMATS[format].suffixes
    for paper in SAMPLES:
        path = tmp_path / f"{paper.name}{suffix}"
        write(path, paper)
        [document] = read_documents(path)
        assert document.title == paper.title
        assert words(document.body).startswith(paper.abstract), document.body[:500]
        assert paper.section in words(document.body)
        assert document.keyphrases == paper.keywords
        assert document.id == paper.name
        for left_out in (CITED[:20], HEAD[:20], "ada@example.org", "never", "Privacy", "A footnote", "[1]"):
            assert left_out not in document.body


def test_a_folder_of_them_is_one_corpus(tmp_path):
    for (suffix, write), paper in zip(WRITERS.values(), SAMPLES, strict=False):
        write(tmp_path / f"{paper.name}{suffix}", paper)
    report = ReadingReport()
    titles = {document.title for document in CorpusReading().documents(tmp_path, report)}
    assert titles == {paper.title for paper in SAMPLES[: len(WRITERS)]}
    assert report.unread == []


@pytest.mark.parametrize("format", ["docx", "odt", "epub"])
def test_an_archive_bomb_is_refused_before_it_is_unpacked(tmp_path, format):
    suffix, write = WRITERS[format]
    path, bomb = tmp_path / f"a{suffix}", tmp_path / f"bomb{suffix}"
    write(path, SAMPLES[0])
    with zipfile.ZipFile(path) as whole, zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as out:
        for member in whole.infolist():
            is_text = member.filename.endswith(("document.xml", "content.xml", "two.xhtml"))
            out.writestr(member.filename, b" " * (40 << 20) if is_text else whole.read(member))
    assert bomb.stat().st_size < 100_000
    with pytest.raises(DataError, match="over 32 MiB, more than the limit"):
        list(read_documents(bomb))


LAUGHS = '<!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>'
OUTSIDE = '<!DOCTYPE a [<!ENTITY a SYSTEM "file:///etc/passwd">]>'


@pytest.mark.parametrize("doctype", [LAUGHS, OUTSIDE])
@pytest.mark.parametrize("format", ["jats", "tei", "xml", "docx", "odt", "epub"])
def test_entities_are_refused_in_xml(tmp_path, format, doctype):
    suffix, write = WRITERS[format]
    path, hostile = tmp_path / f"a{suffix}", tmp_path / f"hostile{suffix}"
    write(path, SAMPLES[0])

    def spoiled(xml):
        start = xml.index(b"<", xml.index(b"?>")) if xml.startswith(b"<?xml") else 0
        rest = xml[xml.index(b">", start) + 1 :] if xml[start:].startswith(b"<!DOCTYPE") else xml[start:]
        return doctype.encode() + rest

    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as whole, zipfile.ZipFile(hostile, "w") as out:
            for member in whole.infolist():
                is_text = member.filename.endswith(("word/document.xml", "content.xml", "content.opf"))
                out.writestr(member, spoiled(whole.read(member)) if is_text else whole.read(member))
    else:
        hostile.write_bytes(spoiled(path.read_bytes()))
    with pytest.raises(DataError, match="declares a document type or entities, which is not allowed here"):
        list(read_documents(hostile))


def test_xml_without_end_inside_itself_is_refused(tmp_path):
    deep = "<p>" * 50_000 + "x" + "</p>" * 50_000
    (tmp_path / "a.nxml").write_text(f"<article><body>{deep}</body></article>")
    with pytest.raises(DataError, match=r"a\.nxml: is nested too deeply to be read"):
        list(read_documents(tmp_path / "a.nxml"))


def test_a_set_of_articles_has_their_own_ids(tmp_path):
    article = (
        "<article><front><article-meta>{}<title-group><article-title>{}</article-title></title-group>"
        "</article-meta></front></article>"
    )
    first = article.format('<article-id pub-id-type="doi">10.1/a</article-id>', "First")
    (tmp_path / "set.xml").write_text(f"<pmc-articleset>{first}{article.format('', 'Second')}</pmc-articleset>")
    found = [(document.id, document.title) for document in read_documents(tmp_path / "set.xml")]
    assert found == [("10.1/a", "First"), ("2", "Second")]


@pytest.mark.parametrize(
    ("head", "encoding"),
    [('<meta charset="iso-8859-15">', "iso-8859-15"), ("", "cp1252"), ('<meta charset="never-heard-of">', "cp1252")],
)
def test_a_page_in_another_encoding_is_read_as_a_browser_would(tmp_path, head, encoding):
    text = "Crème brûlée – das Rezept"
    text = text.replace("–", "-") if encoding == "iso-8859-15" else text
    (tmp_path / "a.html").write_bytes(f"<html><head>{head}</head><body><p>{text}</p></body></html>".encode(encoding))
    if "never" in head:
        with pytest.raises(DataError, match=r"a\.html:1: not UTF-8"):
            list(read_documents(tmp_path / "a.html"))
    else:
        [document] = read_documents(tmp_path / "a.html")
        assert document.body == text


def test_a_page_without_an_article_is_read_whole(tmp_path):
    (tmp_path / "a.html").write_text("<title>T &amp; U</title><p>Short<b>er</b>.<script>no()</script><div>Two<br>three")
    [document] = read_documents(tmp_path / "a.html")
    assert (document.title, document.body) == ("T & U", "Shorter.\n\nTwo\n\nthree")


def test_a_protected_book_is_told_from_one_with_hidden_fonts(tmp_path):
    WRITERS["epub"][1](tmp_path / "a.epub", SAMPLES[0])
    entry = (
        '<encryption><EncryptedData><CipherData><CipherReference URI="{}"/></CipherData></EncryptedData></encryption>'
    )
    for name, uri in (("font.epub", "OEBPS/font.otf"), ("drm.epub", "OEBPS/text/two.xhtml")):
        content = io.BytesIO((tmp_path / "a.epub").read_bytes())
        with zipfile.ZipFile(content, "a") as archive:
            archive.writestr("META-INF/encryption.xml", entry.format(uri))
        (tmp_path / name).write_bytes(content.getvalue())
    assert len(list(read_documents(tmp_path / "font.epub"))) == 1
    with pytest.raises(DataError, match=r"drm\.epub: is protected against copying \(DRM\)"):
        list(read_documents(tmp_path / "drm.epub"))


@pytest.mark.parametrize("name", ["a.docx", "a.odt", "a.epub"])
def test_an_old_or_encrypted_office_file_is_told(tmp_path, name):
    (tmp_path / name).write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500))
    with pytest.raises(DataError, match=r"encrypted, or an old \.doc or \.xls; save a copy"):
        list(read_documents(tmp_path / name))


def test_an_abstract_outside_of_paragraphs_is_not_lost(tmp_path):
    """As pandoc writes it."""
    WRITERS["odt"][1](tmp_path / "whole.odt", SAMPLES[0])
    abstract = SAMPLES[0].abstract.encode()
    with zipfile.ZipFile(tmp_path / "whole.odt") as whole, zipfile.ZipFile(tmp_path / "a.odt", "w") as out:
        for member in whole.infolist():
            content = whole.read(member)
            out.writestr(member, content.replace(b"<text:p>%s</text:p>" % abstract, b"\n%s\n" % abstract))
    [document] = read_documents(tmp_path / "a.odt")
    assert document.body.startswith(SAMPLES[0].abstract)
