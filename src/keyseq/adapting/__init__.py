"""Adapting: from documents with tags to a combined system of their own."""
