"""A .src and a .tgt file."""

import gzip

import pytest

from keyseq.data.formats import read_documents, write_documents
from keyseq.errors import DataError
from keyseq.types import Document


def read(tmp_path, source, target, names=("a.src", "a.tgt"), **options):
    (tmp_path / names[0]).write_bytes(source)
    if target is not None:
        (tmp_path / names[1]).write_bytes(target)
    return list(read_documents(tmp_path / names[0], **options))


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        pytest.param(
            b"one\r\ntwo\n",
            b"x;y z\r\n\n",
            [Document(id="1", body="one", keyphrases=("x", "y z")), Document(id="2", body="two", keyphrases=())],
            id="a line a document",
        ),
        pytest.param(
            b"t <eos> a <eos> b\n",
            b"x;<peos>;y\n",
            [Document(id="1", title="t", body="a <eos> b", keyphrases=("x", "y"))],
            id="marks of title, and of present phrases",
        ),
        pytest.param(
            b"one\none\ntwo\none",
            b"x\ny\nz\nw",
            [
                Document(id="1", body="one", keyphrases=("x", "y")),
                Document(id="2", body="two", keyphrases=("z",)),
                Document(id="3", body="one", keyphrases=("w",)),
            ],
            id="one2one: the same text again, a phrase each",
        ),
        pytest.param(
            b"one\none\n",
            b"x;y\nz\n",
            [Document(id="1", body="one", keyphrases=("x", "y")), Document(id="2", body="one", keyphrases=("z",))],
            id="the same text again with lists is another document",
        ),
        pytest.param(b"one\n", None, [Document(id="1", body="one")], id="no targets: nobody was asked"),
    ],
)
def test_lines_become_documents(tmp_path, source, target, expected):
    assert read(tmp_path, source, target) == expected


@pytest.mark.parametrize("names", [("test_src.txt", "test_trg.txt"), ("a.src", "a.trg"), ("a.src", "a.tgt")])
def test_the_names_that_toolkits_use_go_together(tmp_path, names):
    assert read(tmp_path, b"one\n", b"x\n", names) == [Document(id="1", body="one", keyphrases=("x",))]


def test_one_of_the_two_may_be_compressed(tmp_path):
    (tmp_path / "a.tgt.gz").write_bytes(gzip.compress(b"x\n"))
    assert read(tmp_path, b"one\n", None) == [Document(id="1", body="one", keyphrases=("x",))]


@pytest.mark.parametrize(
    ("source", "target", "counts"),
    [(b"1\n2\n3\n", b"x\n", (3, 1)), (b"1\n", b"x\ny\nz\nw\n", (1, 4)), (b"", b"x\n", (0, 1))],
)
def test_files_of_different_length_do_not_go_together(tmp_path, source, target, counts):
    with pytest.raises(DataError, match=rf"a\.src has {counts[0]} lines but .*a\.tgt has {counts[1]}"):
        read(tmp_path, source, target, skipped=[])


@pytest.mark.parametrize(
    ("source", "target", "message"),
    [
        (b"one\n \nthree\n", b"x\ny\nz\n", r"a\.src:2: has no text"),
        (b"one\n\xff\nthree\n", b"x\ny\nz\n", r"a\.src:2: not UTF-8"),
        (b"one\ntwo\nthree\n", b"x\n\xff\nz\n", r"a\.tgt:2: not UTF-8"),
    ],
)
def test_a_bad_line_is_named_or_passed_over_and_the_others_stay_in_step(tmp_path, source, target, message):
    with pytest.raises(DataError, match=message):
        read(tmp_path, source, target)
    kept = read(tmp_path, source, target, skipped=[])
    assert [(document.id, document.keyphrases) for document in kept] == [("1", ("x",)), ("3", ("z",))]


def test_what_a_line_cannot_hold_is_refused_and_neither_file_is_left(tmp_path):
    documents = [Document(id="1", body="fine"), Document(id="2", title="a <eos> b")]
    with pytest.raises(DataError, match="document '2': its title contains '<eos>'"):
        write_documents(documents, tmp_path / "a.src")
    with pytest.raises(DataError, match=r"the name of a pairs file must end in _src\.txt or \.src"):
        write_documents(documents, tmp_path / "a.xyz", "pairs")
    assert list(tmp_path.iterdir()) == []
