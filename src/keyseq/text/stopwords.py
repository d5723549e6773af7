"""Words that are no part of a keyphrase, or none by themselves, from the lists in `stopwords.txt`."""

from pathlib import Path


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
