"""The networks that are part of the package, a folder each."""
