"""A report that a browser shows: one file, no script needed, nothing fetched."""
