"""Dataset statistics: the columns of the paper's two tables of datasets."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean

from keyseq.tables import Cell
from keyseq.text.analyzer import ENGLISH, Analyzer
from keyseq.text.presence import StemmedText, phrase_stems
from keyseq.types import Document

HEADERS = ("Dataset", "#Doc", "#KP", "Mean", "Var", "%Pre", "#PreDoc", "#PreKP", "#AbsDoc", "#AbsKP")


@dataclass(frozen=True, kw_only=True)
class Statistics:
    """Counts over the documents of a corpus.

    `sizes` maps the number of keyphrases to the number of documents; `unlabelled` documents, without known
    keyphrases, count as documents only. A keyphrase without any word counts as present, as published.
    """

    documents: int
    unlabelled: int
    documents_with_present: int
    present_keyphrases: int
    documents_with_absent: int
    absent_keyphrases: int
    sizes: dict[int, int]

    @property
    def keyphrases(self) -> int:
        """The total number of keyphrases."""
        return self.present_keyphrases + self.absent_keyphrases

    @property
    def mean(self) -> float | None:
        """Mean number of keyphrases per document, or None without documents."""
        return fmean(self.sizes, self.sizes.values()) if self.sizes else None

    @property
    def variance(self) -> float | None:
        """Population variance of that number: divided by N, not by N − 1."""
        mean = self.mean
        if mean is None:
            return None
        return fmean(((size - mean) ** 2 for size in self.sizes), self.sizes.values())

    @property
    def percent_present(self) -> float | None:
        """Percentage of present keyphrases, or None without keyphrases."""
        return 100 * self.present_keyphrases / self.keyphrases if self.keyphrases else None

    def row(self, name: str) -> list[Cell]:
        """The corpus as a row under `HEADERS`, with the digits of the paper."""
        return [
            name,
            self.documents,
            self.keyphrases,
            _one_digit(self.mean),
            _one_digit(self.variance),
            _one_digit(self.percent_present),
            self.documents_with_present,
            self.present_keyphrases,
            self.documents_with_absent,
            self.absent_keyphrases,
        ]

    def as_dict(self) -> dict[str, object]:
        """Every number, unrounded, for JSON."""
        derived = ("keyphrases", "mean", "variance", "percent_present")
        return asdict(self) | {name: getattr(self, name) for name in derived}


def measure(documents: Iterable[Document], analyzer: Analyzer = ENGLISH) -> Statistics:
    """Count the documents of a stream and their keyphrases, present and absent by whole stemmed words."""
    total: Counter[str] = Counter()
    sizes: Counter[int] = Counter()
    for document in documents:
        total["documents"] += 1
        if document.keyphrases is None:
            total["unlabelled"] += 1
            continue
        present = _present(document.text, document.keyphrases, analyzer)
        absent = len(document.keyphrases) - present
        sizes[len(document.keyphrases)] += 1
        total["present_keyphrases"] += present
        total["absent_keyphrases"] += absent
        total["documents_with_present"] += present > 0
        total["documents_with_absent"] += absent > 0
    return Statistics(
        documents=total["documents"],
        unlabelled=total["unlabelled"],
        documents_with_present=total["documents_with_present"],
        present_keyphrases=total["present_keyphrases"],
        documents_with_absent=total["documents_with_absent"],
        absent_keyphrases=total["absent_keyphrases"],
        sizes=dict(sorted(sizes.items())),
    )


def _present(text: str, keyphrases: Sequence[str], analyzer: Analyzer) -> int:
    stemmed = StemmedText.of(text, analyzer)
    return sum(phrase_stems(keyphrase, analyzer) in stemmed for keyphrase in keyphrases)


def _one_digit(number: float | None) -> str | None:
    return None if number is None else f"{number:.1f}"
