"""From a name to a system."""

from keyseq.systems.registry import DEFAULT, SYSTEMS, load

__all__ = ["DEFAULT", "SYSTEMS", "load"]
