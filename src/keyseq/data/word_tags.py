"""Parts of speech as numbers, for networks that read or generate them."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from keyseq.data.examples import TargetPhrase
from keyseq.data.vocabulary import SPECIALS, UNK
from keyseq.text.analyzer import Analyzer
from keyseq.text.tokenize import DIGIT

_ENDS = frozenset(".?!")

# The tags of the Penn Treebank as the tagger has them. The special numbers are those of words: a tag outside this list,
# and every tag of a language without a tagger, is UNK. New tags go to the end: stored networks know them by number.
_PENN = (
    "CC CD DT EX FW IN JJ JJR JJS LS MD NN NNS NNP NNPS PDT POS PRP PRP$ RB RBR RBS RP SYM TO UH VB VBD VBG VBN VBP VBZ"
    " WDT WP WP$ WRB # $ . , : ( ) `` '' \""
)
TAGS = (*SPECIALS, *_PENN.split())
_NUMBERS = {tag: number for number, tag in enumerate(TAGS)}


def tag_ids(words: Sequence[str], analyzer: Analyzer) -> list[int]:
    """The numbers of the tags of normalised words, tagged sentence by sentence."""
    tagger = analyzer.tagger
    if tagger is None:
        return [UNK] * len(words)
    read = ["0" if word == DIGIT else word for word in words]
    ends = [at for at, word in enumerate(words, start=1) if word in _ENDS]
    tags = (tag for first, last in pairwise([0, *ends, len(read)]) for tag in tagger.tag(read[first:last]))
    return [_NUMBERS.get(tag, UNK) for tag in tags]


def target_tag_ids(source: Sequence[str], targets: Iterable[TargetPhrase], analyzer: Analyzer) -> list[int]:
    """The numbers of the tags of target phrases, one after the other.

    A present phrase has the tags of its first occurrence, an absent one those that it has alone.
    """
    of_source, found = tag_ids(source, analyzer), []
    for target in targets:
        is_present = target.position >= 0
        place = slice(target.position, target.position + len(target.words))
        found += of_source[place] if is_present else tag_ids(target.words, analyzer)
    return found
