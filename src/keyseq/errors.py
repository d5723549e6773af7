"""What a user can cause and can fix."""


class KeyseqError(Exception):
    """A mistake of the user's, told in one sentence: the place, the problem, the fix."""


class DataError(KeyseqError):
    """A corpus, a prediction file or a document that cannot be read as what it should be."""


class MissingExtraError(KeyseqError):
    """A verb whose optional libraries are not installed."""
