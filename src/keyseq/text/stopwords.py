"""Stop words: for English the lists of `stopwords.txt`, for other languages those of the package stopwordsiso.

These are corrected by `stopwords_more.txt` and `stopwords_less.txt`; what `stopwords_alone.txt` has is no phrase by
itself.
"""

import re
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
def generic_nouns(language: str) -> frozenset[str]:
    """Nouns of a language, lower-cased, that are no keyphrases on their own."""
    return read_lists(Path(__file__).with_name("stopwords_alone.txt")).get(language, frozenset())


@cache
def verbs(language: str) -> re.Pattern[str]:
    """Words that are verbs by an ending that no other words of a language have; of three letters more at least."""
    endings = read_lists(Path(__file__).with_name("verb_endings.txt")).get(language, frozenset())
    return re.compile(rf"[^\W\d_]{{3,}}(?:{'|'.join(sorted(endings))})" if endings else "(?!)")


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
