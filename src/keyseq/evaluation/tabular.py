"""Scores as tables for papers, pandas and notebooks."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from keyseq.imports import require


class Tabular(ABC):
    """Something that can be laid out as a table."""

    @abstractmethod
    def rendered(self, format: str) -> str:
        """A table with its signatures as `text`, `markdown`, `latex`, `html` or `json`."""

    @abstractmethod
    def records(self) -> Sequence[Mapping[str, Any]]:
        """Its rows, each as values by name."""

    def to_pandas(self) -> Any:  # a DataFrame
        """Its rows as a DataFrame."""
        return require("pandas", "pandas").DataFrame(list(self.records()))

    def to_latex(self) -> str:
        """A table for LaTeX with booktabs, the signatures as comments."""
        return self.rendered("latex")

    def to_markdown(self) -> str:
        """A table in Markdown, the signatures below."""
        return self.rendered("markdown")

    def to_html(self) -> str:
        """A table as a fragment of HTML, the signatures below."""
        return self.rendered("html")

    def _repr_html_(self) -> str:
        return self.to_html()

    def __str__(self) -> str:
        return self.rendered("text")
