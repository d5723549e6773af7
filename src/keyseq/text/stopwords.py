"""Stop words: for English the lists of `stopwords.txt`, for other languages those of the package stopwordsiso.

These are corrected by `stopwords_more.txt` and `stopwords_less.txt`.
"""

from functools import cache
from pathlib import Path

from keyseq.languages import STOP_WORDS, check_part


def read_lists(path: Path) -> dict[str, frozenset[str]]:
    """The lists of words of a file, by the names above them."""
    lists: dict[str, list[str]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            words = lists.setdefault(line.strip("[]"), [])
        elif line and not line.startswith("#"):
            words.extend(line.split())
    return {name: frozenset(words) for name, words in lists.items()}


_LISTS = read_lists(Path(__file__).with_name("stopwords.txt"))
FUNCTION_WORDS = _LISTS["function words"]
FOREIGN_FUNCTION_WORDS = _LISTS["foreign function words"]
VAGUE_MODIFIERS = _LISTS["vague modifiers"]
GENERIC_NOUNS = _LISTS["generic nouns"]


@cache
def corrections(kind: str) -> dict[str, frozenset[str]]:
    """Words by which the lists of the package are corrected, by language: the missing (`more`), the wrong (`less`)."""
    return read_lists(Path(__file__).with_name(f"stopwords_{kind}.txt"))


@cache
def stop_words(name: str, language: str) -> frozenset[str]:
    """The stop words of a language, lower-cased: words that neither begin nor end a keyphrase."""
    check_part("stop words", name, STOP_WORDS)
    if name == "keyseq":
        return FUNCTION_WORDS
    import stopwordsiso

    found = stopwordsiso.stopwords(language) if stopwordsiso.has_lang(language) else ()
    more, less = (corrections(kind).get(language, frozenset()) for kind in ("more", "less"))
    words = (frozenset(map(str.lower, found)) - less) | more
    return words | {word.replace("'", "’") for word in words}
