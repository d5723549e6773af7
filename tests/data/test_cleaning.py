import json

import pytest

from keyseq.data.cleaning import Rules, clean_corpus, clean_document
from keyseq.data.leaks import Held
from keyseq.data.parallel import Work
from keyseq.types import Document

BODY = "We built robots that walk on ice with four legs and do not fall over even when it is wet."
OTHER = "Bread that is kept in a box stays fresh for longer than bread that is kept in a bag, we found."
GERMAN = "Wir haben Roboter gebaut, die auf dem Eis mit vier Beinen gehen und nicht umfallen, selbst wenn es nass ist."


def document(id, body, *keyphrases, title=""):
    return Document(id=id, title=title, body=body, keyphrases=keyphrases)


def test_a_document_is_repaired_from_all_sides():
    damaged = document("1", rf"Abstract: {BODY} \emph{{CafÃ©}}. Keywords: ice. © 2019 Ice Press.", "ice; C12", "Ices")
    cleaned = clean_document(damaged, Rules())
    assert cleaned.document == document("1", f"{BODY} Café.", "ice")
    assert cleaned.fault is None
    assert cleaned.changes == [
        "encoding repaired",
        "HTML or LaTeX converted to plain text",
        "heading removed",
        "keyword list removed",
    ]
    assert cleaned.keyphrase_changes == ["split", "dropped: subject code or category", "dropped: duplicate"]


@pytest.mark.parametrize(
    ("body", "keyphrases", "fault"),
    [
        ("Too short.", ["ice"], "text too short"),
        (BODY, ["C12", "J24"], "no keyphrase left"),
        (BODY, [], "no keyphrase left"),
        (GERMAN, ["ice"], "not English"),
        (BODY, ["ice"], None),
    ],
)
def test_why_a_document_is_dropped(body, keyphrases, fault):
    assert clean_document(document("1", body, *keyphrases), Rules()).fault == fault


def test_rules_can_be_others():
    assert clean_document(document("1", GERMAN, "ice"), Rules(language="any")).fault is None
    assert clean_document(document("1", "Too short.", "ice"), Rules(fewest_words=2, language="any")).fault is None


@pytest.mark.parametrize("processes", [1, 2])
def test_a_corpus_is_cleaned_in_order_and_reported(tmp_path, processes):
    documents = [
        document("a", BODY, "ice"),
        document("b", OTHER, "bread; boxes"),
        document("c", BODY.upper(), "ice"),
        document("d", "Short.", "x"),
        document("e", f"{BODY[::-1]} the of and the of and the of and", "the"),
    ]
    held = Held([("test", document("9", documents[4].body))])
    out = tmp_path / "clean.jsonl"
    report = clean_corpus(documents, out, Rules(), held, Work(processes=processes))
    assert [json.loads(line)["id"] for line in out.read_text().splitlines()] == ["a", "b"]
    assert {reason: (tally.count, tally.example) for reason, tally in report.dropped.items()} == {
        "near-duplicate": (1, "c"),
        "text too short": (1, "d"),
        "copy of a document of test": (1, "e"),
    }
    assert report.rows()[0] == ("documents read", 5, "")
    assert report.rows()[-1] == ("documents written", 2, "")
    assert ("keyphrase: split", 1, "b") in report.rows()


def test_nothing_is_written_if_the_corpus_breaks_off(tmp_path):
    def broken():
        yield document("a", BODY, "ice")
        raise ValueError("line 2")

    with pytest.raises(ValueError, match="line 2"):
        clean_corpus(broken(), tmp_path / "clean.jsonl", Rules(), work=Work(processes=1))
    assert not list(tmp_path.iterdir())
