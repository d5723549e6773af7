"""Fit a network: validated, stopped early, resumed exactly."""
