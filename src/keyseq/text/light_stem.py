"""Light stemming of English: plurals and British spellings, and nothing else.

Porter's stems are made for search: *communities* and *communication* have the same one. Labels of a vocabulary are
compared by these stems instead, which two different words hardly ever share.
"""

import re

SHORTEST = 4  # letters: "gas", "DNS" and "its" are left as they are

_FORMS = {  # endings of plural and singular, and the words that have them
    ("es", "is"): "analys cris diagnos hypothes neuros paralys parenthes prognos prosthes psychos synthes thes",
    ("ices", "ix"): "append matr",
    ("ices", "ex"): "cort ind vert vort",
    ("a", "on"): "automat criteri phenomen polyhedr tax",
    ("a", "um"): "bacteri curricul errat memorand quant spectr strat",
    ("i", "us"): "alumn bacill cact foc fung loc nucle radi stimul",
    ("ves", "f"): "cal el hal lea loa scar shel thie wol",
    ("ves", "fe"): "kni li wi",
    ("men", "man"): "business chair craft fisher fresh police states wo",
    ("es", ""): "bus gas",
    ("s", ""): "cpu gpu menu",
    ("ren", ""): "child",
    ("ora", "us"): "corp",
    ("ta", ""): "schema",
    ("ice", "ouse"): "m",
    ("eet", "oot"): "f",
    ("eeth", "ooth"): "t",
    ("eese", "oose"): "g",
}
_IRREGULAR = {
    stem + plural: stem + singular for (plural, singular), stems in _FORMS.items() for stem in stems.split()
} | {"genera": "genus"}
_LISTS = {
    # words in -s that are not plurals, and whose plural, or the same word without the s, is something else
    "singular": """alias always asbestos atlas bias canvas caries chaos cosmos customs diabetes ethos goods lens measles
        news pancreas perhaps pyjamas rabies series species surroundings whereas""",
    # names of fields such as "genetics" are not plurals of adjectives such as "genetic"; these words are plurals
    "plurals in -ics": """antibiotics characteristics clinics comics critics epidemics fabrics heuristics logics
        mechanics medics metrics mosaics pandemics picnics plastics relics republics topics""",
    "plurals in -ies": "calories cookies genies movies pixies prairies rookies selfies smoothies zombies",
}
_WORDS = {name: frozenset(words.split()) for name, words in _LISTS.items()}

# British to American spelling: what is left of a word that is neither changes in the same way wherever it stands
_SPELLINGS = (
    (re.compile(r"(?<=[a-z]{3})is(?=(?:ation|ing|ed|er|e)$)"), "iz"),
    (re.compile(r"(?<=[a-z]{3})our(?=(?:al|able|ed|ful|hood|ing|ist|ite)?$)"), "or"),
    (re.compile(r"(?<=[a-z]{2})tre$"), "ter"),
)


def light_stem(word: str) -> str:
    """A word, its case folded, in its singular and in American spelling."""
    word = _singular(word)
    for pattern, spelling in _SPELLINGS:
        word = pattern.sub(spelling, word)
    # "boxes" lost its s and keeps an e that "box" does not have; "cache" and "house" lose theirs, too
    if len(word) >= SHORTEST and word.endswith(("che", "oe", "she", "xe", "ze")):
        return word[:-1]
    return word[:-1] if len(word) > SHORTEST and word.endswith("se") else word


def _singular(word: str) -> str:
    if len(word) < SHORTEST or word in _WORDS["singular"]:
        return word
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word.endswith("ae"):
        return word[:-1]
    if not word.endswith("s") or word.endswith(("is", "ss", "us")):
        return word
    if word.endswith("ics") and word not in _WORDS["plurals in -ics"]:
        return word
    if word.endswith("ies") and len(word) > SHORTEST and word not in _WORDS["plurals in -ies"]:
        return f"{word[:-3]}y"
    return word[:-1]
