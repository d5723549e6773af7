"""From a name to a system."""
