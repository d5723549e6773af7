"""How many phrases a network generates and in which order, fitted to documents with keyphrases."""
