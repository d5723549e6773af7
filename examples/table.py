"""Run keyseq on every text of this folder and write what it says to README.md: `python examples/table.py`."""

import argparse
import re
import timeit
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import keyseq
from keyseq.data.formats import read_documents
from keyseq.data.formats.plain import is_readable
from keyseq.errors import KeyseqError
from keyseq.files import write_whole
from keyseq.systems import DEFAULT, SYSTEMS
from keyseq.tables import render
from keyseq.text.presence import phrase_stems

FOLDER = Path(__file__).parent
README = "README.md"
QUESTIONS = "questions"  # the system for texts whose name begins with "question"
HEADERS = ("text", "words", "system", "keyseq says", "an indexer would say", "found", "ms")
REPEATS = 3  # the fastest counts

INTRODUCTION = """\
# Texts that a person would try

What `keyseq generate` says about every text of this folder, good and bad alike: no text was left out, no answer
changed. Phrases that the text does not contain are in *italics*. Beside them is what an indexer would say, written down
without a look at any answer ([expected.toml](expected.toml)), and how many of those phrases were found, compared by
their stems. The time is that of the fastest of {repeats} runs, the system being loaded. The German text shows what
becomes of a language that the networks do not know. The command:

    {command}

"""


class Answer(NamedTuple):
    """What a system says about a text, beside what an indexer would."""

    path: Path
    words: int
    system: str
    phrases: list[keyseq.Phrase]
    expected: list[str]
    seconds: float

    @property
    def found(self) -> int:
        """How many of the expected phrases were given."""
        given = {_key(phrase.text) for phrase in self.phrases}
        return sum(_key(phrase) in given for phrase in self.expected)

    def row(self) -> tuple[str | int, ...]:
        """The answer as a line of the table."""
        link, found = f"[{self.path.name}]({self.path.name})", f"{self.found} of {len(self.expected)}"
        said, wanted = "; ".join(map(_shown, self.phrases)), "; ".join(self.expected)
        return link, self.words, self.system, said, wanted, found, round(1000 * self.seconds)


def texts() -> list[Path]:
    """The texts of this folder."""
    return sorted(path for path in FOLDER.iterdir() if is_readable(path.name) and path.name != README)


def expected() -> dict[str, list[str]]:
    """The phrases that an indexer would give each text, by the text's name."""
    return tomllib.loads((FOLDER / "expected.toml").read_text(encoding="utf-8"))


def system_for(path: Path) -> str:
    """The name of the system that was made for such a text."""
    return QUESTIONS if path.name.startswith("question") and QUESTIONS in SYSTEMS else DEFAULT


def answer(system: keyseq.System, path: Path, expected: list[str]) -> Answer:
    """Have a system read a text."""
    documents = list(read_documents(path))
    [phrases] = system.predict(documents)
    seconds = min(timeit.repeat(lambda: system.predict(documents), number=1, repeat=REPEATS))
    return Answer(path, len(documents[0].text.split()), system.name, phrases, expected, seconds)


def answers(system: str | None = None) -> list[Answer]:
    """What the systems say about all texts; one of them about every text, if it is named."""
    names, wanted = {path: system or system_for(path) for path in texts()}, expected()
    if missing := [path.name for path in names if path.name not in wanted]:
        raise KeyseqError(f"{FOLDER / 'expected.toml'}: say what an indexer would give {', '.join(missing)}")
    systems = {name: keyseq.load(name) for name in sorted(set(names.values()))}
    return [answer(systems[name], path, wanted[path.name]) for path, name in names.items()]


def readme(answers: Sequence[Answer], command: str) -> str:
    """The page that shows all answers."""
    found, wanted = sum(each.found for each in answers), sum(len(each.expected) for each in answers)
    given = sum(len(each.phrases) for each in answers)
    head = INTRODUCTION.format(repeats=REPEATS, command=command)
    table = render(HEADERS, [each.row() for each in answers], "markdown")
    return f"{head}{table}\nIn all: {given} phrases, among them {found} of the {wanted} that an indexer would give.\n"


def main() -> None:
    """Parse the command line, ask the systems, write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--system", metavar="NAME", help="one system for all texts, named as for keyseq generate")
    parser.add_argument(
        "--out", type=Path, default=FOLDER / README, metavar="FILE", help="write there, not to README.md"
    )
    arguments = parser.parse_args()
    command = "python examples/table.py" + (f" --system {arguments.system}" if arguments.system else "")
    try:
        page = readme(answers(arguments.system), command)
        with write_whole(arguments.out) as file:
            file.write(page)
    except KeyseqError as error:
        parser.error(str(error))


def _key(phrase: str) -> tuple[str, ...]:
    return tuple(phrase_stems(phrase))


def _shown(phrase: keyseq.Phrase) -> str:
    text = re.sub(r"([\\`*_<\[])", r"\\\1", phrase.text)
    return text if phrase.present else f"*{text}*"


if __name__ == "__main__":
    main()
