"""Systems by name: loading, kinds and training."""

from keyseq.systems.registry import DEFAULT, SYSTEMS, Entry, load

__all__ = ["DEFAULT", "SYSTEMS", "Entry", "load"]
