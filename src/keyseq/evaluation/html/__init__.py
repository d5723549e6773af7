"""An HTML report in one self-contained file, readable without JavaScript."""
