"""Corpora as streams of documents."""
