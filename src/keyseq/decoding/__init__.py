"""From a network's next-word probabilities to ranked phrases: search, its policies, and what follows it."""
