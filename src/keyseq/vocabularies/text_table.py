"""Many short texts as two flat arrays, which can be memory-mapped."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class TextTable:
    """Texts in UTF-8, one after the other: text i lies from `offsets[i]` to `offsets[i + 1]`."""

    content: NDArray[np.uint8]
    offsets: NDArray[np.int64]

    @classmethod
    def of(cls, texts: Iterable[str]) -> "TextTable":
        """Lay texts out; a lone surrogate, which UTF-8 cannot represent, becomes a question mark."""
        encoded = [text.encode("utf-8", errors="replace") for text in texts]
        offsets = np.concatenate([[0], np.cumsum([len(text) for text in encoded])]).astype(np.int64)
        return cls(np.frombuffer(b"".join(encoded), dtype=np.uint8), offsets)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, number: int) -> str:
        return self.content[self.offsets[number] : self.offsets[number + 1]].tobytes().decode("utf-8")

    def __iter__(self) -> Iterator[str]:
        content, offsets = self.content.tobytes(), self.offsets.tolist()
        return (content[start:end].decode("utf-8") for start, end in pairwise(offsets))

    def check(self, count: int) -> None:
        """ValueError unless it holds the given number of texts."""
        sound = (
            len(self) == count
            and self.offsets[0] == 0
            and self.offsets[-1] == len(self.content)
            and (np.diff(self.offsets) >= 0).all()
        )
        if not sound:
            raise ValueError("texts that do not fit together")
