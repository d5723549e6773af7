"""XML from anywhere: parsed without entities and within bounds, and its text."""

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from keyseq.errors import DataError

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

LARGEST_TREE = 1 << 25  # bytes of a document that is held in memory whole, in ten times its size
LARGEST_PIECE = 1 << 22  # bytes that are parsed at a time

Skip = Callable[["Element"], bool]


def parse(xml: bytes, place: str) -> "Element":
    """Parse a document whole. Entities, which could expand without end, are refused; a document type may be named."""
    from defusedxml.ElementTree import fromstring

    if len(xml) > LARGEST_TREE:
        raise DataError(f"{place}: over {LARGEST_TREE >> 20} MiB of XML, more than the limit")
    with _told(place):
        root: Element = fromstring(xml)
    return root


def elements(xml: bytes, place: str, name: str, *, forbid_dtd: bool = False) -> Iterator["Element"]:
    """Yield the elements of a name in a long document; each is emptied when the next is asked for."""
    from defusedxml.ElementTree import iterparse

    with _told(place):
        for _, element in iterparse(_InLargerPieces(xml), forbid_dtd=forbid_dtd):
            if local(element) == name:
                yield element
                element.clear()


def root_name(xml: bytes, place: str) -> str:
    """The name of the outermost element, without its namespace."""
    from defusedxml.ElementTree import iterparse

    with _told(place):
        for _, element in iterparse(_InLargerPieces(xml), events=("start",)):
            return local(element)
    raise DataError(f"{place}: holds no XML element")


class _InLargerPieces(io.BytesIO):
    """A document that is read in ever larger pieces.

    Expat before 2.6 begins a text or comment again with each of the small pieces that are asked for.
    """

    _piece = 1 << 13

    def read(self, _size: int | None = -1, /) -> bytes:
        """The next piece."""
        self._piece = min(2 * self._piece, LARGEST_PIECE)
        return super().read(self._piece)


@contextmanager
def _told(place: str) -> Iterator[None]:
    """Tell what a parser raises in one sentence."""
    from xml.etree.ElementTree import ParseError

    from defusedxml import DefusedXmlException

    try:
        yield
    except ParseError as error:
        raise DataError(f"{place}:{error.position[0]}: not well-formed XML ({error})") from None
    except DefusedXmlException:
        raise DataError(f"{place}: declares a document type or entities, which is not allowed here") from None
    except (LookupError, ValueError, RecursionError) as error:  # an encoding that is not known, nesting without end
        raise DataError(f"{place}: XML that cannot be read ({error})") from None


def local(element: "Element") -> str:
    """The name of an element without its namespace; nothing for a comment."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def attribute(element: "Element", name: str) -> str:
    """The value of an attribute, whatever its namespace."""
    return next((value for key, value in element.attrib.items() if key.rpartition("}")[2] == name), "")


def inside(element: "Element | None", *names: str) -> Iterator["Element"]:
    """All elements inside another that are reached by these names of children, whatever their namespace."""
    found = [] if element is None else [element]
    for name in names:
        found = [child for parent in found for child in parent if local(child) == name]
    return iter(found)


def inline_text(element: "Element", skip: Skip = lambda _: False) -> str:
    """The text of an element on one line, without that of skipped elements inside it."""
    return " ".join("".join(_pieces(element, skip)).split())


def _pieces(element: "Element", skip: Skip) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        if local(child) and not skip(child):
            yield from _pieces(child, skip)
        yield child.tail or ""


def blocks(element: "Element", names: frozenset[str], skip: Skip) -> Iterator["Element"]:
    """The outermost elements of these names, such as paragraphs, in their order."""
    for child in element:
        if local(child) in names:
            if not skip(child):
                yield child
        elif local(child) and not skip(child):
            yield from blocks(child, names, skip)
