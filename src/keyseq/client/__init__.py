"""Clients of `keyseq serve`: keyphrases from another process or machine, with the types of the library."""
