"""Keyphrases over HTTP: endpoints, a web page, and limits on what clients send."""
