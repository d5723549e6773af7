"""The description of a corpus format, including what is lost when writing it."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from keyseq.data.formats.source import CorpusSource
from keyseq.data.formats.target import CorpusTarget
from keyseq.types import Document


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A corpus format: how it is read, written and recognised, and what is lost when writing it.

    `suffixes` are those of its files, without compression; a folder or archive is recognised by its content. `loses`
    are keys of `LOSSES`. With `one_document` a file of it is a document, not a corpus.
    """

    read: Callable[[CorpusSource], Iterator[Document]]
    write: Callable[[Iterable[Document], CorpusTarget], None] | None = None
    suffixes: tuple[str, ...] = ()
    loses: tuple[str, ...] = ()
    one_document: bool = False


# characters that are not allowed in the key of a BibTeX entry
UNFIT_KEY = re.compile(r"""[\s"#%'(),={}\\~]""")


def _phrases(document: Document) -> tuple[str, ...]:
    return document.keyphrases or ()


def _spread(text: str) -> bool:
    return text != " ".join(text.split())


# whether a document, given with its number, has something that a format may be unable to store
LOSSES: dict[str, Callable[[int, Document], bool]] = {
    "ids": lambda number, document: document.id != str(number),
    "ids with spaces or marks": lambda _, document: UNFIT_KEY.search(document.id) is not None,
    "separate titles": lambda _, document: bool(document.title),
    "line breaks and runs of spaces": lambda _, document: any(
        map(_spread, (document.title, document.body, *_phrases(document)))
    ),
    "keyphrases": lambda _, document: bool(document.keyphrases),
    "the order of keyphrases": lambda _, document: len(_phrases(document)) > 1,
    "spaces around keyphrases": lambda _, document: any(phrase != phrase.strip() for phrase in _phrases(document)),
    "empty keyphrases": lambda _, document: any(not phrase.strip() for phrase in _phrases(document)),
    "subjects": lambda _, document: bool(document.subjects),
    "whether keyphrases are known": lambda _, document: document.keyphrases is None,
}


def counting_losses(documents: Iterable[Document], format: Format, lost: Counter[str]) -> Iterator[Document]:
    """Pass documents through, counting those that a format cannot store completely."""
    for number, document in enumerate(documents, start=1):
        for loss in format.loses:
            lost[loss] += LOSSES[loss](number, document)
        yield document
