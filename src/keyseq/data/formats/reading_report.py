"""The report of reading a corpus: skipped records, and messages."""

from collections.abc import Callable
from dataclasses import dataclass, field


def _nobody(_message: str) -> None:
    """Ignore a message."""


@dataclass(slots=True, kw_only=True)
class ReadingReport:
    """The records and files that were passed over, with the reasons.

    Records that cannot be read raise a `DataError`, unless `skipped` is a list, which then holds their errors. So do
    records without a text, unless `textless` is a list. `unread` are the files of a folder that are not documents.
    `tell` is called with messages, such as which columns of a table are read. `advice` ends the errors of records,
    and of files in a folder: how to pass over them.
    """

    skipped: list[str] | None = None
    textless: list[str] | None = None
    unread: list[str] = field(default_factory=list)
    tell: Callable[[str], None] = _nobody
    advice: str = ""
