"""Clean a corpus: repair or drop documents, remove near-duplicates and copies, and report all changes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import Literal

from keyseq.data.boilerplate import CUTS
from keyseq.data.formats import write_documents
from keyseq.data.keyphrases import clean_keyphrases
from keyseq.data.language import is_english
from keyseq.data.leaks import Fingerprint, Held
from keyseq.data.near_duplicates import ALIKE, NearDuplicates
from keyseq.data.parallel import Work, chunked, run
from keyseq.data.repair import plain, repaired
from keyseq.data.spool import DocumentSpool
from keyseq.types import TITLE_SEPARATOR, Document

CHUNK = 500  # documents that a process takes at a time
FEWEST_WORDS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The criteria for keeping a document. `duplicates` is the overlap that makes near-duplicates."""

    language: Literal["en", "any"] = "en"
    fewest_words: int = FEWEST_WORDS
    duplicates: float = ALIKE


@dataclass(slots=True)
class Tally:
    """How often a change was made, and the first document changed."""

    count: int = 0
    example: str = ""


@dataclass(slots=True)
class CleaningReport:
    """Counts by reason: documents dropped, and changes to texts and keyphrases of those kept."""

    read: int = 0
    written: int = 0
    dropped: dict[str, Tally] = field(default_factory=dict)
    changed: dict[str, Tally] = field(default_factory=dict)
    keyphrases: dict[str, Tally] = field(default_factory=dict)

    def rows(self) -> list[tuple[str, int, str]]:
        """The report as rows: change, count and an example."""
        kinds = (("document dropped", self.dropped), ("text", self.changed), ("keyphrase", self.keyphrases))
        lines = [
            (f"{kind}: {reason}", tally.count, tally.example)
            for kind, tallies in kinds
            for reason, tally in sorted(tallies.items(), key=lambda item: -item[1].count)
        ]
        return [("documents read", self.read, ""), *lines, ("documents written", self.written, "")]


def _count(tallies: dict[str, Tally], reason: str, id: str) -> None:
    tally = tallies.setdefault(reason, Tally(example=id))
    tally.count += 1


@dataclass(slots=True)
class Cleaned:
    """A cleaned document, the changes to its text and keyphrases, and the reason if it is dropped."""

    document: Document
    changes: list[str]
    keyphrase_changes: list[str]
    fault: str | None
    fingerprint: Fingerprint | None = None


def clean_document(document: Document, rules: Rules) -> Cleaned:
    """Repair a document, and decide whether to keep it."""
    changes: list[str] = []
    keyphrase_changes: list[str] = []
    title = _clean_text(document.title, changes)
    body = _clean_text(document.body, changes)
    for reason, cut in CUTS.items():
        shorter = cut(body)
        if shorter != body:
            changes.append(reason)
            body = shorter
    keyphrases = [_clean_text(phrase, keyphrase_changes) for phrase in document.keyphrases or ()]
    kept = clean_keyphrases(keyphrases, f"{title}{TITLE_SEPARATOR}{body}", keyphrase_changes.append)
    cleaned = Document(id=document.id, title=title, body=body, keyphrases=kept)
    return Cleaned(cleaned, changes, keyphrase_changes, _fault(cleaned, rules))


def _clean_text(text: str, changes: list[str]) -> str:
    decoded = repaired(text)
    if decoded != text:
        changes.append("encoding repaired")
    shown = plain(decoded)
    if shown != " ".join(decoded.split()):
        changes.append("HTML or LaTeX converted to plain text")
    return shown


def _fault(document: Document, rules: Rules) -> str | None:
    if len(document.text.split()) < rules.fewest_words:
        return "text too short"
    if not document.keyphrases:
        return "no keyphrase left"
    if rules.language == "en" and not is_english(document.text):
        return "not English"
    return None


def _clean_chunk(rules: Rules, documents: Sequence[Document]) -> list[Cleaned]:
    cleaned = [clean_document(document, rules) for document in documents]
    for one in cleaned:
        if one.fault is None:
            one.fingerprint = Fingerprint.of(one.document)
    return cleaned


def clean_corpus(
    documents: Iterable[Document], out: Path, rules: Rules, held: Held | None = None, work: Work | None = None
) -> CleaningReport:
    """Write the documents that are kept, in their order, and report on all.

    Cleaned documents are spooled to a temporary file until near-duplicates among them are known.
    """
    work, report = work or Work(), CleaningReport()
    duplicates = NearDuplicates(rules.duplicates)
    with TemporaryFile("w+b") as file:
        waiting = DocumentSpool(file)
        chunks = chunked(work.track(documents, "cleaning"), CHUNK)
        for cleaned in run(partial(_clean_chunk, rules), chunks, work.processes):
            for one in cleaned:
                _judge(one, report, held)
                if one.fault is None and one.fingerprint is not None:
                    waiting.append(one.document)
                    duplicates.add(one.fingerprint)
        copies = duplicates.copies(lru_cache(10_000)(lambda number: Fingerprint.of(waiting[number])))
        for number in copies:
            _count(report.dropped, "near-duplicate", waiting[number].id)
        report.written = write_documents((d for n, d in enumerate(waiting) if n not in copies), out, "jsonl")
    return report


def _judge(cleaned: Cleaned, report: CleaningReport, held: Held | None) -> None:
    """Add a document to the report; a copy of an evaluation document is dropped."""
    report.read += 1
    if cleaned.fingerprint is not None and held is not None:
        leak = held.copied_by(cleaned.document, cleaned.fingerprint)
        cleaned.fault = None if leak is None else f"copy of a document of {leak.file}"
    if cleaned.fault is not None:
        _count(report.dropped, cleaned.fault, cleaned.document.id)
        return
    for change in cleaned.changes:
        _count(report.changed, change, cleaned.document.id)
    for change in cleaned.keyphrase_changes:
        _count(report.keyphrases, change, cleaned.document.id)
