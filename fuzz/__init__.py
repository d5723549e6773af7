"""Fuzzing: what takes bytes of strangers, and the cases that once broke it."""
