"""Three small documents whose numbers can be worked out by hand."""

from keyseq.retrieval.token_store import store_tokens
from keyseq.types import Document

DOCUMENTS = [
    Document(id="a", title="Green parks", body="The parks of large cities", keyphrases=("green parks", "Cities")),
    Document(id="b", body="Large cities grow", keyphrases=("cities", "urban growth")),
    Document(id="c", body="Birds nest in green parks", keyphrases=("Green Park", "birds", "green park")),
]


def stored(folder, documents=DOCUMENTS):
    return store_tokens(documents, folder)
