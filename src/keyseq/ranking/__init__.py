"""Ranking the candidates of a document: features, boosted trees, calibration, and the number of phrases."""
