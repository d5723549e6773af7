"""Controlled vocabularies: concepts and their labels, read from SKOS, tables and lists, and found in texts."""
