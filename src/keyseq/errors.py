"""What a user can cause and can fix."""

from collections.abc import Iterable


class KeyseqError(Exception):
    """A mistake of the user's, told in one sentence: the place, the problem, the fix."""


class DataError(KeyseqError):
    """A corpus, a prediction file or a document that cannot be read as what it should be."""


class MissingExtraError(KeyseqError):
    """A verb whose optional libraries are not installed."""


def nearest(name: str, names: Iterable[str]) -> str:
    """The end of a message about an unknown name: the one that was probably meant, or all there are."""
    import difflib

    known = list(names)
    close = difflib.get_close_matches(name, known, n=1)
    return f"; did you mean '{close[0]}'?" if close else f"; there are {', '.join(known)}"


def shown(text: str, width: int = 80) -> str:
    """Foreign text as a message quotes it: in one line that is not too long, with nothing that moves a cursor."""
    line = " ".join("".join(character if character.isprintable() else " " for character in text[: 4 * width]).split())
    return line if len(line) <= width and len(text) <= 4 * width else f"{line[: width - 1]}…"
