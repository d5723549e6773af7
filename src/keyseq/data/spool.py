"""Documents spooled to a file: memory holds one number for each."""

import json
from array import array
from collections.abc import Iterator
from typing import IO

from keyseq.types import Document


class DocumentSpool:
    """Documents in an open file, by their number."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._ends = array("Q", [0])

    def append(self, document: Document) -> None:
        """Add a document; only before the first is read back."""
        line = json.dumps([document.id, document.title, document.body, document.keyphrases]).encode()
        self._ends.append(self._ends[-1] + self._file.write(line))

    def __len__(self) -> int:
        return len(self._ends) - 1

    def __getitem__(self, number: int) -> Document:
        self._file.seek(self._ends[number])
        line = self._file.read(self._ends[number + 1] - self._ends[number])
        identity, title, body, keyphrases = json.loads(line)
        return Document(id=identity, title=title, body=body, keyphrases=tuple(keyphrases))

    def __iter__(self) -> Iterator[Document]:
        return (self[number] for number in range(len(self)))
