"""The diversity of a network's phrases: decoder states and repeated words."""
