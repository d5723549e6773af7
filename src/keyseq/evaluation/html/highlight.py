"""A text with phrases highlighted."""

from collections.abc import Iterable
from itertools import groupby

from keyseq.evaluation.html.markup import Markup, element, join
from keyseq.text.presence import SourceText, phrase_stems

KINDS = {"alarm": "false alarm", "miss": "missed", "hit": "hit"}  # where marks overlap, a later one covers


def marked(source: SourceText, phrases: Iterable[tuple[str, str]]) -> Markup:
    """Write a text as HTML; `phrases` are (kind, phrase), and each is highlighted wherever it occurs."""
    kinds = list(KINDS)
    covers = [-1] * len(source.text)
    for kind, phrase in phrases:
        rank = kinds.index(kind)
        for start, end in source.spans(phrase_stems(phrase, source.analyzer)):
            covers[start:end] = [max(rank, cover) for cover in covers[start:end]]
    pieces: list[object] = []
    for rank, run in groupby(range(len(covers)), key=covers.__getitem__):
        places = list(run)
        piece = source.text[places[0] : places[-1] + 1]
        pieces.append(piece if rank < 0 else element("mark", piece, class_=kinds[rank], title=KINDS[kinds[rank]]))
    return join(*pieces)
