"""A ranker learnt from documents whose keyphrases can be told from their features."""

import numpy as np
import pytest
from tests.ranking.handmade import keyphraseness, pool

from keyseq.ranking.boosting import BoostingSettings
from keyseq.ranking.learning import RankingExample, learn
from keyseq.ranking.pool import Known
from keyseq.text.hashing import phrase_hash
from keyseq.text.presence import phrase_stems

SETTINGS = BoostingSettings(trees=15, leaf=5)
NAMES = ["amber", "birch", "cedar", "elder", "hazel", "maple", "olive", "poplar", "willow", "spruce"]
THINGS = ["bridge", "lamp", "boat", "clock", "kite", "drum"]


def example(number):
    """The keyphrase is what the title has; some documents have one more that is nowhere."""
    phrase = f"{NAMES[number % 10]} {THINGS[number // 10 % 6]}"
    text = f"{phrase} . Some people talk of the {phrase}, of weather, of {THINGS[number % 5]} makers and of markets."
    phrases = [phrase, "zzz"][: 1 + (number % 4 == 0)]
    keys = np.array([phrase_hash(phrase_stems(one)) for one in phrases], dtype=np.uint32)
    return RankingExample.of(pool(text, phrase, Known(keyphraseness()), ()), keys)


@pytest.fixture(scope="session")
def examples():
    return [example(number) for number in range(60)]


@pytest.fixture(scope="session")
def learnt(examples):
    return learn(examples, SETTINGS)
