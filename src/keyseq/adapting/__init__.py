"""Adapt the systems of the package to documents of your own."""
