"""How good keyseq is in other languages than English, beside rankers that need no training: docs/languages.md.

python -m benchmarks.languages --data DIR
python -m benchmarks.languages --data DIR --work WORK      # keeps the rankers that never saw a language
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np

import keyseq
from benchmarks.shipped_languages import MULTILINGUAL, PARTS, train_multilingual
from keyseq.adapting.rankings import Answer, answers
from keyseq.cli.console import track
from keyseq.data.formats import read_documents
from keyseq.errors import KeyseqError
from keyseq.evaluation import Scores, evaluate
from keyseq.evaluation.protocols import Protocol, find
from keyseq.evaluation.report import shown, signatures
from keyseq.evaluation.significance import confidence_interval, paired_bootstrap
from keyseq.files import make_folder, write_whole
from keyseq.languages import name_of
from keyseq.tables import Cell, render
from keyseq.types import Document

METRIC, ABSENT, LIST = "present.f1@10", "absent.recall@10", "all.f1@m"
RANKERS = ("yake", "textrank", "multipartiterank")
BEFORE, DEFAULT, UNSEEN = "english", "default", "multilingual, without the language"
P = ("p, YAKE", "p, English")
SURE = 0.05  # a p value below which systems differ
ENOUGH, USUAL = 50, 10  # phrases of a ranker: its ranking, and its list
INTRODUCTION = """\
# Other languages

How good keyseq is in other languages than English: the default system, beside rankers that need no training (with the
stop words and stems of the language) and beside what keyseq gives where it takes every text for English. Made by
`python -m benchmarks.languages --data DIR`; [what was tried on the way](log/languages.md).

{size} test part,
protocol `yuan2020` with words of any script (`tokenizer=unicode`) and Porter's stems on both sides, which compares
words of most of these languages nearly as they are written; "own stems" is F1@10 under the protocol `multilingual`,
which compares words by the stemmer of the language. Present F1@10 (with its 95 % bootstrap interval over the documents)
and absent R@10 are of the whole ranking, F1@M and the number of phrases of the list that a user gets. *p* is that of a
paired bootstrap test of F1@10, two-sided, beside YAKE and beside English.

