"""Porter's stemmer as NLTK has it in its default mode, by which all published results are computed.

NLTK tries some sixty rules on a word, one after the other, and classifies its letters anew for each condition. Here a
rule is found by the last letters of the word, and letters are classified once: whether one is a consonant depends only
on those before it, so that the classes of a stem are the first of those of the word. A `_Word` is letters and classes.
"""

_IRREGULAR = {
    "skies": "sky",
    "dying": "die",
    "lying": "lie",
    "tying": "tie",
    "innings": "inning",
    "outings": "outing",
    "cannings": "canning",
    **{word: word for word in ("sky", "news", "inning", "outing", "canning", "howe", "proceed", "exceed", "succeed")},
}
SHORTEST = 3  # letters of a word that is stemmed

_Word = tuple[str, str]  # the letters, and the class of each: c for a consonant, v for a vowel
_Rule = tuple[str, str]  # a suffix, and what replaces it


class _Classes(dict[int, str]):
    """The class of each letter, all beyond ASCII being consonants; that of y depends on the letter before it."""

    def __missing__(self, letter: int) -> str:
        return "c"


_CLASSES = _Classes({**dict.fromkeys(range(128), "c"), **dict.fromkeys(map(ord, "aeiou"), "v"), ord("y"): "y"})


def _table(rules: str) -> dict[str, tuple[_Rule, ...]]:
    """Rules by the last letter but one of their suffixes, in the order in which they are tried."""
    found: dict[str, list[_Rule]] = {}
    for rule in rules.split():
        suffix, _, replacement = rule.partition(">")
        found.setdefault(suffix[-2], []).append((suffix, replacement))
    return {letter: tuple(chosen) for letter, chosen in found.items()}


_STEP_2 = _table(
    "ational>ate tional>tion enci>ence anci>ance izer>ize bli>ble alli>al entli>ent eli>e ousli>ous ization>ize "
    "ation>ate ator>ate alism>al iveness>ive fulness>ful ousness>ous aliti>al iviti>ive biliti>ble fulli>ful logi>log"
)
_STEP_3 = _table("icate>ic ative> alize>al iciti>ic ical>ic ful> ness>")
_STEP_4 = _table("al> ance> ence> er> ic> able> ible> ant> ement> ment> ent> ion> ou> ism> ate> iti> ous> ive> ize>")


def porter_stem(word: str) -> str:
    """The stem of a word, in small letters."""
    small = word.lower()
    if small in _IRREGULAR:
        return _IRREGULAR[small]
    if len(word) < SHORTEST:
        return small
    letters, classes = _step_1b(*_step_1a(small, _classes(small)))
    if letters[-1] == "y" and classes[-2:-1] == "c" and len(letters) > 2:  # step 1c
        letters, classes = f"{letters[:-1]}i", f"{classes[:-1]}v"
    letters, classes = _step_3(*_step_2(letters, classes))
    return _step_5(*_step_4(letters, classes))


def _classes(word: str) -> str:
    classes = word.translate(_CLASSES)
    while (at := classes.find("y")) >= 0:
        classes = f"{classes[:at]}{'c' if at == 0 or classes[at - 1] == 'v' else 'v'}{classes[at + 1 :]}"
    return classes


def _step_1a(word: str, classes: str) -> _Word:
    """Plurals."""
    if word[-1] != "s" or (word[-2:] == "ss" and word[-4:] != "sses"):
        return word, classes
    cut = 1
    if word.endswith("sses") or (word.endswith("ies") and len(word) != 4):
        cut = 2
    return word[:-cut], classes[:-cut]


def _step_1b(word: str, classes: str) -> _Word:
    """Past tenses and present participles."""
    if word.endswith("ed"):
        if word.endswith("ied"):
            cut = 1 if len(word) == 4 else 2
            return word[:-cut], classes[:-cut]
        if word.endswith("eed"):
            return (word[:-1], classes[:-1]) if "vc" in classes[:-3] else (word, classes)
        cut = 2
    elif word.endswith("ing"):
        cut = 3
    else:
        return word, classes
    return _mended(word[:-cut], classes[:-cut]) if "v" in classes[:-cut] else (word, classes)


def _mended(word: str, classes: str) -> _Word:
    """What is left without -ed or -ing, with its -e again, or without a doubled consonant."""
    if word.endswith(("at", "bl", "iz")):
        return f"{word}e", f"{classes}v"
    if word[-2:-1] == word[-1] and classes[-1] == "c":
        return (word, classes) if word[-1] in "lsz" else (word[:-1], classes[:-1])
    return (f"{word}e", f"{classes}v") if classes.count("vc") == 1 and _ends_cvc(word, classes) else (word, classes)


def _ends_cvc(word: str, classes: str) -> bool:
    """Porter's condition *o; NLTK adds words of a vowel and a consonant."""
    return (classes[-3:] == "cvc" and word[-1] not in "wxy") or classes == "vc"


def _step_2(word: str, classes: str) -> _Word:
    for suffix, replacement in _STEP_2.get(word[-2:-1], ()):
        if word.endswith(suffix):
            size = len(word) - len(suffix)
            if "vc" not in (classes[: size + 1] if suffix == "logi" else classes[:size]):
                return word, classes
            shorter = word[:size] + replacement, classes[:size] + replacement.translate(_CLASSES)
            return _step_2(*shorter) if suffix == "alli" else shorter
    return word, classes


def _step_3(word: str, classes: str) -> _Word:
    for suffix, replacement in _STEP_3.get(word[-2:-1], ()):
        if word.endswith(suffix):
            size = len(word) - len(suffix)
            if "vc" in classes[:size]:
                return word[:size] + replacement, classes[:size] + replacement.translate(_CLASSES)
            return word, classes
    return word, classes


def _step_4(word: str, classes: str) -> _Word:
    for suffix, _ in _STEP_4.get(word[-2:-1], ()):
        if word.endswith(suffix):
            size = len(word) - len(suffix)
            if classes.count("vc", 0, size) > 1 and (suffix != "ion" or word[size - 1] in "st"):
                return word[:size], classes[:size]
            return word, classes
    return word, classes


def _step_5(word: str, classes: str) -> str:
    """A last -e, and a doubled l."""
    if word[-1] == "e":
        stem, left = word[:-1], classes[:-1]
        measure = left.count("vc")
        if measure > 1 or (measure == 1 and not _ends_cvc(stem, left)):
            word, classes = stem, left
    return word[:-1] if word.endswith("ll") and classes.count("vc", 0, len(word) - 1) > 1 else word
