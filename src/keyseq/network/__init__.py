"""The sequence-to-sequence network of the paper, a file per noun of its equations."""
