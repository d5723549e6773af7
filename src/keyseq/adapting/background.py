"""The tables of the system that an adaptation begins with: counts as they are, profiles with a weight."""

from dataclasses import replace

import numpy as np

from keyseq.retrieval.profile_joining import LabelledProfiles, joined
from keyseq.systems.combined import Tables
from keyseq.vocabularies.concept_lookup import ConceptLookup


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


def terms_alone(start: Tables, lookup: ConceptLookup) -> Tables:
    """Tables without the labels that are not in a vocabulary: they would only displace others."""
    if start.known.profiles is None:
        return start
    kept = np.flatnonzero([lookup.find(label) is not None for label in start.labels])
    profiles, labels = LabelledProfiles(start.known.profiles, list(start.labels)).of(kept)
    return Tables(replace(start.known, profiles=profiles if labels else None), labels)
