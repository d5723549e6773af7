"""The card of an adapted system: where it comes from, and how good it is."""

from collections.abc import Mapping
from typing import Any

from keyseq.adapting.before_after import BeforeAfter
from keyseq.version import __version__


def card(name: str, record: Mapping[str, Any], before_after: BeforeAfter) -> str:
    """The card as Markdown."""
    sources = ", ".join(record["corpus"]) or "documents in memory"
    return (
        f"# {name}: a system of keyseq {__version__}, adapted to a corpus\n\n"
        f"Corpus: {record['documents']:,} documents with tags of {sources}.\n"
        f"Begun with: {_start(record)}. Network: {record['network'] or 'none'}."
        f"{_vocabulary(record)}\n\n"
        f"- Profiles of {record['labels']:,} labels, and counts: all documents but the {record['kept']:,} in\n"
        "  `held-out.jsonl`, which no part has seen; later changes can be checked on them.\n"
        f"- Ranker and calibration: {record['ranked']:,} documents, measured by tables that were made without them.\n"
        f"- Weight of recall in the number of phrases (`--beta`): {record['beta']:g}, the best for these documents.\n"
        f"- The table: {record['tested']:,} documents that neither tables nor ranker nor calibration had seen; tables\n"
        "  were made again from all documents after it was measured.\n\n"
        f"Before is `{record['compared_with']}` as it is, after is this system:\n\n"
        f"{before_after.render('markdown')}\n"
        f"    keyseq generate paper.txt --system ./{name}\n"
    )


def _start(record: Mapping[str, Any]) -> str:
    if record["from"] == "none":
        return "nothing, the corpus alone"
    profiles = f"its profiles weighed {record['weight']:g}" if record["weight"] else "none of its profiles"
    return f"the counts of `{record['from']}` and {profiles}, as chosen on held-out documents"


def _vocabulary(record: Mapping[str, Any]) -> str:
    return f" Vocabulary: {record['vocabulary']}." if record["vocabulary"] else ""
