"""Words and their ids: five special words, then words of targets, then the rest of the source words."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from keyseq.errors import DataError, KeyseqError
from keyseq.files import open_binary, write_whole

SPECIALS = ("<pad>", "<unk>", "<s>", "</s>", "<sep>")
PAD, UNK, BOS, EOS, SEP = range(len(SPECIALS))
DIVIDER = "<peos>"  # between present and absent phrases of divided targets: a word like any other, which no text has


def ranked(source: Mapping[str, int], target: Mapping[str, int], limit: int | None = None) -> list[str]:
    """The most frequent words of source and target together, in the order of ids: target words by target count first.

    So an output layer over the first n ids covers the n most frequent target words. Ties are broken by source count,
    then alphabetically, so that equal counts give equal vocabularies.
    """

    def total(word: str) -> int:
        return source.get(word, 0) + target.get(word, 0)

    words = (source.keys() | target.keys()).difference(SPECIALS)
    chosen = sorted(words, key=lambda word: (-total(word), -target.get(word, 0), word))[:limit]
    return sorted(chosen, key=lambda word: (-target.get(word, 0), -total(word), word))


class Vocabulary:
    """The words a network knows, by id; `SPECIALS` come first."""

    def __init__(self, words: Iterable[str]) -> None:
        self.words = tuple(words)
        if self.words[: len(SPECIALS)] != SPECIALS:
            raise DataError(f"a vocabulary must begin with {' '.join(SPECIALS)}")
        self._ids = {word: number for number, word in enumerate(self.words)}
        if len(self._ids) < len(self.words):
            raise DataError(f"the vocabulary contains '{_repeated(self.words)}' twice")

    @classmethod
    def from_words(cls, words: Iterable[str]) -> "Vocabulary":
        """Build a vocabulary of the special words and these."""
        return cls((*SPECIALS, *words))

    @classmethod
    def from_counts(cls, source: Mapping[str, int], target: Mapping[str, int], size: int) -> "Vocabulary":
        """Select words by `ranked`; the special words count towards the size."""
        room = size - len(SPECIALS)
        if room < 1:
            raise KeyseqError(
                f"a vocabulary of {size} has no room for words: the {len(SPECIALS)} special ones"
                f" ({' '.join(SPECIALS)}) count; ask for more than {len(SPECIALS)}"
            )
        return cls.from_words(ranked(source, target, room))

    @classmethod
    def load(cls, path: Path) -> "Vocabulary":
        """Read a vocabulary, one word per line."""
        with open_binary(path) as file:
            try:
                text = file.read().decode("utf-8")
            except UnicodeDecodeError:
                raise DataError(f"{path}: not a vocabulary: it must be UTF-8 text with one word per line") from None
        if not text.endswith("\n"):
            raise DataError(f"{path}: the last line is truncated; write the vocabulary again")
        try:
            return cls(text[:-1].split("\n"))
        except DataError as error:
            raise DataError(f"{path}: {error}") from None

    def save(self, path: Path) -> None:
        """Write one word per line."""
        with write_whole(path) as file:
            file.writelines(f"{word}\n" for word in self.words)

    @property
    def divider(self) -> int | None:
        """The id of `DIVIDER`, which only vocabularies of divided targets have."""
        return self._ids.get(DIVIDER)

    @property
    def separators(self) -> tuple[int, ...]:
        """The ids of words that separate phrases."""
        return (SEP,) if self.divider is None else (SEP, self.divider)

    def id(self, word: str) -> int:
        """The id of a word, `UNK` if it is unknown."""
        return self._ids.get(word, UNK)

    def ids(self, words: Iterable[str]) -> list[int]:
        """The ids of words, `UNK` for unknown ones."""
        known = self._ids
        return [known.get(word, UNK) for word in words]

    def source_ids(self, words: Sequence[str]) -> tuple[list[int], dict[str, int]]:
        """The extended ids of a source text, and those of its words outside the vocabulary.

        The first unknown word has the id `len(self)`, the next the id after it, and so on.
        """
        ids = self.ids(words)
        unknown: dict[str, int] = {}
        for place, number in enumerate(ids):
            if number == UNK:
                ids[place] = unknown.setdefault(words[place], len(self) + len(unknown))
        return ids, unknown

    def target_ids(self, words: Iterable[str], unknown: Mapping[str, int]) -> list[int]:
        """The extended ids of target words: `UNK` for one in neither the vocabulary nor the source."""
        return [self._ids.get(word) or unknown.get(word, UNK) for word in words]

    def extended(self, words: Iterable[str]) -> "Vocabulary":
        """The vocabulary with new ids appended for unknown words."""
        new = dict.fromkeys(word for word in words if word not in self._ids)
        return Vocabulary((*self.words, *new))

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: object) -> bool:
        return word in self._ids

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Vocabulary) and self.words == other.words

    def __hash__(self) -> int:
        return hash(self.words)


def _repeated(words: Iterable[str]) -> str:
    [(word, _)] = Counter(words).most_common(1)
    return word
