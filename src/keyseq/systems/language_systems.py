"""Which system of the package answers a text in a language."""

from functools import cache

from keyseq.languages import ENGLISH, LANGUAGES, SEGMENTERS, UNKNOWN, name_of
from keyseq.systems.combined import MARK, read_settings
from keyseq.systems.hub import PRETRAINED

# The systems that were trained for one language, if this installation has them
TRAINED = {"fi": "finnish", "fr": "french", "ru": "russian", "zh": "chinese"}
MULTILINGUAL = "multilingual"  # the system for any other language
RANKER = "textrank"  # which learns nothing; where there is no such system
EXTRA = "cjk"


@cache
def system_for(code: str) -> str:
    """The name of the system for a language other than English."""
    return next((name for name in (TRAINED.get(code, ""), MULTILINGUAL) if _is_ready(name)), RANKER)


def is_foreign(code: str) -> bool:
    """Whether a detected language is another than English."""
    return code not in (ENGLISH, UNKNOWN)


def remark(system: str, code: str) -> str:
    """A remark on the output in a language for which no system was trained, or in none; empty for others."""
    if not code:  # the tagger of the English systems knows too few of its words
        return "no language was recognised; the text is read as English, and single words are ranked"
    told = []
    if is_foreign(code) and system in (MULTILINGUAL, RANKER):
        learnt = "learnt from other languages" if system == MULTILINGUAL else "whose scores are relative"
        told.append(f"no system is trained for {name_of(code)}; {system}, {learnt}, answered")
        if code not in LANGUAGES:
            told.append("keyseq does not know its stems, and reads words as the text separates them")
    if code in LANGUAGES and LANGUAGES[code].tokenizer_at_hand != LANGUAGES[code].tokenizer:
        told.append(f"for whole words of {name_of(code)}, pip install 'keyseq[{EXTRA}]'")
    return "; ".join(told)


def _is_ready(name: str) -> bool:
    """Whether the package has a system, and this installation what cuts its texts into words."""
    if not name or not (PRETRAINED / name / MARK).is_file():
        return False
    stored = read_settings(PRETRAINED / name)
    segmented = [one for one in LANGUAGES.values() if one.tokenizer == stored.tokenizer and one.tokenizer in SEGMENTERS]
    return all(one.tokenizer_at_hand == one.tokenizer for one in segmented)
