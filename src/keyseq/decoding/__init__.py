"""Decoding: from next-word probabilities to ranked phrases, by search, its policies and ranking."""
