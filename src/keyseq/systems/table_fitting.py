"""Fit the counts and profiles of a corpus."""

from dataclasses import dataclass

from keyseq.config.fields import setting
from keyseq.data.parallel import Track, untracked
from keyseq.ranking.pool import Known
from keyseq.retrieval.counting import RunCounts
from keyseq.retrieval.profile_fitting import ProfileSettings, fit_profiles
from keyseq.systems.combined import Tables


@dataclass(frozen=True, kw_only=True)
class TableSettings(ProfileSettings):
    """Hyperparameters of profiles and counts."""

    given: int = setting(2, "minimum documents with a keyphrase for its count to be kept", least=1)
    contained: int = setting(
        12, "minimum documents that contain a phrase for its count to be kept, if it is not a keyphrase", least=1
    )


def fit_tables(counted: RunCounts, settings: TableSettings, track: Track = untracked) -> Tables:
    """Fit counts and profiles to the corpus of these counts; without a frequent keyphrase there are no profiles."""
    profiles, labels = fit_profiles(counted.store, settings, track)
    known = Known(counted.keyphraseness(settings.given), profiles if labels else None)
    return Tables(known, [one.text for one in labels])