| system | what it is |
|---|---|
| english | `--system auto --language en`: the system for English texts of its kind |
| yake, textrank, multipartiterank | `--system NAME --language CODE` |
| multilingual | one ranker for all languages, over features that ask no corpus; it learnt from {learnt} |
| multilingual, without the language | the same, learnt from the others: what to expect of a new language |
| default | `keyseq generate`: the language's own system where there is one, and `multilingual` elsewhere |
"""


@dataclass(frozen=True)
class LanguagePart:
    """Documents of one language and kind."""

    title: str
    language: str
    path: str

    def documents(self, data: Path, count: int | None = None) -> list[Document]:
        """Those with keyphrases, or the first of them."""
        [path] = (data / "languages").glob(f"{self.path}.jsonl*")
        return list(islice((one for one in read_documents(path) if one.keyphrases), count))

    @property
    def protocol(self) -> Protocol:
        """The one that compares words by the stemmer of the language."""
        return find("multilingual", {"language": self.language})

    @property
    def is_learnt(self) -> bool:
        """Whether `multilingual` learnt from documents in the language."""
        return any(part.language == self.language for part in PARTS)


TESTS = (
    LanguagePart("French theses", "fr", "fr/test"),
    LanguagePart("Russian news", "ru", "ru/test"),
    LanguagePart("Finnish questions", "fi", "fi/test"),
    LanguagePart("Chinese papers", "zh", "zh/test"),
    LanguagePart("French news", "fr", "fr/small"),
    LanguagePart("Portuguese news", "pt", "pt/small"),
    LanguagePart("Spanish papers", "es", "es/small"),
    LanguagePart("Polish papers", "pl", "pl/small"),
)


@dataclass(frozen=True)
class Measured:
    """The scores of a system on a test part: of the whole ranking, and of the list."""

    ranking: Scores
    stemmed: Scores  # the ranking, by the stemmer of the language
    listed: Scores
    phrases: float

    @classmethod
    def of(cls, found: Sequence[Answer], documents: Sequence[Document], test: LanguagePart) -> "Measured":
        """Score what a system answered."""
        published = find("yuan2020", {"tokenizer": "unicode"})
        whole, given = [one.ranking for one in found], [one.given for one in found]
        return cls(
            evaluate(documents, whole, metrics=(METRIC, ABSENT), protocol=published, name=test.title, processes=1),
            evaluate(documents, whole, metrics=(METRIC,), protocol=test.protocol, name=test.title, processes=1),
            evaluate(documents, given, metrics=(LIST,), protocol=published, name=test.title, processes=1),
            float(np.mean([len(one) for one in given])),
        )


def answered(system: keyseq.System, documents: Sequence[Document], label: str) -> list[Answer]:
    """What a system answers; a ranker is asked once, since its list is the beginning of its ranking."""
    if system.name not in RANKERS:
        return answers(system, documents, track, label)
    rankings = system.predict(list(track(documents, label, len(documents))))
    return [Answer(found[:USUAL], found) for found in rankings]


def systems(test: LanguagePart, data: Path, work: Path) -> Iterator[tuple[str, keyseq.System]]:
    """What is measured on a test part."""
    yield BEFORE, keyseq.load(language="en")
    for name in RANKERS:
        yield name, keyseq.load(name, language=test.language, top=ENOUGH)
    if test.is_learnt:
        yield UNSEEN, keyseq.load(_unseen(test.language, data, work), language=test.language)
        yield MULTILINGUAL, keyseq.load(MULTILINGUAL, language=test.language)
    yield DEFAULT, keyseq.load()


def _unseen(language: str, data: Path, work: Path) -> Path:
    """The ranker that learnt from all languages but one."""
    folder = work / f"without-{language}"
    if not folder.is_dir():
        train_multilingual(data, folder, without=language)
    return folder


def measured(test: LanguagePart, documents: Sequence[Document], data: Path, work: Path) -> dict[str, Measured]:
    """All systems on documents of a test part."""
    return {
        name: Measured.of(answered(system, documents, f"{test.title}: {name}"), documents, test)
        for name, system in systems(test, data, work)
    }


def summary(found: Mapping[str, Mapping[str, Measured]]) -> str:
    """F1@10 of all systems on all test parts."""
    rows = [
        [name, *(_in_summary(of.get(name)) for of in found.values())]
        for name in (BEFORE, *RANKERS, UNSEEN, MULTILINGUAL, DEFAULT)
    ]
    return render(["present F1@10", *found], rows, "markdown")


def _in_summary(one: Measured | None) -> Cell:
    return shown(METRIC, one.ranking.aggregate(METRIC)) if one else None


def verdict(found: Mapping[str, Mapping[str, Measured]]) -> str:
    """On which test parts the default is better than YAKE and than English by the paired test; where others are."""
    told = [
        f"- **Beside {called}** the default is {_differences(found, other)}."
        for other, called in ((RANKERS[0], "YAKE"), (BEFORE, "keyseq for English texts"))
    ]
    higher = {title: _higher(of) for title, of in found.items()}
    listed = "; ".join(f"{title}: {', '.join(names)}" for title, names in higher.items() if names)
    return "\n".join([*told, f"- **Above the default** stand, on {listed}." if listed else "", ""])


def _differences(found: Mapping[str, Mapping[str, Measured]], other: str) -> str:
    groups: dict[str, list[str]] = {"better on": [], "worse on": [], "not told apart on": []}
    for title, of in found.items():
        one, beside = of[DEFAULT].ranking, of[other].ranking
        p = paired_bootstrap(one, beside, METRIC).p["bootstrap"]
        sign = "better on" if one.aggregate(METRIC) > beside.aggregate(METRIC) else "worse on"
        groups[sign if p < SURE else "not told apart on"].append(title if p < SURE else f"{title} (p = {p:.2f})")
    return "; ".join(f"{sign} {', '.join(titles)}" for sign, titles in groups.items() if titles)


def _higher(of: Mapping[str, Measured]) -> list[str]:
    """The systems with a higher F1@10 than the default."""
    least = of[DEFAULT].ranking.aggregate(METRIC)
    return [name for name, one in of.items() if one.ranking.aggregate(METRIC) > least]


def section(test: LanguagePart, found: Mapping[str, Measured]) -> str:
    """The table of a test part."""
    columns = ["system", "present F1@10", "95 %", *P, "own stems", "absent R@10", "F1@M", "phrases"]
    rows = [_row(name, one, found) for name, one in found.items()]
    scores = {name: one.ranking for name, one in found.items()}
    told = [f"- {line}" for line in signatures(scores, (METRIC, ABSENT))]
    return "\n".join([f"## {test.title}", "", render(columns, rows, "markdown"), *told, ""])


def _row(name: str, one: Measured, found: Mapping[str, Measured]) -> list[Cell]:
    interval = confidence_interval(one.ranking, METRIC)
    ends = " – ".join(shown(METRIC, end) for end in (interval.low, interval.high))
    beside: list[Cell] = [
        None if name == other else _p(one.ranking, found[other].ranking) for other in (RANKERS[0], BEFORE)
    ]
    absent = None if name in RANKERS else shown(ABSENT, one.ranking.aggregate(ABSENT))
    listed, stemmed = shown(LIST, one.listed.aggregate(LIST)), shown(METRIC, one.stemmed.aggregate(METRIC))
    score = shown(METRIC, one.ranking.aggregate(METRIC))
    return [name, score, ends, *beside, stemmed, absent, listed, f"{one.phrases:.1f}"]


def _p(one: Scores, other: Scores) -> str:
    return f"{paired_bootstrap(one, other, METRIC).p['bootstrap']:.4f}"


def introduction(documents: int | None) -> str:
    """What the page says before its tables, of all documents of each test part or the first of them."""
    size = (
        f"The first {documents} documents (`--documents {documents}`) of each" if documents else "All documents of each"
    )
    return INTRODUCTION.format(learnt=_learnt(), size=size)


def _learnt() -> str:
    """The languages that `multilingual` learnt from."""
    *names, last = dict.fromkeys(name_of(part.language) for part in PARTS)
    return f"{', '.join(names)} and {last}"


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, help="a folder for the rankers that are trained on the way")
    parser.add_argument("--out", type=Path, default=Path("docs/languages.md"))
    parser.add_argument("--documents", type=int, help="the first so many of each test part alone, for a trial")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        work = options.work or Path(place)
        make_folder(work)
        try:
            found = {
                test.title: measured(test, test.documents(options.data, options.documents), options.data, work)
                for test in TESTS
            }
        except KeyseqError as error:
            sys.exit(str(error))
    sections = [section(test, found[test.title]) for test in TESTS]
    with write_whole(options.out) as file:
        file.write("\n".join([introduction(options.documents), summary(found), verdict(found), *sections]))
    print(summary(found), verdict(found), sep="\n")


if __name__ == "__main__":
    main()
