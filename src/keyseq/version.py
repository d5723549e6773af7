"""The version of keyseq, as printed in every signature."""

__version__ = "0.1.0"
