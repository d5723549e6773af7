import subprocess
import sys
from pathlib import Path

import pytest
from examples import table

from keyseq.errors import KeyseqError
from keyseq.text.presence import StemmedText, phrase_stems
from keyseq.types import Phrase

SCRIPT = Path(table.__file__)


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(SCRIPT), *arguments], capture_output=True, text=True)


def answer(said: list[Phrase], expected: list[str]) -> table.Answer:
    return table.Answer(Path("a.txt"), 1200, "scholar", said, expected, 0.0123)


def phrase(text: str, present: bool) -> Phrase:
    return Phrase(text=text, score=0.5, present=present)


def test_the_command_writes_a_line_for_every_text_so_that_none_is_picked_out(tmp_path):
    out = tmp_path / "README.md"
    done = run("--system", "textrank", "--out", str(out))
    assert (done.returncode, done.stderr) == (0, "")
    page = out.read_text(encoding="utf-8")
    lines = [line.split(" | ") for line in page.splitlines() if line.startswith("| [")]
    assert [line[0].split("]")[0].removeprefix("| [") for line in lines] == [path.name for path in table.texts()]
    assert all(line[3].strip() for line in lines), "textrank finds phrases in each of them"
    assert "```bash\npython examples/table.py --system textrank\n```" in page


def test_a_system_that_does_not_exist_is_told_in_one_sentence_and_nothing_is_written(tmp_path):
    done = run("--system", "textrnk", "--out", str(tmp_path / "README.md"))
    assert done.returncode == 2
    assert "unknown system 'textrnk'; did you mean 'textrank'" in done.stderr
    assert not list(tmp_path.iterdir())


def test_there_is_an_expected_list_for_every_text_and_for_nothing_else():
    assert sorted(table.expected()) == [path.name for path in table.texts()]
    assert len(table.texts()) >= 13


def test_a_text_without_an_expected_list_is_named(monkeypatch):
    monkeypatch.setattr(table, "expected", dict)
    with pytest.raises(KeyseqError, match=r"expected\.toml: add the phrases an indexer would assign to .*paper\.txt"):
        table.answers("textrank")


@pytest.mark.parametrize(("name", "phrases"), table.expected().items())
def test_an_expected_list_is_as_long_as_an_indexers_and_says_nothing_twice(name, phrases):
    assert 5 <= len(phrases) <= 8
    assert len({tuple(phrase_stems(phrase)) for phrase in phrases}) == len(phrases)
    text = StemmedText.of((SCRIPT.parent / name).read_text(encoding="utf-8"))
    assert any(phrase_stems(phrase) in text for phrase in phrases), "the list of another text"


def test_phrases_are_found_by_their_stems_and_counted_once():
    said = [phrase("Delivery robot", True), phrase("delivery robots", True), phrase("robots", True)]
    assert answer(said, ["delivery robots", "trust"]).found == 1


def test_a_line_tells_absent_phrases_by_italics_and_leaves_marks_as_they_were_said():
    line = answer([phrase("a*b", True), phrase("social robots", False)], ["trust"]).row()
    assert line == ("[a.txt](a.txt)", 1200, "scholar", r"a\*b; *social robots*", "trust", "0 of 1", 12)
