"""What clients send and get, as pydantic models: these are the schemas of the OpenAPI page."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag

from keyseq.systems.options import Options
from keyseq.types import SCORE_DIGITS, TITLE_SEPARATOR, Document, Phrase

MOST = 1_000  # phrases that may be asked for
Listed = Annotated[list[Annotated[str, Field(min_length=1, max_length=200)]], Field(min_length=1)]


class Strict(BaseModel):
    """A model that takes only the fields and types it knows."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Text(Strict):
    """A document."""

    text: str = Field(min_length=1, description="The text, or the body below the title.")
    title: str = Field("", description="The title, if it is not part of the text.")
    id: str | None = Field(None, max_length=200, description="Given back with the keyphrases.")

    def document(self, number: int) -> Document:
        """The document that systems read."""
        return Document(id=str(number) if self.id is None else self.id, title=self.title, body=self.text)


class Choice(Strict):
    """The options of `keyseq generate`."""

    system: str | None = Field(None, max_length=200, description="One of /v1/systems; null is the default.")
    top: int | None = Field(None, ge=1, le=MOST, description="How many phrases at most; null lets the system decide.")
    min_score: float = Field(0.0, ge=0, le=1, allow_inf_nan=False, description="Only phrases of this score or more.")
    present: bool | None = Field(None, description="Only phrases that the text contains (true), or does not (false).")
    allow: Listed | None = Field(None, description="A network says nothing but these phrases.")
    deny: Listed | None = Field(None, description="Phrases that are not wanted.")

    def options(self) -> Options:
        """The options as systems take them."""
        return Options(
            top=self.top,
            min_score=self.min_score,
            present=self.present,
            allow=None if self.allow is None else tuple(self.allow),
            deny=tuple(self.deny or ()),
        )


class OneDocument(Text, Choice):
    """One document, with options."""

    @property
    def texts(self) -> list[Text]:
        """The document, as a list."""
        return [self]


class ManyDocuments(Choice):
    """Several documents, with options for all of them."""

    documents: list[Text] = Field(min_length=1)

    @property
    def texts(self) -> list[Text]:
        """The documents."""
        return self.documents


def _kind(value: Any) -> str:  # whatever JSON holds
    return "many" if isinstance(value, dict) and "documents" in value else "one"


KeyphraseRequest = Annotated[
    Annotated[OneDocument, Tag("one")] | Annotated[ManyDocuments, Tag("many")], Discriminator(_kind)
]
TAGS = ("one", "many")


class Keyphrase(BaseModel):
    """A phrase, and where it stands: [start, end) in characters (Unicode code points) of the text or title as sent."""

    text: str
    score: float
    present: bool
    spans: list[tuple[int, int]]
    title_spans: list[tuple[int, int]]


class Keyphrases(BaseModel):
    """The ranked keyphrases of a document."""

    id: str
    keyphrases: list[Keyphrase]


class KeyphraseAnswer(BaseModel):
    """The keyphrases of each document, in the order of the request."""

    system: str
    version: str
    documents: list[Keyphrases]


class SystemEntry(BaseModel):
    """A system that this server has; `absent` tells whether it gives phrases that the text does not contain."""

    name: str
    description: str
    absent: bool
    default: bool


class SystemsAnswer(BaseModel):
    """The systems of this server, and its limits."""

    version: str
    systems: list[SystemEntry]
    limits: dict[str, float]


class ReadText(BaseModel):
    """A document of a file."""

    id: str
    title: str
    text: str


class ReadAnswer(BaseModel):
    """The documents of a file, and what of it could not be read."""

    documents: list[ReadText]
    skipped: list[str]


class Status(BaseModel):
    """How the server is."""

    status: str


class Problem(BaseModel):
    """What is wrong, in one sentence, and which part of the request it is about."""

    message: str
    place: str | None


class ErrorAnswer(BaseModel):
    """The answer to a request that is not served."""

    error: Problem


def keyphrase(phrase: Phrase, document: Document) -> Keyphrase:
    """A phrase, its spans told apart by title and text; one that runs from the title into the text has no place."""
    end = len(document.title)
    begin = end + len(TITLE_SEPARATOR) if document.title and document.body else 0
    return Keyphrase(
        text=phrase.text,
        score=round(phrase.score, SCORE_DIGITS),
        present=phrase.present,
        spans=[(first - begin, last - begin) for first, last in phrase.spans if first >= begin],
        title_spans=[(first, last) for first, last in phrase.spans if begin and last <= end],
    )
