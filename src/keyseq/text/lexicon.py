"""The lexicon of the tagger: a sorted table that is searched for a few words and parsed for many."""

from collections.abc import Callable, Mapping
from functools import cached_property

FEW = 400  # words that are searched for one by one: more take longer than parsing the table (20 ms)


class Lexicon:
    """Tags by word, from lines of `word tag` in UTF-8 that are sorted by word; `corrections` take precedence."""

    get: Callable[[str], str | None]

    def __init__(self, table: bytes, corrections: Mapping[str, str]) -> None:
        self._table, self._corrections = table, corrections
        self._found: dict[str, str | None] = dict(corrections)
        self.get = self._searched

    def __contains__(self, word: str) -> bool:
        return self.get(word) is not None

    def _searched(self, word: str) -> str | None:
        if word not in self._found:
            if len(self._found) >= FEW:
                return self._parsed.get(word)
            self._found[word] = self._search(word)
        return self._found[word]

    def _search(self, word: str) -> str | None:
        """The tag of a word, by binary search over the lines."""
        wanted, table = word.encode("utf-8", errors="surrogatepass"), self._table
        low, high = 0, len(table)
        while low < high:
            start = table.rfind(b"\n", low, (low + high) // 2) + 1 or low
            end = table.find(b"\n", start)
            line = table[start : end if end >= 0 else len(table)]
            found, _, tag = line.partition(b" ")
            if found == wanted:
                return tag.decode()
            low, high = (start + len(line) + 1, high) if found < wanted else (low, start)
        return None

    @cached_property
    def _parsed(self) -> dict[str, str]:
        fields = iter(self._table.decode("utf-8").split())
        parsed = {**dict(zip(fields, fields, strict=True)), **self._corrections}
        self.get = parsed.get  # from now on without a detour
        return parsed
