"""CoreNLP files with references, laid out as ake-datasets."""

import json
import zipfile

import pytest

from keyseq.data.formats import read_documents
from keyseq.errors import DataError
from keyseq.types import Document


def token(word, begin, end):
    offsets = f"<CharacterOffsetBegin>{begin}</CharacterOffsetBegin><CharacterOffsetEnd>{end}</CharacterOffsetEnd>"
    return f"<token><word>{word}</word><lemma>x</lemma>{offsets}</token>"


def xml(*sentences, head='<?xml version="1.0" encoding="UTF-8"?>'):
    body = "".join(
        f"<sentence {attributes}><tokens>{''.join(token(*word) for word in words)}</tokens></sentence>"
        for attributes, words in sentences
    )
    return f"{head}\n<root><document><sentences>\n{body}\n</sentences></document></root>"


PLAIN = xml(
    ("", [("Nets", 0, 4), ("-LRB-", 5, 6), ("deep", 6, 10), ("-RRB-", 10, 11), (".", 11, 12)]), ("", [("They", 13, 17)])
)


@pytest.fixture
def corpus(tmp_path):
    """A corpus of two splits whose test split has two annotators."""
    root = tmp_path / "Mine"
    files = {
        "test/1.xml": PLAIN,
        "test/C-2.xml": xml(
            ('section="title"', [("A", 0, 1), ("title", 2, 7)]), ('section="abstract"', [("Text", 8, 12)])
        ),
        "train/3.xml": PLAIN,
        "src/original.xml": "<not/>",
        "references/test.reader.json": json.dumps({"1": [["r"]], "C-2": []}),
        "references/test.author.json": json.dumps({"1": [["net", "nets"], ["deep"]], "C-2": [["é"]]}),
        "references/test.author.stem.json": json.dumps({"1": [["stem"]], "C-2": []}),
        "references/train.reader.stem.json": json.dumps({"3": [["stem"]]}),
    }
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content)
    return root


def phrases(path):
    return [document.keyphrases for document in read_documents(path)]


def test_the_text_is_put_together_again_and_the_first_variant_taken(corpus):
    assert list(read_documents(corpus / "test")) == [
        Document(id="1", body="Nets (deep). They", keyphrases=("net", "deep")),
        Document(id="C-2", title="A title", body="Text", keyphrases=("é",)),
    ]


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        ("/test", [("net", "deep"), ("é",)]),  # author before reader, unstemmed before stemmed
        ("/test#reader", [("r",), ()]),
        ("#test", [("net", "deep"), ("é",)]),
        ("#test.author.stem", [("stem",), ()]),
        ("/train#reader.stem", [("stem",)]),
    ],
)
def test_a_mark_in_the_name_says_which_split_and_whose_keyphrases(corpus, part, expected):
    assert phrases(f"{corpus}{part}") == expected


def test_an_archive_reads_alike(corpus, tmp_path):
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        for path in corpus.rglob("*.*"):
            archive.write(path, f"ake-datasets/{path.relative_to(corpus.parent)}")
    assert phrases(f"{tmp_path / 'a.zip'}#test.reader") == [("r",), ()]


@pytest.mark.parametrize(
    ("part", "message"),
    [
        ("", r"Mine: holds several splits \(test, train\); name the folder of one split"),
        ("/test#readr", r"Mine/test: has no references 'readr'; did you mean 'reader'\?"),
        ("/train", r"Mine/train: its references are stems; to use them anyway, write .*Mine/train#reader\.stem"),
    ],
)
def test_what_cannot_be_chosen_is_asked_for(corpus, part, message):
    with pytest.raises(DataError, match=message):
        list(read_documents(f"{corpus}{part}", format="ake"))


def test_without_references_the_keyphrases_are_unknown(tmp_path):
    (tmp_path / "1.xml").write_text(PLAIN)
    assert phrases(tmp_path) == [None]


BILLION = '<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "a"><!ENTITY b "&a;&a;">]>'


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param(PLAIN[:200], r"1\.xml:\d: not well-formed XML", id="cut short"),
        pytest.param(xml(head=BILLION), r"1\.xml: declares a document type or entities", id="entities"),
        pytest.param(
            xml(head='<!DOCTYPE l SYSTEM "file:///etc/passwd">'), "declares a document type", id="other files"
        ),
        pytest.param("<root/>", r"1\.xml: has no text", id="other XML"),
    ],
)
def test_a_bad_file_is_named_or_passed_over(corpus, content, message):
    (corpus / "test" / "1.xml").write_text(content)
    with pytest.raises(DataError, match=message):
        list(read_documents(corpus / "test"))
    skipped = []
    assert [document.id for document in read_documents(corpus / "test", skipped=skipped)] == ["C-2"]
    assert len(skipped) == 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"1": [["a"]]}', r"C-2\.xml: this document has no references"),
        ('{"1": [["a"]], "C-2": "b"}', r"C-2\.xml: its references must be a list of lists of texts"),
        ('{"1":\n [}', r"references/test\.author\.json:2: not JSON"),
        ("[" * 100_000, r"references/test\.author\.json: JSON that cannot be read"),
        ("[]", r"references/test\.author\.json: must be a JSON object"),
    ],
)
def test_bad_references_are_named(corpus, content, message):
    (corpus / "references" / "test.author.json").write_text(content)
    with pytest.raises(DataError, match=message):
        list(read_documents(corpus / "test"))
