"""What clients send and get, as pydantic models: these are the schemas of the OpenAPI page."""

from dataclasses import fields
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag

from keyseq.systems.combined_settings import CombinedSettings
from keyseq.systems.neural_settings import DecodingName, NeuralSettings, RankingName
from keyseq.types import Document

MOST = 1_000  # phrases that may be asked for
WIDEST = 200  # hypotheses: as many as the widest of the published searches follows
_SETTINGS = {field.name: field for kind in (CombinedSettings, NeuralSettings) for field in fields(kind)}
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


def asked(setting: str, most: int | None = None) -> Any:
    """The field of a setting: its description and its range are the setting's; `most` is this server's bound."""
    about = _SETTINGS[setting].metadata
    doc, highest = f"{about['doc'][0].upper()}{about['doc'][1:]}.", about["most"] if most is None else most
    bounds = {"ge": about["least"], "le": highest}
    return Field(None, description=doc, **{name: bound for name, bound in bounds.items() if bound is not None})


class Choice(Strict):
    """The settings of a request, as `keyseq generate` has them; null leaves one to the system."""

    system: str | None = Field(None, max_length=200, description="One of /v1/systems; null is the default.")
    top: int | None = asked("top", MOST)
    min_score: float | None = asked("min_score")
    beta: float | None = asked("beta")
    present: bool | None = asked("present")
    allow: Listed | None = asked("allow")
    deny: Listed | None = asked("deny")
    decoding: DecodingName | None = asked("decoding")
    beam: int | None = asked("beam", WIDEST)
    ranking: RankingName | None = asked("ranking")
    min_share: float | None = asked("min_share")
    candidates: Literal["noun-phrases", "runs", "ngrams"] | None = Field(
        None, description="What rankers such as textrank rank."
    )
    explain: bool = Field(False, description="Whether each keyphrase comes with its evidence.")

    def settings(self) -> dict[str, Any]:
        """What is asked for, as `keyseq.load` takes it."""
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
    """Where a phrase came from, and what spoke for it."""

    sources: list[Literal["text", "network", "profiles"]] = Field(description="Where the phrase came from.")
    occurrences: int = Field(description="How often the text contains it.")
    in_title: bool = Field(description="Whether the title contains it.")
    keyphrase_of: int = Field(description="Training documents that were given it, whether they contain it or not.")
    contained_in: int = Field(description="Training documents that contain it.")
    share: float | None = Field(description="Share of the probability of the network's sequences that have it.")
    rank: int | None = Field(description="Its rank among the labels that the profiles retrieved, from 1.")
    terms: list[str] = Field(description="The words of the text that spoke most for it in its profile.")
    system: str = Field(description="The system that gave it.")


class Keyphrase(BaseModel):
    """A phrase, and where it stands: [start, end) in characters (Unicode code points) of the text or title as sent."""

    text: str
    score: float
    present: bool
    spans: list[tuple[int, int]]
    title_spans: list[tuple[int, int]]
    evidence: KeyphraseEvidence | None = Field(
        None, description="Only with `explain`; null of a system that does not tell."
    )


class Keyphrases(BaseModel):
    """The ranked keyphrases of a document."""

    id: str
    system: str | None = Field(
        None,
        description="The system that gave the keyphrases; only there if the one asked for chose it by the text.",
    )
    keyphrases: list[Keyphrase]


class KeyphraseAnswer(BaseModel):
    """The keyphrases of each document, in the order of the request."""

    system: str
    version: str
    documents: list[Keyphrases]


class SystemEntry(BaseModel):
    """A system that this server has; `absent` tells whether it gives phrases that the text does not contain.

    `settings` are the fields of a request that it takes.
    """

    name: str
    description: str
    absent: bool
    default: bool
    settings: list[str]


class SystemsAnswer(BaseModel):
    """The systems of this server, the decodings that a network has, and the limits."""

    version: str
    systems: list[SystemEntry]
    decodings: list[str]
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
