"""Extractive systems, which rank phrases of the text; one file per method."""
