"""Stop words: for English from the lists in `stopwords.txt`, for other languages from the package stopwordsiso."""

from functools import cache
from pathlib import Path

from keyseq.languages import STOP_WORDS, check_part


def _lists() -> dict[str, frozenset[str]]:
    lists: dict[str, list[str]] = {}
    for line in Path(__file__).with_name("stopwords.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            words = lists.setdefault(line.strip("[]"), [])
        elif line and not line.startswith("#"):
            words.extend(line.split())
    return {name: frozenset(words) for name, words in lists.items()}


_LISTS = _lists()
FUNCTION_WORDS = _LISTS["function words"]
FOREIGN_FUNCTION_WORDS = _LISTS["foreign function words"]
VAGUE_MODIFIERS = _LISTS["vague modifiers"]
GENERIC_NOUNS = _LISTS["generic nouns"]


@cache
def stop_words(name: str, language: str) -> frozenset[str]:
    """The stop words of a language, lower-cased: words that neither begin nor end a keyphrase."""
    check_part("stop words", name, STOP_WORDS)
    if name == "keyseq":
        return FUNCTION_WORDS
    import stopwordsiso

    words = frozenset(map(str.lower, stopwordsiso.stopwords(language)))
    return words | {word.replace("'", "’") for word in words}
