"""Clients of `keyseq serve`: keyphrases from another process or machine, with the types of the library."""

from keyseq.client.wire import ServedSystem, ServerError

__all__ = ["ServedSystem", "ServerError"]
