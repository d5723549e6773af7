"""The version of keyseq, as printed in every signature."""

__version__ = "0.2.0"
