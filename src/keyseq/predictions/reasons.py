"""What spoke for a phrase, in plain words."""

from keyseq.types import Evidence


def reasons(evidence: Evidence) -> list[str]:
    """What spoke for a phrase: the text, the network, the training documents, the profiles."""
    found = (_in_text(evidence), _generated(evidence), _counted(evidence), _retrieved(evidence))
    return [reason for reason in found if reason]


def _in_text(evidence: Evidence) -> str:
    if not evidence.occurrences:
        return ""
    times = "once" if evidence.occurrences == 1 else f"{evidence.occurrences:,} times"
    return f"{'in the title, ' if evidence.in_title else ''}{times} in the text"


def _generated(evidence: Evidence) -> str:
    return "" if evidence.share is None else f"generated (share {evidence.share:.2f})"


def _counted(evidence: Evidence) -> str:
    """The documents that were given a phrase need not contain it, so that neither number is a part of the other."""
    if not evidence.keyphrase_of:
        return ""
    documents = "document" if evidence.keyphrase_of == 1 else "documents"
    contain = "contains" if evidence.contained_in == 1 else "contain"
    contained = f" ({evidence.contained_in:,} {contain} it)" if evidence.contained_in else ""
    return f"keyphrase of {evidence.keyphrase_of:,} training {documents}{contained}"


def _retrieved(evidence: Evidence) -> str:
    if evidence.rank is None:
        return ""
    return f"profile rank {evidence.rank:,}" + (f": words {', '.join(evidence.terms)}" if evidence.terms else "")
