"""Targets as sets (one2set): a fixed number of slots, each of which generates one phrase or none.

Each slot has a control code, a word of the vocabulary that its sequence begins with. The first half of the slots is for
present phrases, the second half for absent ones.
"""

import numpy as np
from numpy.typing import NDArray

from keyseq.config import TargetSettings
from keyseq.data.vocabulary import BOS, Vocabulary
from keyseq.errors import KeyseqError

NULL, _CODE = "<null>", "<slot"  # no tokenizer leaves such words whole


def is_slot_word(word: str) -> bool:
    """Whether a word of the vocabulary is a control code, or marks a slot without a phrase."""
    return word == NULL or word.startswith(_CODE)


def slot_words(settings: TargetSettings) -> list[str]:
    """The words that slots add to the vocabulary: that for no phrase, and the control codes."""
    count = settings.slots if settings.paradigm == "one2set" else 0
    return [NULL, *(f"{_CODE}{number}>" for number in range(1, count + 1))] if count else []


def start_words(settings: TargetSettings, vocabulary: Vocabulary) -> tuple[int, ...]:
    """The ids of the words that sequences begin with: the control codes, or BOS if there are no slots."""
    words = slot_words(settings)
    if not words:
        return (BOS,)
    if words[-1] not in vocabulary:
        raise KeyseqError(
            "target.paradigm=one2set: the vocabulary has no control codes; train a new network, or add --new-words 1"
        )
    return tuple(vocabulary.ids(words[1:]))


def slot_phrases(positions: NDArray[np.int32], settings: TargetSettings, key: tuple[int, int, int]) -> list[int]:
    """The phrases of the slots, by number; -1 for a slot without one.

    Where a half has too few slots, its phrases are sampled by `key`, (seed, epoch, document).
    """
    half = settings.slots // 2
    chosen: list[int] = []
    for members in (np.flatnonzero(positions >= 0), np.flatnonzero(positions < 0)):
        if len(members) > half:
            members = np.sort(np.random.default_rng(key).choice(members, half, replace=False))  # noqa: PLW2901
        chosen += [*members.tolist(), *[-1] * (half - len(members))]
    return chosen
