"""Predicted phrases in files and tables: read, written, and paired with their documents."""
