"""What an adapted system takes from the one it begins with: counts as they are, profiles by a weight."""

from dataclasses import replace

from keyseq.retrieval.profile_joining import LabelledProfiles, joined
from keyseq.systems.combined import Tables


def with_background(own: Tables, start: Tables | None, weight: float, retrieved: int) -> Tables:
    """The tables of a corpus beside those of another: its counts are measured apart, its profiles joined."""
    known = replace(own.known, most=retrieved)
    if start is None:
        return own._replace(known=known)
    known = replace(known, background=start.known.keyphraseness)
    if not weight or start.known.profiles is None:
        return own._replace(known=known)
    other = LabelledProfiles(start.known.profiles, list(start.labels))
    if known.profiles is None:
        return Tables(replace(known, profiles=other.profiles), other.labels)
    profiles, labels = joined(LabelledProfiles(known.profiles, list(own.labels)), other, weight)
    return Tables(replace(known, profiles=profiles), labels)
