"""Files spoiled at random: whatever comes, it is read, or refused in one line; never a crash."""

import random
import zipfile

import pytest
from tests.data.formats.sample_papers import SAMPLES
from tests.data.formats.written_files import WRITERS
from tests.data.formats.written_libraries import WRITERS as KINDS

from keyseq.data.formats import FORMATS, read_documents, write_documents
from keyseq.errors import KeyseqError
from keyseq.types import Document

CORPUS = [
    Document(id=f"d{number}", title='A "title" é', body="With; {marks} & 5%\nin it.", keyphrases=("a b", "c, d"))
    for number in range(3)
]
MARKS = [b"\0", b"\xff", b"\n", b"\r", b'"', b"{", b"}", b",", b"\\", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"[", b"null"]
MARKS += [b"TY  - ", b"ER  - \n", b"<!DOCTYPE x>", b"&x;", b"@", b"%", b"\t", b"\xe2\x80\xa8", b"1e999", b"---\n"]
WORD = "<word>A</word><CharacterOffsetBegin>0</CharacterOffsetBegin><CharacterOffsetEnd>1</CharacterOffsetEnd>"
XML = f"<root><sentences><sentence><tokens><token>{WORD}</token></tokens></sentence></sentences></root>"
LIBRARIES = {name: write for name, _, write in KINDS.values() if FORMATS[name].write is None}
NAMES = {"pairs": "a.src", "keyword-extractor": "a.zip", "annif-folder": "a.zip", "folder": "a.zip"}


def make(path, format):
    """A sound corpus of a format."""
    if format == "ake":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("test/1.xml", XML)
            archive.writestr("references/test.author.json", '{"1": [["a", "b"], ["c"]]}')
    elif format == "markdown":
        path.write_text(
            "---\nt: x\n---\n# T\n\n* a [l](u) `c`\n\n```\ncode\n```\n|a|b|\n|-|-|\n|c|d|\n<b>x</b> &amp;\n"
        )
    elif format == "annif-tsv":
        path.write_text("A text\t<http://example.org/1> <http://example.org/2>\n" * 3)
    elif format in WRITERS:
        WRITERS[format][1](path, SAMPLES[0])
    elif format in LIBRARIES:
        LIBRARIES[format](path, SAMPLES[:2])
    else:
        write_documents(CORPUS[:1] if format == "txt" else CORPUS, path, format)


def spoiled(whole, source):
    data = bytearray(whole)
    for _ in range(source.randint(1, 4)):
        at = source.randrange(len(data) + 1)
        match source.randrange(3):
            case 0:
                data[at:at] = source.choice(MARKS)
            case 1:
                del data[at : at + source.randint(1, 20)]
            case 2:
                data[at : at + 1] = source.randbytes(1)
    return bytes(data)


@pytest.mark.parametrize("format", FORMATS)
def test_a_spoiled_file_never_crashes_a_reader(tmp_path, format):
    path, source = tmp_path / NAMES.get(format, "a"), random.Random(format)
    make(path, format)
    whole = path.read_bytes()
    assert list(read_documents(path, format=format))
    refusals = []
    for _ in range(60):
        path.write_bytes(spoiled(whole, source))
        try:
            assert all(document.text for document in read_documents(path, format=format, skipped=[]))
        except KeyseqError as error:
            refusals.append(str(error))
    assert [message for message in refusals if "\n" in message] == []
    assert len(refusals) < 60
