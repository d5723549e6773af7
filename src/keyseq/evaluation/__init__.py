"""Scores, each with the convention it was computed by."""
