"""What distinguishes the phrases of a collection from those of a background: weighted log-odds."""

import numpy as np

from keyseq.ranking.runs import Floats

PRIOR = 500.0  # how many phrases of both together the prior is worth


def weighted_log_odds(own: Floats, background: Floats, background_total: float, prior: float = PRIOR) -> Floats:
    """The z-scores of the log-odds ratios of phrases (N,) with an informative Dirichlet prior.

    Monroe, Colaresi and Quinn (2008), "Fightin' Words", equations 15, 16 and 22: `own` and `background` are how often
    either has each phrase, `background_total` how often the background has any. The prior of a phrase is its share of
    both together, so that phrases that neither has often stay near 0.
    """
    own_total = float(own.sum())
    expected = prior * (own + background) / max(own_total + background_total, 1.0)
    log_odds = _logit(own + expected, own_total + prior) - _logit(background + expected, background_total + prior)
    deviations = np.sqrt(1 / np.maximum(own + expected, 1e-9) + 1 / np.maximum(background + expected, 1e-9))
    scores: Floats = log_odds / deviations
    return scores


def _logit(count: Floats, total: float) -> Floats:
    logit: Floats = np.log(np.maximum(count, 1e-9)) - np.log(np.maximum(total - count, 1e-9))
    return logit
