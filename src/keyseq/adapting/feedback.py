"""Feedback on one document: the phrases that were accepted, rejected and added."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from keyseq.errors import DataError, shown
from keyseq.types import Document

MOST_PHRASES = 1_000  # of a document
LONGEST = 200  # characters of a phrase
TEXT = ("text", "abstract", "body")  # names of the field with the text
VERDICTS = ("accepted", "rejected", "added")


@dataclass(frozen=True, slots=True, kw_only=True)
class Feedback:
    """A user's verdicts on the phrases of a document; added phrases are those that were missing."""

    title: str = ""
    text: str = ""
    accepted: tuple[str, ...] = ()
    rejected: tuple[str, ...] = ()
    added: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not any(map(str.isalnum, self.title + self.text)):
            raise DataError("feedback needs the text of its document, or its title")
        if not (self.accepted or self.rejected or self.added):
            raise DataError(f"feedback needs at least one phrase that is {', '.join(VERDICTS[:-1])} or {VERDICTS[-1]}")
        if len(self.accepted) + len(self.rejected) + len(self.added) > MOST_PHRASES:
            raise DataError(f"feedback on a document has at most {MOST_PHRASES:,} phrases")
        right = {_checked(phrase) for phrase in (*self.accepted, *self.added)}
        for phrase in self.rejected:
            if _checked(phrase) in right:
                raise DataError(f"the phrase '{shown(phrase)}' cannot be both accepted and rejected")

    @classmethod
    def of(cls, values: object) -> "Feedback":
        """Feedback from JSON; anything else than its fields is refused."""
        if not isinstance(values, Mapping):
            raise DataError("feedback must be a JSON object with a text and phrases")
        texts = [name for name in TEXT if values.get(name)]
        if len(texts) > 1:
            raise DataError(f"the text is given twice, as {' and '.join(texts)}")
        text = values[texts[0]] if texts else ""
        title = values.get("title") or ""
        if not isinstance(text, str) or not isinstance(title, str):
            raise DataError("'title' and 'text' must be texts")
        return cls(title=title, text=text, **{name: _phrases(name, values.get(name)) for name in VERDICTS})

    @property
    def document(self) -> Document:
        """The document that it is about."""
        return Document(id="feedback", title=self.title, body=self.text)

    @property
    def digest(self) -> int:
        """A number for the text of the document: later feedback on the same one replaces what it repeats."""
        found = hashlib.sha256(self.document.text.encode(errors="surrogatepass")).digest()
        return int.from_bytes(found[:8], "little", signed=True)

    def verdicts(self) -> Iterable[tuple[str, bool]]:
        """Each phrase, and whether it is right."""
        yield from ((phrase, True) for phrase in (*self.accepted, *self.added))
        yield from ((phrase, False) for phrase in self.rejected)

    def to_json(self) -> str:
        """One line of JSON, without empty fields."""
        fields = {name: getattr(self, name) for name in ("title", "text", *VERDICTS)}
        return json.dumps({name: value for name, value in fields.items() if value}, ensure_ascii=True)


def _phrases(name: str, given: object) -> tuple[str, ...]:
    if given is None:
        return ()
    if not isinstance(given, list | tuple) or not all(isinstance(phrase, str) for phrase in given):
        raise DataError(f"'{name}' must be a list of phrases")
    return tuple(given)


def _checked(phrase: str) -> str:
    """A phrase for comparison, without regard to case and white space; other texts are refused."""
    if not any(map(str.isalnum, phrase)) or len(phrase) > LONGEST or "\n" in phrase:
        raise DataError(
            f"'{shown(phrase)}' is not a phrase: a phrase is one line with words, of up to {LONGEST} characters"
        )
    return " ".join(phrase.casefold().split())
