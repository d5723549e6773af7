"""Write documents with their phrases as text, JSON lines or CSV."""

import csv
import itertools
import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import IO, Any

from keyseq.predictions.reasons import concept_reasons, reasons
from keyseq.types import SCORE_DIGITS, Document, Evidence, Phrase

Predictions = Iterable[tuple[Document, Sequence[Phrase]]]

OF_CONCEPTS = ("label", "related", "sharing")  # fields of evidence
BAR = 20  # characters in the score bar of a perfect phrase
BOLD, DIM, GREEN, MAGENTA, PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[32m", "\x1b[35m", "\x1b[0m"


def colours(out: IO[str]) -> bool:
    """Whether to colour: on a terminal unless NO_COLOR is set, and wherever FORCE_COLOR is."""
    return bool(os.environ.get("FORCE_COLOR")) or (out.isatty() and not os.environ.get("NO_COLOR"))


def write_text(predictions: Predictions, out: IO[str], *, explain: bool = False) -> None:
    """Write one document as a ranked list, several as one block each; `explain` adds the evidence for each phrase."""
    rest = iter(predictions)
    first = list(itertools.islice(rest, 2))
    paint = _painted if colours(out) else _plain
    if len(first) == 1:
        out.writelines(_ranked(first[0][1], paint, explain=explain))
        return
    for document, phrases in itertools.chain(first, rest):
        title = f" {_line(document.title)}" if document.title else ""
        out.write(f"{paint(f'{_line(document.id)}{title}', BOLD)}\n")
        out.writelines(_ranked(phrases, paint, explain=True) if explain else [_joined(phrases, paint)])


def _joined(phrases: Sequence[Phrase], paint: Callable[[str, str], str]) -> str:
    shown = "; ".join(paint(_line(phrase.text), GREEN if phrase.present else MAGENTA) for phrase in phrases)
    return f"  {shown or paint('no keyphrases', DIM)}\n"


def _ranked(phrases: Sequence[Phrase], paint: Callable[[str, str], str], *, explain: bool) -> Iterator[str]:
    if not phrases:
        yield f"{paint('no keyphrases', DIM)}\n"
    width = max((len(phrase.text) for phrase in phrases), default=0)
    for rank, phrase in enumerate(phrases, start=1):
        bar = "█" * max(1, round(BAR * phrase.score))
        absent = "" if phrase.present else paint("  not in the text", DIM)
        new = paint("  not in the vocabulary", DIM) if phrase.new else ""
        text = paint(_line(phrase.text).ljust(width), GREEN if phrase.present else MAGENTA)
        yield f"{rank:>3}  {text}  {phrase.score:.2f} {paint(bar, DIM)}{absent}{new}\n"
        if explain and phrase.evidence is not None:
            told = [*concept_reasons(phrase), *reasons(phrase.evidence)]
            yield f"     {paint(_line(' · '.join(told)), DIM)}\n"


def _painted(text: str, colour: str) -> str:
    return f"{colour}{text}{PLAIN}"


def _plain(text: str, _colour: str) -> str:
    return text


def _line(text: str) -> str:
    """A text on one line, without control characters."""
    return " ".join("".join(mark if mark.isprintable() else " " for mark in text).split())


def write_jsonl(predictions: Predictions, out: IO[str], *, explain: bool = False) -> None:
    """Write one JSON object per document, as `keyseq evaluate` reads it; `explain` adds the evidence of each phrase."""
    for document, phrases in predictions:
        keyphrases = [
            {
                "text": phrase.text,
                "score": round(phrase.score, SCORE_DIGITS),
                "present": phrase.present,
                "spans": phrase.spans,
                **concept_fields(phrase),
                **({"evidence": evidence_fields(phrase.evidence)} if explain else {}),
            }
            for phrase in phrases
        ]
        told = {"id": document.id, **origin_fields(phrases), "keyphrases": keyphrases}
        out.write(json.dumps(told, ensure_ascii=False) + "\n")


def origin_fields(phrases: Sequence[Phrase]) -> dict[str, Any]:
    """The fields of JSON for all phrases of a document: the system that answered, the language that it read, and the
    confidence of its detection; none for a system without evidence.
    """
    evidence = phrases[0].evidence if phrases else None
    if evidence is None or not evidence.language:
        return {}
    told = {"system": evidence.system, "language": evidence.language}
    sure = evidence.language_confidence
    return told if sure is None else {**told, "language_confidence": sure}


def concept_fields(phrase: Phrase) -> dict[str, Any]:
    """The fields of JSON for a phrase under a vocabulary: its concept, or that it is new; else none."""
    if phrase.matched is None and not phrase.new:
        return {}
    return {"uri": phrase.uri, "matched": phrase.matched, "new": phrase.new}


def evidence_fields(evidence: Evidence | None) -> dict[str, Any] | None:
    """Evidence as JSON, None for a system without it; fields of concepts are there for concepts alone."""
    if evidence is None:
        return None
    share = None if evidence.share is None else round(evidence.share, SCORE_DIGITS)
    fields = {**asdict(evidence), "share": share}
    return fields if evidence.label else {name: value for name, value in fields.items() if name not in OF_CONCEPTS}


def write_csv(predictions: Predictions, out: IO[str], *, concepts: bool = False) -> None:
    """Write one row per phrase; `concepts` adds what is known of each under a vocabulary."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["id", "rank", "keyphrase", "score", "present", *(("uri", "matched", "new") if concepts else ())])
    for document, phrases in predictions:
        for rank, phrase in enumerate(phrases, start=1):
            row = [document.id, rank, phrase.text, f"{phrase.score:.{SCORE_DIGITS}f}", str(phrase.present).lower()]
            known = [phrase.uri or "", phrase.matched or "", str(phrase.new).lower()] if concepts else []
            writer.writerow([*row, *known])


def write_concepts(predictions: Predictions, out: IO[str]) -> None:
    """Write one row per concept, and per phrase that the vocabulary lacks."""
    write_csv(predictions, out, concepts=True)


WRITERS: dict[str, Callable[[Predictions, IO[str]], None]] = {
    "text": write_text,
    "jsonl": write_jsonl,
    "csv": write_csv,
    "concepts": write_concepts,  # what csv is under a vocabulary
}
EXPLAINED: dict[str, Callable[..., None]] = {"text": write_text, "jsonl": write_jsonl}  # those that take `explain`
