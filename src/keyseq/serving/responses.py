"""Answers as pydantic models, the schemas of the OpenAPI page."""

from typing import Any, Literal

from pydantic import BaseModel, Field


class KeyphraseEvidence(BaseModel):
    """The evidence for a phrase: its sources, and the statistics it was ranked by."""

    sources: list[Literal["text", "network", "profiles", "feedback"]] = Field(
        description="The sources of the candidate."
    )
    occurrences: int = Field(description="Number of occurrences in the text.")
    in_title: bool = Field(description="Whether the title contains it.")
    keyphrase_of: int = Field(description="Training documents with this keyphrase, whether they contain it or not.")
    contained_in: int = Field(description="Training documents that contain it.")
    share: float | None = Field(description="Fraction of the probability of the network's sequences that contain it.")
    rank: int | None = Field(description="Rank among the labels retrieved by profiles, from 1.")
    terms: list[str] = Field(description="The words of the text with the highest weights in its profile.")
    system: str = Field(description="The system that predicted it.")
    language: str = Field("", description="The language in which that system read the text, by its ISO 639-1 code.")
    language_confidence: float | None = Field(
        None, description="The confidence in it, from 0 to 1, if it was detected."
    )
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


class DocumentKeyphrases(BaseModel):
    """The ranked keyphrases of a document."""

    id: str
    system: str | None = Field(
        None,
        description="The system that predicted the keyphrases, if the requested one chose it by the text.",
    )
    language: str | None = Field(
        None, description="The language in which the text was read, by its ISO 639-1 code, if the system reports it."
    )
    language_confidence: float | None = Field(
        None, description="The confidence in that language, from 0 to 1, if it was detected."
    )
    note: str | None = Field(None, description="A remark, such as that no system is trained for this language.")
    keyphrases: list[Keyphrase]


class StreamedKeyphrases(DocumentKeyphrases):
    """A line of a stream: the keyphrases of the document of a line, or an error and the number of the line."""

    id: str | None = None  # type: ignore[assignment]
    keyphrases: list[Keyphrase] | None = None  # type: ignore[assignment]
    line: int | None = Field(None, description="Only with an error: the number of the line, from 1.")
    error: "Problem | None" = None


class KeyphraseAnswer(BaseModel):
    """The keyphrases of each document, in the order of the request."""

    system: str
    version: str
    documents: list[DocumentKeyphrases]


class SystemEntry(BaseModel):
    """An available system; `absent` is whether it predicts absent keyphrases.

    `settings` are the fields of a request that it accepts, `defaults` those that this server sets for it, and `scores`
    is what the scores of its phrases mean.
    """

    name: str
    description: str
    absent: bool
    default: bool
    settings: list[str]
    defaults: dict[str, Any]
    scores: str


class FeedbackAnswer(BaseModel):
    """Feedback that was stored: the number of its phrases."""

    stored: int


class VocabularyEntry(BaseModel):
    """A controlled vocabulary of this server, and the number of its labels in each language."""

    name: str
    concepts: int
    languages: dict[str, int]


class SystemsAnswer(BaseModel):
    """The systems and vocabularies of this server, the decodings of networks, languages by code, and the limits.

    `libraries` are the suffixes of files that /v1/library takes.
    """

    version: str
    systems: list[SystemEntry]
    vocabularies: list[VocabularyEntry]
    decodings: list[str]
    languages: dict[str, str]
    libraries: list[str]
    learns: str | None = Field(description="The system that learns from feedback, if one does.")
    limits: dict[str, float]


class ReadText(BaseModel):
    """A document of a file."""

    id: str
    title: str
    text: str


class ReadAnswer(BaseModel):
    """The documents of a file, errors of records that cannot be read, and notes, such as the columns that were read.

    `taggable` is whether /v1/library can add keyphrases to the file.
    """

    documents: list[ReadText]
    skipped: list[str]
    notes: list[str]
    taggable: bool


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
