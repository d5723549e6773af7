"""From a name to a system."""

from keyseq.systems.registry import DEFAULT, SYSTEMS, Entry, load

__all__ = ["DEFAULT", "SYSTEMS", "Entry", "load"]
