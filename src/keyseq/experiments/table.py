"""Tables of measured and published values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from keyseq.tables import Cell, render

BASELINE, DIFFERS = "‡", "†"


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """A value of a table: measured, published, or both; if it was not measured, `missing` is the reason.

    Fractions are in percent. `interval` is a bootstrap interval over the documents. `baseline` names the row that the
    value is compared with, or itself; `differs` is whether it differs significantly, `p` holds the p values by test.
    Of several networks with other seeds, `measured` is the mean of `runs`.
    """

    row: str
    column: str
    measured: float | None = None
    published: float | None = None
    interval: tuple[float, float] | None = None
    digits: int = 2
    missing: str | None = None
    signature: str | None = None
    command: str | None = None
    baseline: str | None = None
    differs: bool = False
    runs: tuple[float, ...] = ()
    p: Mapping[str, float | None] = field(default_factory=dict)

    @property
    def difference(self) -> float | None:
        """Measured minus published."""
        return None if self.measured is None or self.published is None else self.measured - self.published

    @property
    def shown(self) -> Cell:
        """The measured value, formatted."""
        if self.measured is None:
            return None
        text = f"{self.measured:,.{self.digits}f}".replace("-", "−")
        if self.interval is not None:
            text += f" ± {(self.interval[1] - self.interval[0]) / 2:.{self.digits}f}"
        if len(self.runs) > 1:
            text += f" ({min(self.runs):,.{self.digits}f}–{max(self.runs):,.{self.digits}f})"
        return text + (BASELINE if self.baseline == self.row else DIFFERS if self.differs else "")

    @property
    def shown_published(self) -> Cell:
        """The published value, with the one or two decimals of the paper."""
        if self.published is None:
            return None
        return f"{self.published:,.2f}".removesuffix("0") if self.digits else f"{self.published:,.0f}"

    @property
    def shown_difference(self) -> Cell:
        """The signed difference, formatted."""
        difference = self.difference
        if difference is None:
            return None
        return f"{difference:+z,.{min(self.digits, 1)}f}".replace("-", "−")


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A table with its title; a `long` table has a line for each value, others a line for each row."""

    title: str
    values: Sequence[Value]
    corner: str = "system"
    long: bool = False
    notes: Sequence[str] = ()

    def render(self, format: str) -> str:
        """The table as text, Markdown or LaTeX."""
        return render(*self.table(), format)

    def table(self) -> tuple[list[str], list[list[Cell]]]:
        """Headers and rows."""
        return self._long() if self.long else self._wide()

    def _long(self) -> tuple[list[str], list[list[Cell]]]:
        rows: list[list[Cell]] = [
            [value.row, value.column, value.missing or value.shown, value.shown_published, value.shown_difference]
            for value in self.values
        ]
        return [self.corner, "number", "measured", "published", "difference"], rows

    def _wide(self) -> tuple[list[str], list[list[Cell]]]:
        columns = list(dict.fromkeys(value.column for value in self.values))
        compared = [column for column in columns if any(self._of(column, "published"))]
        headers = [self.corner]
        for column in columns:
            headers += [column, "published", "difference"] if column in compared else [column]
        return headers, [self._row(row, columns, compared) for row in dict.fromkeys(value.row for value in self.values)]

    def _of(self, column: str, name: str) -> list[bool]:
        return [getattr(value, name) is not None for value in self.values if value.column == column]

    def _row(self, row: str, columns: Sequence[str], compared: Sequence[str]) -> list[Cell]:
        """A line of the table; if nothing was measured, only its first column is filled, with the reason."""
        values = {value.column: value for value in self.values if value.row == row}
        is_measured = any(value.measured is not None for value in values.values())
        cells: list[Cell] = [row]
        for place, column in enumerate(columns):
            value = values.get(column, Value(row=row, column=column))
            cells.append(value.missing if value.missing and (is_measured or place == 0) else value.shown)
            if column in compared:
                cells += [value.shown_published, value.shown_difference]
        return cells
