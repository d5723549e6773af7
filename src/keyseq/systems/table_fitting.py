"""Fit the counts and profiles of a corpus."""

from dataclasses import dataclass

from keyseq.config.fields import setting
from keyseq.data.parallel import Track, untracked
from keyseq.ranking.pool import Known
from keyseq.retrieval.counting import count_keyphrases
from keyseq.retrieval.profile_fitting import ProfileSettings, fit_profiles
from keyseq.retrieval.token_store import TokenStore
from keyseq.systems.combined import Tables


@dataclass(frozen=True, kw_only=True)
class TableSettings(ProfileSettings):
    """The settings of fitting profiles and counting phrases."""

    given: int = setting(2, "documents that must have a keyphrase for its count to be kept", least=1)
    contained: int = setting(12, "documents that must contain a phrase to count it, if it is not a keyphrase", least=1)


def fit_tables(store: TokenStore, settings: TableSettings, track: Track = untracked) -> Tables:
    """Fit counts and profiles; without a frequent keyphrase there are no profiles."""
    counts = count_keyphrases(store, least_given=settings.given, least_documents=settings.contained, track=track)
    profiles, labels = fit_profiles(store, settings, track)
    return Tables(Known(counts, profiles if labels else None), [one.text for one in labels])
