"""BibTeX libraries."""

import pytest

from keyseq.data.formats import read_documents
from keyseq.errors import DataError
from keyseq.types import Document


def read(tmp_path, content, **options):
    path = tmp_path / "lib.bib"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return list(read_documents(path, **options))


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        pytest.param(
            '@article{k1,\n  Title = {On {DNA} \\& G{\\"o}del},\n  abstract = {One\n    two 5% of},\n  year = 1999,\n'
            "  keywords = {a b, {c, d}, \\'etude,}\n}",
            Document(
                id="k1", title="On DNA & Gödel", body="One two 5% of", keyphrases=("a b", "c, d", "étude"), year=1999
            ),
            id="accents, braces, per cent",
        ),
        pytest.param(
            '@misc(k2, title = "A {B}", keywords = "a, b; c")',
            Document(id="k2", title="A B", keyphrases=("a, b", "c")),
            id="quotes; semicolons go before commas",
        ),
        pytest.param(
            '@string{ai = "Artificial {I}"}\n@String{x = ai # "ntelligence"}\n@misc{k, title = X # { and } # ai}',
            Document(id="k", title="Artificial Intelligence and Artificial I"),
            id="abbreviations",
        ),
        pytest.param("@misc{, title={a}, keywords={}}", Document(id="1", title="a", keyphrases=()), id="no key"),
        pytest.param("@misc{k, title={a}, url={x}, url={y}}", Document(id="k", title="a"), id="another field twice"),
        pytest.param(
            "Free text.\n@comment{@misc{x, title={no}}}\n@preamble{{\\x}}\n@misc{k, title={$O(n)$ -- fast}}",
            Document(id="k", title="$O(n)$ – fast"),
            id="all that is no entry; formulas stay",
        ),
    ],
)
def test_entries_become_documents(tmp_path, content, expected):
    assert read(tmp_path, content) == [expected]


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        pytest.param(
            "@misc{b, title = {open\n", "an entry that cannot be parsed \\(Unexpected block start", id="brace open"
        ),
        pytest.param("@misc{b, title {a}}", "an entry that cannot be parsed \\(Expected a `=`", id="no equals sign"),
        pytest.param("@misc{a, title={b}}", "the key 'a' is already used by the entry in line 1", id="key twice"),
        pytest.param("@misc{b, title={b}, Title={c}}", "has more than one field 'title'", id="field twice"),
        pytest.param("@misc{b, title={b}, title={c}}", "has more than one field 'title'", id="field twice, same case"),
        pytest.param(
            "@misc{b, title = foo}", "'foo' is neither in braces or quotes nor the name", id="no such @string"
        ),
        pytest.param("@misc{b, author={x}}", "has no text", id="no text"),
    ],
)
def test_a_bad_entry_is_named_or_passed_over(tmp_path, entry, message):
    content = f"@misc{{a, title={{first}}}}\n\n{entry}\n@misc{{z, title={{last}}}}\n"
    with pytest.raises(DataError, match=rf"lib\.bib:3: {message}"):
        read(tmp_path, content)
    skipped = []
    assert [document.title for document in read(tmp_path, content, skipped=skipped)] == ["first", "last"]
    assert len(skipped) == 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param("plain text", "lib.bib:1: holds no BibTeX entry", id="no library"),
        pytest.param(b"@misc{a,\n title={caf\xe9}}", "lib.bib:2: not UTF-8", id="not UTF-8"),
    ],
)
def test_what_is_no_library_is_refused(tmp_path, content, message):
    with pytest.raises(DataError, match=message):
        read(tmp_path, content, skipped=[])


def test_abbreviations_that_grow_without_end_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("keyseq.data.formats.bibtex.LARGEST", 1 << 20)
    doubling = "\n".join(f"@string{{a{n} = a{n - 1} # a{n - 1}}}" for n in range(1, 60))
    with pytest.raises(DataError, match=r"lib\.bib:\d+: 'a59' is neither"):
        read(tmp_path, f'@string{{a0 = "x"}}\n{doubling}\n@misc{{k, title = a59}}')


def test_the_parser_says_nothing_beside_the_error(tmp_path, capfd):
    with pytest.raises(DataError):
        read(tmp_path, "@misc{b, title {a}}")
    assert capfd.readouterr() == ("", "")
