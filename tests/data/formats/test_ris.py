"""RIS libraries."""

import pytest

from keyseq.data.formats import read_documents
from keyseq.errors import DataError
from keyseq.types import Document


def read(tmp_path, content, **options):
    path = tmp_path / "lib.ris"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return list(read_documents(path, **options))


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        pytest.param(
            "TY  - JOUR\nID  - k\nTI  - A title\nAB  - One\ntwo\nT2  - J\nKW  - a b\nKW  - c; d\nKW  - \nER  - \n",
            Document(id="k", title="A title", body="One two", keyphrases=("a b", "c", "d")),
            id="a reference; an abstract goes on in the next line",
        ),
        pytest.param(
            "\ufeffTY  - CONF\r\nT1  - T\r\nN2  - B\r\nER  -\r\n",
            Document(id="1", title="T", body="B"),
            id="Windows, the older tags, no keywords",
        ),
        pytest.param(
            "Provider: x\n\nTY  - GEN\nTI  - T\nKW  -\nER  - \n",
            Document(id="1", title="T", keyphrases=()),
            id="a head",
        ),
    ],
)
def test_references_become_documents(tmp_path, content, expected):
    assert read(tmp_path, content) == [expected]


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        (b"TY  - JOUR\nTI  - b\n", ":4: a reference without its end, 'ER  - '"),
        (b"TY  - JOUR\nAU  - b\nER  - \n", ":4: has no text"),
        (b"TY  - JOUR\nTI  - caf\xe9\nER  - \n", ":5: not UTF-8"),
    ],
)
def test_a_bad_reference_is_named_or_passed_over(tmp_path, reference, message):
    content = b"TY  - JOUR\nTI  - first\nER  - \n" + reference + b"TY  - JOUR\nTI  - last\nER  - \n"
    with pytest.raises(DataError, match=rf"lib\.ris{message}"):
        read(tmp_path, content)
    skipped = []
    kept = read(tmp_path, content, skipped=skipped)
    assert [(document.id, document.title) for document in kept] == [("1", "first"), ("3", "last")]
    assert len(skipped) == 1


def test_what_is_no_library_is_refused(tmp_path):
    with pytest.raises(DataError, match=r"lib\.ris:1: holds no RIS reference, which begins with 'TY  - '"):
        read(tmp_path, "plain text\n", skipped=[])
    assert read(tmp_path, "\n") == []
