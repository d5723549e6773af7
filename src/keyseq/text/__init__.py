"""Words with character offsets, stems, and whether a phrase is in a text."""
