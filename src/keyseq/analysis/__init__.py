"""How diverse a network's phrases are: its decoder's states, and the words that it repeats."""
