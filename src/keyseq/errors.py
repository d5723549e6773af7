"""Errors that a user can cause and fix."""

from collections.abc import Iterable


class KeyseqError(Exception):
    """A user error, in one sentence: the place, the problem, the fix."""


class DataError(KeyseqError):
    """A corpus, prediction file or document that cannot be read."""


class UnfitValueError(DataError, TypeError):
    """A value in a list that is neither a text nor a document, named by its index."""


class MissingExtraError(KeyseqError):
    """A command whose optional packages are not installed."""


def nearest(name: str, names: Iterable[str]) -> str:
    """The end of a message about an unknown name: the closest known one, or all of them."""
    import difflib

    known = list(names)
    close = difflib.get_close_matches(name, known, n=1)
    if close:
        return f"; did you mean '{close[0]}'?"
    return f"; the only one is {known[0]}" if len(known) == 1 else f"; there are {', '.join(known)}"


def shown(text: str, width: int = 80) -> str:
    """Untrusted text for a message: on one line, shortened, without control characters."""
    line = " ".join("".join(character if character.isprintable() else " " for character in text[: 4 * width]).split())
    return line if len(line) <= width and len(text) <= 4 * width else f"{line[: width - 1]}…"


def named_value(value: object) -> str:
    """What a value of the wrong type is called in a message: None, NaN, or its type with an article."""
    kind = type(value).__name__
    if value is None or isinstance(value, bool):
        return repr(value)
    if kind == "NAType":  # of pandas, which is neither equal nor unequal to itself
        return "NA"
    if isinstance(value, float) and value != value:  # only NaN differs from itself
        return "NaN"
    article = "" if kind == "bytes" else "an " if kind[:1].lower() in "aeiou" else "a "
    return f"{article}{kind}"
