"""Korean words without their particles, by tables: no package with a dictionary is small enough to come along.

A particle is taken off where the syllable before it allows that, and two syllables are left: "나이" (age) and "국가"
(nation) stay whole. What the tables cannot know are longer nouns that end like a particle.
"""

from pathlib import Path

from keyseq.text.stopwords import read_lists

SHORTEST = 2  # syllables of what is left
_FIRST, _FINALS, _RIEUL = ord("가"), 28, 8  # Hangul by its code: the first syllable, the finals of each, the final ㄹ
_PLURAL = "들"
_LISTS = read_lists(Path(__file__).with_name("korean.txt"))
_PARTICLES = sorted((one for name, found in _LISTS.items() if "particles" in name for one in found), key=len)[::-1]
_VERBAL, _NOUNS = tuple(_LISTS["verbal endings"]), _LISTS["nouns"]


def parts_of_word(word: str) -> list[tuple[str, bool]]:
    """A word of Hangul as its noun and its particles; each with whether it can be part of a keyphrase."""
    if len(word) > SHORTEST and word not in _NOUNS and word.endswith(_VERBAL):
        return [(word, False)]
    stem = _without_particle(word)
    if stem.endswith(_PLURAL) and len(stem) > SHORTEST:
        stem = stem[: -len(_PLURAL)]
    return [(word, True)] if stem == word else [(stem, True), (word[len(stem) :], False)]


def _without_particle(word: str) -> str:
    if word in _NOUNS:
        return word
    for particle in _PARTICLES:
        stem = word[: -len(particle)]
        if len(stem) >= SHORTEST and word.endswith(particle) and _may_follow(particle, stem[-1]):
            return stem
    return word


def _may_follow(particle: str, syllable: str) -> bool:
    """Whether a particle has the form that it has after this syllable."""
    final = (ord(syllable) - _FIRST) % _FINALS
    return (
        particle in _LISTS["particles after any syllable"]
        or (particle in _LISTS["particles after a consonant"] and final != 0)
        or (particle in _LISTS["particles after a vowel"] and final == 0)
        or (particle in _LISTS["particles after a vowel or ㄹ"] and final in (0, _RIEUL))
    )
