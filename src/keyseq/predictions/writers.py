"""Write documents with their phrases as text, JSON lines or CSV."""

import csv
import itertools
import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import IO, Any

from keyseq.predictions.reasons import reasons
from keyseq.types import SCORE_DIGITS, Document, Evidence, Phrase

Predictions = Iterable[tuple[Document, Sequence[Phrase]]]

BAR = 20  # characters in the score bar of a perfect phrase
BOLD, DIM, GREEN, MAGENTA, PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[32m", "\x1b[35m", "\x1b[0m"


def colours(out: IO[str]) -> bool:
    """Whether to colour: on a terminal unless NO_COLOR is set, and wherever FORCE_COLOR is."""
    return bool(os.environ.get("FORCE_COLOR")) or (out.isatty() and not os.environ.get("NO_COLOR"))


def write_text(predictions: Predictions, out: IO[str], *, explain: bool = False) -> None:
    """Write one document as a ranked list, several as one block each; `explain` adds what spoke for each phrase."""
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
        text = paint(_line(phrase.text).ljust(width), GREEN if phrase.present else MAGENTA)
        yield f"{rank:>3}  {text}  {phrase.score:.2f} {paint(bar, DIM)}{absent}\n"
        if explain and phrase.evidence is not None:
            yield f"     {paint(_line(' · '.join(reasons(phrase.evidence))), DIM)}\n"


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
                **({"evidence": evidence_fields(phrase.evidence)} if explain else {}),
            }
            for phrase in phrases
        ]
        out.write(json.dumps({"id": document.id, "keyphrases": keyphrases}, ensure_ascii=False) + "\n")


def evidence_fields(evidence: Evidence | None) -> dict[str, Any] | None:
    """Evidence as JSON has it; none of a system that has none."""
    if evidence is None:
        return None
    share = None if evidence.share is None else round(evidence.share, SCORE_DIGITS)
    return {**asdict(evidence), "share": share}


def write_csv(predictions: Predictions, out: IO[str]) -> None:
    """Write one row per phrase."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["id", "rank", "keyphrase", "score", "present"])
    for document, phrases in predictions:
        for rank, phrase in enumerate(phrases, start=1):
            writer.writerow(
                [document.id, rank, phrase.text, f"{phrase.score:.{SCORE_DIGITS}f}", str(phrase.present).lower()]
            )


WRITERS: dict[str, Callable[[Predictions, IO[str]], None]] = {
    "text": write_text,
    "jsonl": write_jsonl,
    "csv": write_csv,
}
EXPLAINED: dict[str, Callable[..., None]] = {"text": write_text, "jsonl": write_jsonl}  # those that take `explain`
