"""Keyphrases over HTTP: an endpoint, a page, and the limits that keep both answering."""
