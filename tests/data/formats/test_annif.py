"""The corpora of Annif, read and written."""

import gzip
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.data.formats.test_keyword_extractor import unzipped, zipped

from keyseq.data.formats import read_documents, write_documents
from keyseq.errors import DataError
from keyseq.types import Document

EX = "http://example.org/"
FILES = {
    "b.txt": "Cats and dogs\r\nat home\n",
    "b.tsv": f"<{EX}cats>\tcats\n<{EX}dogs>\tdogs\r\n",
    "b.key": "not read, since there is a .tsv\n",
    "a.txt": "Cats",
    "a.key": "cats\n\n big cats \n",
    "c.txt": "Nobody indexed this one",
    "d.txt": "URIs alone",
    "d.tsv": f"<{EX}cats>\n",
}
EXPECTED = [
    Document(id="a", body="Cats", keyphrases=("cats", "big cats")),
    Document(id="b", body="Cats and dogs\nat home", keyphrases=("cats", "dogs"), subjects=(f"{EX}cats", f"{EX}dogs")),
    Document(id="c", body="Nobody indexed this one"),
    Document(id="d", body="URIs alone", subjects=(f"{EX}cats",)),
]


@pytest.mark.parametrize("make", [lambda path: zipped(path / "a.zip", FILES), lambda path: unzipped(path, FILES)])
def test_a_folder_of_texts_with_subjects_beside_them_is_recognised(make, tmp_path):
    assert list(read_documents(make(tmp_path))) == EXPECTED


@pytest.mark.parametrize("name", ["a.tsv", "a.tsv.gz"])
def test_a_table_has_a_text_and_uris_plain_or_gzipped(name, tmp_path):
    content = f"Cats and dogs\t<{EX}cats> <{EX}dogs>\nNothing\t\n\nUnknown\nBare\t{EX}cats\n".encode()
    (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith("gz") else content)
    assert list(read_documents(tmp_path / name, format="annif-tsv")) == [
        Document(id="1", body="Cats and dogs", subjects=(f"{EX}cats", f"{EX}dogs")),
        Document(id="2", body="Nothing", subjects=()),
        Document(id="4", body="Unknown"),
        Document(id="5", body="Bare", subjects=(f"{EX}cats",)),
    ]
    assert list(read_documents(tmp_path / name)) == list(read_documents(tmp_path / name, format="annif-tsv"))


@pytest.mark.parametrize("header", ["title\tkeywords", "title\t<keywords> of it", "title\tkeywords\t<uri>"])
def test_a_table_with_names_of_columns_is_no_table_of_annif(header, tmp_path):
    (tmp_path / "a.tsv").write_text(f"{header}\n" + "Cats" + "\tb" * header.count("\t") + "\n")
    [document] = read_documents(tmp_path / "a.tsv")
    assert document.title == "Cats"


def test_the_csv_and_json_lines_of_annif_are_read_as_they_are(tmp_path):
    (tmp_path / "a.csv").write_text(f"document_id,title,text,subject_uris\nx,T,Cats,<{EX}cats> {EX}dogs\n")
    subjects = (f"{EX}cats", f"{EX}dogs")
    assert list(read_documents(tmp_path / "a.csv")) == [Document(id="x", title="T", body="Cats", subjects=subjects)]
    record = {"document_id": "x", "text": "Cats", "subjects": [{"uri": f"{EX}cats", "label": "cats"}]}
    (tmp_path / "a.jsonl").write_text(json.dumps(record))
    assert list(read_documents(tmp_path / "a.jsonl")) == [
        Document(id="x", body="Cats", keyphrases=("cats",), subjects=(f"{EX}cats",))
    ]


@pytest.mark.parametrize("subjects", ['"a"', "[1]", '[{"name": "a"}]', '[{"uri": 7}]'])
def test_subjects_of_another_kind_are_refused(subjects, tmp_path):
    (tmp_path / "a.jsonl").write_text(f'{{"text": "a", "subjects": {subjects}}}')
    with pytest.raises(DataError, match=r"a.jsonl:1: 'subjects' must be a list of"):
        list(read_documents(tmp_path / "a.jsonl"))


uris = st.lists(st.text("abc/#é", min_size=1, max_size=8).map(EX.__add__), max_size=3, unique=True).map(tuple)
words = st.text("ab é漢,;()'-", min_size=1, max_size=20).map(lambda text: " ".join(text.split())).filter(bool)


@st.composite
def corpora(draw):
    documents = []
    for number in range(draw(st.integers(1, 3))):
        subjects = draw(st.one_of(st.none(), uris))
        count = st.just(0) if subjects is None else st.just(len(subjects))
        labels = draw(count.flatmap(lambda size: st.lists(words, min_size=size, max_size=size)))
        documents.append(
            Document(
                id=str(number + 1),
                body=draw(words),
                keyphrases=None if subjects is None else tuple(labels),
                subjects=subjects,
            )
        )
    return documents


@settings(max_examples=40, deadline=None, derandomize=True)
@given(corpus=corpora())
def test_what_is_written_is_read_again(corpus, tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpora")
    for name, kind in (("folder", "annif-folder"), ("a.zip", "annif-folder"), ("a.jsonl", "jsonl")):
        write_documents(corpus, folder / name, kind)
        assert list(read_documents(folder / name, format=kind)) == corpus
    write_documents(corpus, folder / "a.tsv.gz", "annif-tsv")
    back = list(read_documents(folder / "a.tsv.gz", format="annif-tsv"))
    assert [(one.body, one.subjects) for one in back] == [(one.body, one.subjects) for one in corpus]


def test_keyphrases_without_uris_go_to_key_files_and_to_no_table(tmp_path):
    corpus = [Document(id="x", title="T", body="b", keyphrases=("cats", "big  cats"))]
    write_documents(corpus, tmp_path / "folder", "annif-folder")
    assert (tmp_path / "folder/x.key").read_text() == "cats\nbig cats\n"
    assert (tmp_path / "folder/x.txt").read_text() == "T\n\nb\n"
    with pytest.raises(DataError, match=r"document 'x': has keyphrases but no URIs"):
        write_documents(corpus, tmp_path / "a.tsv", "annif-tsv")
    assert not (tmp_path / "a.tsv").exists()


def test_what_only_looks_like_a_uri_is_a_label(tmp_path):
    unzipped(tmp_path, {"a.txt": "x", "a.tsv": "<not a uri>\t\n<a b>\n"})
    [document] = read_documents(tmp_path)
    assert (document.keyphrases, document.subjects) == (("<not a uri>", "<a b>"), None)
