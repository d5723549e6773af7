"""Convert phrases to the answers of the server."""

from collections.abc import Sequence
from typing import Any

from keyseq.predictions.writers import concept_fields, evidence_fields
from keyseq.serving.loaded_systems import public_name
from keyseq.serving.responses import DocumentKeyphrases, Keyphrase, KeyphraseEvidence
from keyseq.systems.language_systems import remark
from keyseq.text.selection import Selection
from keyseq.types import SCORE_DIGITS, TITLE_SEPARATOR, Document, Evidence, Phrase


class Answering:
    """Converts the phrases of one request: the requested system, the selection, and whether to add evidence."""

    def __init__(self, asked: str, selection: Selection, *, explain: bool) -> None:
        self._asked, self._selection, self._explain = asked, selection, explain

    def document(self, document: Document, phrases: Sequence[Phrase]) -> DocumentKeyphrases:
        """The selected phrases of a document; unset fields are left out of the answer."""
        kept = self._selection.select(phrases)
        return DocumentKeyphrases(
            id=document.id,
            keyphrases=[_keyphrase(phrase, document, explain=self._explain) for phrase in kept],
            **self._chosen(phrases),
        )

    def _chosen(self, phrases: Sequence[Phrase]) -> dict[str, Any]:
        """The language, if it is known, and the confidence in it, if it was detected; `system`, if that which was asked
        delegated the document to another; a note.
        """
        evidence = phrases[0].evidence if phrases else None
        if evidence is None:
            return {}
        chosen = public_name(evidence.system)
        told = {
            "system": chosen if chosen != self._asked else "",
            "language": evidence.language,
            "note": remark(chosen, evidence.language) if chosen != self._asked else "",
        }
        said = {name: value for name, value in told.items() if value}
        sure = evidence.language_confidence
        return said if sure is None else {**said, "language_confidence": sure}


def _keyphrase(phrase: Phrase, document: Document, *, explain: bool) -> Keyphrase:
    """A phrase with its spans in title and text; a span that crosses from title to text is dropped."""
    end = len(document.title)
    begin = end + len(TITLE_SEPARATOR) if document.title else 0
    evidence: dict[str, Any] = {"evidence": _evidence(phrase.evidence)} if explain else {}
    return Keyphrase(
        text=phrase.text,
        score=round(phrase.score, SCORE_DIGITS),
        present=phrase.present,
        spans=[(first - begin, last - begin) for first, last in phrase.spans if first >= begin],
        title_spans=[(first, last) for first, last in phrase.spans if begin and last <= end],
        **concept_fields(phrase),
        **evidence,
    )


def _evidence(evidence: Evidence | None) -> KeyphraseEvidence | None:
    fields = evidence_fields(evidence)
    return KeyphraseEvidence(**fields | {"system": public_name(fields["system"])}) if fields else None
