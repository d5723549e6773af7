"""Requests and answers as pydantic models, the schemas of the OpenAPI page."""

from dataclasses import fields
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag

from keyseq.data.formats.reading import ReadingOptions
from keyseq.systems.combined_settings import CombinedSettings
from keyseq.systems.neural_settings import DecodingName, NeuralSettings, RankingName
from keyseq.types import Document

MOST = 1_000  # maximum number of phrases
WIDEST = 200  # maximum beam size, that of the largest published search
_SETTINGS = {field.name: field for kind in (CombinedSettings, NeuralSettings) for field in fields(kind)}
Listed = Annotated[list[Annotated[str, Field(min_length=1, max_length=200)]], Field(min_length=1)]


class Strict(BaseModel):
    """A model that rejects unknown fields and other types."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Text(Strict):
    """A document."""

    text: str = Field(min_length=1, description="The text, or the body below the title.")
    title: str = Field("", description="The title, if it is not part of the text.")
    id: str | None = Field(None, max_length=200, description="Returned with the keyphrases.")

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
    explain: bool = Field(False, description="Whether each keyphrase comes with its evidence.")

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


class KeyphraseEvidence(BaseModel):
    """The evidence for a phrase: its sources, and the statistics it was ranked by."""

    sources: list[Literal["text", "network", "profiles"]] = Field(description="The sources of the candidate.")
    occurrences: int = Field(description="Number of occurrences in the text.")
    in_title: bool = Field(description="Whether the title contains it.")
    keyphrase_of: int = Field(description="Training documents with this keyphrase, whether they contain it or not.")
    contained_in: int = Field(description="Training documents that contain it.")
    share: float | None = Field(description="Fraction of the probability of the network's sequences that contain it.")
    rank: int | None = Field(description="Rank among the labels retrieved by profiles, from 1.")
    terms: list[str] = Field(description="The words of the text with the highest weights in its profile.")
    system: str = Field(description="The system that predicted it.")
    label: Literal["preferred", "alternative", "hidden"] | None = Field(
        None, description="For a concept: the kind of the label that matched."
    )
    related: list[str] | None = Field(None, description="For a concept: related concepts that occur in the text.")
    sharing: int | None = Field(None, description="For a concept: the number of other concepts with the same label.")


class Keyphrase(BaseModel):
    """A phrase and its spans: [start, end) in characters (Unicode code points) of the text or title as sent."""

    text: str
    score: float
    present: bool
    spans: list[tuple[int, int]]
    title_spans: list[tuple[int, int]]
    uri: str | None = Field(None, description="Only with a vocabulary: the URI of the concept, if it has one.")
    matched: str | None = Field(None, description="Only with a vocabulary: the label that matched.")
    new: bool | None = Field(None, description="Only with a vocabulary: whether the phrase is not in it.")
    evidence: KeyphraseEvidence | None = Field(
        None, description="Only with `explain`; null if the system does not provide evidence."
    )


class Keyphrases(BaseModel):
    """The ranked keyphrases of a document."""

    id: str
    system: str | None = Field(
        None,
        description="The system that predicted the keyphrases, if the requested one chose it by the text.",
    )
    keyphrases: list[Keyphrase]


class KeyphraseAnswer(BaseModel):
    """The keyphrases of each document, in the order of the request."""

    system: str
    version: str
    documents: list[Keyphrases]


class SystemEntry(BaseModel):
    """An available system; `absent` tells whether it predicts absent keyphrases.

    `settings` are the fields of a request that it accepts.
    """

    name: str
    description: str
    absent: bool
    default: bool
    settings: list[str]


class VocabularyEntry(BaseModel):
    """A controlled vocabulary of this server, and the number of its labels in each language."""

    name: str
    concepts: int
    languages: dict[str, int]


class SystemsAnswer(BaseModel):
    """The systems and vocabularies of this server, the decodings of networks, and the limits."""

    version: str
    systems: list[SystemEntry]
    vocabularies: list[VocabularyEntry]
    decodings: list[str]
    limits: dict[str, float]


class ReadRequest(BaseModel):
    """The name of a file, with its suffix, and how to read it if that does not tell."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(min_length=1, max_length=255, description="The file name, with its suffix.")
    format: str | None = Field(None, max_length=50, description="The format, if the name does not tell.")
    title_column: str | None = Field(None, max_length=200, description="Column of a table, or JSON field, of titles.")
    text_column: str | None = Field(None, max_length=200, description="Column or field of the text.")
    id_column: str | None = Field(None, max_length=200, description="Column or field of the id.")
    encoding: str | None = Field(None, max_length=50, description="Encoding of a text file, such as cp1252.")

    def options(self) -> ReadingOptions:
        """The options of reading."""
        return ReadingOptions(
            format=self.format,
            title_column=self.title_column,
            text_column=self.text_column,
            id_column=self.id_column,
            encoding=self.encoding,
        )


class ReadText(BaseModel):
    """A document of a file."""

    id: str
    title: str
    text: str


class ReadAnswer(BaseModel):
    """The documents of a file, errors of records that cannot be read, and notes, such as the columns that were read."""

    documents: list[ReadText]
    skipped: list[str]
    notes: list[str]


class Status(BaseModel):
    """The status of the server."""

    status: str


class Problem(BaseModel):
    """An error message in one sentence, and the part of the request it concerns."""

    message: str
    place: str | None


class ErrorAnswer(BaseModel):
    """The answer to a request that failed."""

    error: Problem
