"""The same predictions under every published protocol that compares phrases, side by side."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from keyseq.errors import KeyseqError
from keyseq.evaluation.evaluator import Predictions, evaluate
from keyseq.evaluation.protocols import PROTOCOLS
from keyseq.evaluation.report import as_json, laid_out, score_record, shown, signatures, units
from keyseq.evaluation.scoring import Scores
from keyseq.evaluation.tabular import Tabular
from keyseq.tables import Cell
from keyseq.text.tokenize import DEFAULT as PUBLISHED
from keyseq.types import Document

COMPARABLE = tuple(name for name, protocol in PROTOCOLS.items() if protocol.tokenizer == PUBLISHED)


@dataclass(frozen=True, repr=False)
class ProtocolScores(Tabular):
    """The scores of systems by protocol, and there by system."""

    scores: Mapping[str, Mapping[str, Scores]]

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems."""
        return tuple(next(iter(self.scores.values())))

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics, which all protocols have in common."""
        return next(iter(next(iter(self.scores.values())).values())).metrics

    def __repr__(self) -> str:
        return f"ProtocolScores({', '.join(self.systems)} under {', '.join(self.scores)})"

    def records(self) -> list[dict[str, Any]]:
        """A row for each protocol, system and metric."""
        return [
            {"protocol": protocol, **score_record(system, systems[system], metric)}
            for protocol, systems in self.scores.items()
            for system in systems
            for metric in self.metrics
        ]

    def rendered(self, format: str) -> str:
        """A table with a column for each protocol, as `text`, `markdown`, `latex` or `html`; or all of it as `json`."""
        if format == "json":
            return as_json(self.records())
        several = len(self.systems) > 1
        rows = [self._row(system, metric, several) for system in self.systems for metric in self.metrics]
        notes = [units(self.metrics)]
        notes += [note for systems in self.scores.values() for note in signatures(systems, self.metrics)]
        return laid_out([*(["system"] if several else []), "metric", *self.scores], rows, notes, format)

    def page(self) -> str:
        """The table as an HTML file."""
        from keyseq.evaluation.html.markup import Markup, element
        from keyseq.evaluation.html.page import shell

        title = f"{', '.join(self.systems)} under {', '.join(self.scores)}"
        return shell(title, element("main", element("h1", title), Markup(self.rendered("html"))))

    def _row(self, system: str, metric: str, several: bool) -> list[Cell]:
        scores = (shown(metric, systems[system].aggregate(metric)) for systems in self.scores.values())
        return [*([system] if several else []), metric, *scores]


def evaluate_all(
    gold: Iterable[Document] | Path | str, predictions: Predictions, *, name: str = "system", **options: Any
) -> ProtocolScores:
    """Score predictions under every protocol that compares phrases; the options are those of `keyseq.evaluate`."""
    if "protocol" in options:
        raise KeyseqError("evaluate_all scores under all protocols; use keyseq.evaluate for one")
    known = gold if isinstance(gold, str | Path) else list(gold)
    given = predictions if isinstance(predictions, str | Path | Mapping) else list(predictions)
    return ProtocolScores(
        {protocol: {name: evaluate(known, given, protocol=protocol, **options)} for protocol in COMPARABLE}
    )
