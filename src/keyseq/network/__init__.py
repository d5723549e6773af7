"""The sequence-to-sequence network of the paper, one file per component."""
