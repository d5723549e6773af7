"""Requests as pydantic models, the schemas of the OpenAPI page."""

import re
from dataclasses import fields
from typing import Annotated, Any, Literal, Self

from pydantic import (
    Base64Bytes,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    Tag,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticCustomError

from keyseq.adapting.feedback import Feedback
from keyseq.data.formats.document_reading import ReadingOptions
from keyseq.data.tagging.tags import Existing
from keyseq.systems.combined_settings import CombinedSettings
from keyseq.systems.neural_settings import DecodingName, NeuralSettings, RankingName
from keyseq.types import Document

MOST = 1_000  # maximum number of phrases
NO_TEXT = "no_text"  # the type of the error of a document with neither text nor title
WIDEST = 200  # maximum beam size, that of the largest published search
_SETTINGS = {field.name: field for kind in (CombinedSettings, NeuralSettings) for field in fields(kind)}
_NO_BASE64 = re.compile(r"[^A-Za-z0-9+/=]")
Listed = Annotated[list[Annotated[str, Field(min_length=1, max_length=200)]], Field(min_length=1)]


class Strict(BaseModel):
    """A model that rejects unknown fields and other types."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Text(Strict):
    """A document: a text, a title, or both."""

    model_config = ConfigDict(
        json_schema_extra={
            "anyOf": [{"required": [name], "properties": {name: {"minLength": 1}}} for name in ("text", "title")]
        }
    )

    text: str = Field("", description="The text, or the body below the title.")
    title: str = Field("", description="The title, if it is not part of the text.")
    id: str | None = Field(None, max_length=200, description="Returned with the keyphrases.")

    @model_validator(mode="after")
    def _needs_text(self) -> Self:
        if not (self.text or self.title):
            raise PydanticCustomError(NO_TEXT, "is empty; send a text, a title or both")
        return self

    def document(self, number: int) -> Document:
        """The document that systems read."""
        return Document(id=str(number) if self.id is None else self.id, title=self.title, body=self.text)


def asked(setting: str, most: int | None = None) -> Any:
    """The field of a setting, with its description and range; `most` is the limit of this server."""
    about = _SETTINGS[setting].metadata
    doc, highest = f"{about['doc'][0].upper()}{about['doc'][1:]}.", about["most"] if most is None else most
    bounds = {"ge": about["least"], "le": highest}
    return Field(None, description=doc, **{name: bound for name, bound in bounds.items() if bound is not None})


class Choice(Strict):
    """The settings of a request, as in `keyseq generate`; null is the default of the system."""

    system: str | None = Field(None, max_length=200, description="One of /v1/systems; null is the default.")
    top: int | None = asked("top", MOST)
    min_score: float | None = asked("min_score")
    beta: float | None = asked("beta")
    present: bool | None = asked("present")
    vocabulary: str | None = asked("vocabulary")
    also_new: bool | None = asked("also_new")
    allow: Listed | None = asked("allow")
    deny: Listed | None = asked("deny")
    decoding: DecodingName | None = asked("decoding")
    beam: int | None = asked("beam", WIDEST)
    ranking: RankingName | None = asked("ranking")
    min_share: float | None = asked("min_share")
    candidates: Literal["noun-phrases", "runs", "ngrams"] | None = Field(
        None, description="Candidates of rankers such as textrank."
    )
    language: str | None = Field(
        None,
        max_length=20,
        description="Language of the texts by its ISO 639-1 code; detected by default; for rankers, en.",
    )
    explain: bool = Field(False, description="Whether each keyphrase comes with its evidence.")

    @field_validator("top", "beam", mode="before")
    @classmethod
    def _whole(cls, value: Any) -> Any:  # whatever JSON holds
        """JSON has one kind of number, of which 5.0 is a whole one."""
        return int(value) if isinstance(value, float) and value.is_integer() else value

    def settings(self) -> dict[str, Any]:
        """The settings for `keyseq.load`."""
        given = {name: getattr(self, name) for name in Choice.model_fields if name not in ("system", "explain")}
        return {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in given.items()
            if value is not None
        }


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


class FeedbackRequest(Text):
    """Feedback on the phrases of a document: those that are right, those that are wrong, and missing ones."""

    accepted: Listed | None = Field(None, description="Phrases that are right.")
    rejected: Listed | None = Field(None, description="Phrases that are wrong.")
    added: Listed | None = Field(None, description="Phrases that the document should have been given.")

    def feedback(self) -> Feedback:
        """The feedback; a `DataError` if it is contradictory or empty."""
        return Feedback(
            title=self.title,
            text=self.text,
            accepted=tuple(self.accepted or ()),
            rejected=tuple(self.rejected or ()),
            added=tuple(self.added or ()),
        )


class StreamRequest(Choice):
    """The settings of a stream of documents, in the query: `?system=textrank&top=5&deny=first&deny=second`."""

    model_config = ConfigDict(strict=False)  # a query is text


class ReadRequest(BaseModel):
    """The name of a file, with its suffix, and how to read it if the suffix does not show it."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(min_length=1, max_length=255, description="The file name, with its suffix.")
    format: str | None = Field(None, max_length=50, description="The format, if the name does not show it.")
    title_column: str | None = Field(None, max_length=200, description="Column of a table, or JSON field, of titles.")
    text_column: str | None = Field(None, max_length=200, description="Column or field of the text.")
    id_column: str | None = Field(None, max_length=200, description="Column or field of the id.")
    keywords_column: str | None = Field(None, max_length=200, description="Column or field of existing keyphrases.")
    separator: str | None = Field(None, min_length=1, max_length=10, description="Separator of existing keyphrases.")
    encoding: str | None = Field(None, max_length=50, description="Encoding of a text file, such as cp1252.")

    def options(self) -> ReadingOptions:
        """The options of reading."""
        return ReadingOptions(
            format=self.format,
            title_column=self.title_column,
            text_column=self.text_column,
            id_column=self.id_column,
            keywords_column=self.keywords_column,
            separator=self.separator,
            encoding=self.encoding,
        )


def _in_base64(content: object) -> object:
    """The same without line breaks; marks that are not of base64 are refused, which decoding would pass over."""
    if isinstance(content, str) and (found := _NO_BASE64.search(content := "".join(content.split()))):
        raise PydanticCustomError("base64", "is not base64, which has no '{mark}'", {"mark": found[0]})
    return content


class TagRequest(ReadRequest):
    """A library and the keyphrases of its documents, in the order in which /v1/documents lists them."""

    content: Annotated[Base64Bytes, BeforeValidator(_in_base64)] = Field(description="The file in base64.")
    keyphrases: list[list[Annotated[str, Field(max_length=1_000)]]] = Field(
        description="The keyphrases of each document."
    )
    existing: Existing = Field(
        "merge", description="Keywords that an entry has: add to them, leave such entries alone, or replace them."
    )
    column: str = Field("keyphrases", min_length=1, max_length=200, description="Name of the column added to a table.")

    def rules(self) -> dict[str, str]:
        """The rules of tagging."""
        return {"existing": self.existing, "column": self.column, "separator": self.separator or ";"}
