"""CoreNLP XML: restore the text of its tokens."""

from typing import TYPE_CHECKING

from keyseq.data.formats.xml_trees import elements

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

# Penn Treebank escapes of brackets
_PENN = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}
_PENN |= {"``": '"', "''": '"', "\\/": "/", "\\*": "*"}


def title_and_body(xml: bytes, place: str) -> tuple[str, str]:
    """The sentences marked `section="title"`, and all others."""
    title, body = _SentenceText(), _SentenceText()
    for sentence in elements(xml, place, "sentence", forbid_dtd=True):
        part = title if sentence.get("section") == "title" else body
        for token in sentence.iter("token"):
            part.add(token)
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
