"""Reproduce the paper's tables and figures: missing networks are trained and decoded, existing ones reused."""
