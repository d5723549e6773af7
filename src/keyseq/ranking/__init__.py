"""Which of a document's candidates are its keyphrases: features, boosted trees, and how many to give."""
