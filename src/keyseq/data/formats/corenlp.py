"""CoreNLP XML: restore the text of its tokens."""

import io
from collections.abc import Iterator
from typing import TYPE_CHECKING

from keyseq.errors import DataError

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

# Penn Treebank escapes of brackets
_PENN = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}
_PENN |= {"``": '"', "''": '"', "\\/": "/", "\\*": "*"}


def title_and_body(xml: bytes, place: str) -> tuple[str, str]:
    """The sentences marked `section="title"`, and all others."""
    title, body = _SentenceText(), _SentenceText()
    for sentence in _sentences(xml, place):
        part = title if sentence.get("section") == "title" else body
        for token in sentence.iter("token"):
            part.add(token)
        sentence.clear()
    return str(title), str(body)


class _SentenceText:
    """Joins tokens, with a space where their offsets leave a gap."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._end = ""

    def add(self, token: "Element") -> None:
        word = token.findtext("word") or ""
        begins = token.findtext("CharacterOffsetBegin")
        if self._pieces and (begins is None or begins != self._end):
            self._pieces.append(" ")
        self._pieces.append(_PENN.get(word, word))
        self._end = token.findtext("CharacterOffsetEnd") or ""

    def __str__(self) -> str:
        return "".join(self._pieces)


def _sentences(xml: bytes, place: str) -> Iterator["Element"]:
    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import ParseError, iterparse

    try:
        for _, element in iterparse(io.BytesIO(xml), forbid_dtd=True):
            if element.tag == "sentence":
                yield element
    except ParseError as error:
        raise DataError(f"{place}:{error.position[0]}: not well-formed XML ({error})") from None
    except DefusedXmlException:
        raise DataError(f"{place}: declares a document type or entities, which is not allowed here") from None
