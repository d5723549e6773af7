"""The evidence for a phrase as short sentences."""

from keyseq.types import Evidence, Phrase


def reasons(evidence: Evidence) -> list[str]:
    """The evidence for a phrase: text, network, training documents, profiles, feedback."""
    accepted = "accepted for similar texts" if "feedback" in evidence.sources else ""
    found = (_in_text(evidence), _generated(evidence), _counted(evidence), _retrieved(evidence), accepted)
    return [reason for reason in found if reason]


def concept_reasons(phrase: Phrase) -> list[str]:
    """Which concept a phrase stands for, by which label it was found, and which related concepts the text has."""
    evidence = phrase.evidence
    if phrase.matched is None or evidence is None:
        return []
    found = f'found as "{phrase.matched}"' if phrase.matched != phrase.text else ""
    kind = f"{evidence.label} label" if evidence.label else ""
    others = "1 other concept has" if evidence.sharing == 1 else f"{evidence.sharing:,} other concepts have"
    reasons = (
        phrase.uri or "",
        f"{found}, {kind}" if found and kind else found,
        f"{others} this label" if evidence.sharing else "",
        f"related to {', '.join(evidence.related)}" if evidence.related else "",
    )
    return [reason for reason in reasons if reason]


def _in_text(evidence: Evidence) -> str:
    if not evidence.occurrences:
        return ""
    times = "once" if evidence.occurrences == 1 else f"{evidence.occurrences:,} times"
    return f"{'in the title, ' if evidence.in_title else ''}{times} in the text"


def _generated(evidence: Evidence) -> str:
    return "" if evidence.share is None else f"generated (share {evidence.share:.2f})"


def _counted(evidence: Evidence) -> str:
    """Documents with a keyphrase need not contain it, so neither number is part of the other."""
    if not evidence.keyphrase_of:
        return ""
    documents = "document" if evidence.keyphrase_of == 1 else "documents"
    contain = "contains" if evidence.contained_in == 1 else "contain"
    contained = f" ({evidence.contained_in:,} {contain} it)" if evidence.contained_in else ""
    return f"keyphrase of {evidence.keyphrase_of:,} training {documents}{contained}"


def _retrieved(evidence: Evidence) -> str:
    """A label that is retrieved by its words has no rank among those that are retrieved by their profiles."""
    if "profiles" not in evidence.sources:
        return ""
    rank = "a known keyphrase" if evidence.rank is None else f"profile rank {evidence.rank:,}"
    return rank + (f": words {', '.join(evidence.terms)}" if evidence.terms else "")
