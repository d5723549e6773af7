"""The outputs of several systems on one gold corpus, scored by one protocol."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from keyseq.data.parallel import Track, untracked
from keyseq.errors import KeyseqError
from keyseq.evaluation import protocols
from keyseq.evaluation.evaluator import evaluate, oracle
from keyseq.evaluation.protocols import Protocol
from keyseq.evaluation.scoring import Scores
from keyseq.evaluation.significance import Comparison
from keyseq.predictions.pairing import Phrases, given, pair
from keyseq.predictions.readers import Prediction, read_predictions
from keyseq.types import Document
from keyseq.vocabularies.controlled_vocabulary import ControlledVocabulary

if TYPE_CHECKING:
    from keyseq.data.formats import CorpusReading
    from keyseq.evaluation.semantic import PhraseEncoder


@dataclass(frozen=True)
class SystemOutputs:
    """A gold corpus and the phrases that each system predicted for it; both are read again for each use."""

    corpus: str
    documents: Callable[[], Iterable[Document]]
    predictions: Mapping[str, Callable[[], Iterable[Phrases | Prediction]]]

    @classmethod
    def from_files(
        cls,
        gold: tuple[str, Path],
        files: Mapping[str, Path],
        *,
        reading: "CorpusReading | None" = None,
        top_sequence: bool = False,
    ) -> "SystemOutputs":
        """Read prediction files, by the labels of their systems, against a corpus given by its name and its path.

        `reading` is how the corpus is read, if its path does not show it, and includes the separator of phrases.
        """
        from keyseq.data.formats import CorpusReading  # not needed for documents in memory

        corpus, path = gold
        if str(path) == "-" or path.is_fifo():
            raise KeyseqError(f"{path}: gold is read once for each system, which a pipe does not allow; use a file")
        read = reading or CorpusReading()
        predictions = {
            label: partial(read_predictions, file, top_sequence=top_sequence, separator=read.columns.separator)
            for label, file in files.items()
        }
        return cls(corpus, partial(read.documents, path), predictions)

    def with_oracle(self, label: str, protocol: Protocol) -> "SystemOutputs":
        """Add the gold phrases themselves as a system."""
        predictions = {**self.predictions, label: lambda: oracle(self.documents(), protocol)}
        return replace(self, predictions=predictions)

    def scores(
        self,
        protocol: Protocol | str = protocols.DEFAULT,
        metrics: Sequence[str] | None = None,
        *,
        processes: int | None = None,
        track: Track = untracked,
        vocabulary: ControlledVocabulary | None = None,
        semantic_model: "Path | PhraseEncoder | None" = None,
    ) -> dict[str, Scores]:
        """Score every system."""
        return {
            label: evaluate(
                track(self.documents(), label),
                read(),
                protocol=protocol,
                metrics=metrics,
                name=self.corpus,
                processes=processes,
                vocabulary=vocabulary,
                semantic_model=semantic_model,
            )
            for label, read in self.predictions.items()
        }

    def html(self, comparison: Comparison, shown: int) -> str:
        """Write a report as one HTML file, with at most `shown` of the documents."""
        from keyseq.evaluation.html.page import html_report  # not needed for tables

        if any(scores.protocol.compare == "concepts" for scores in comparison.systems.values()):
            raise KeyseqError("an HTML report shows phrases in texts, and concepts are in none; choose another format")
        pairs = {label: pair(self.documents(), given(read())) for label, read in self.predictions.items()}
        return html_report(comparison, pairs, shown)
