"""A pipeline component of spaCy: `nlp.add_pipe("keyseq")`, then `doc._.keyphrases`.

spaCy finds it by its entry point, so that nothing has to be imported. The spans of phrases that the text contains are
`doc.spans["keyseq"]`.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from keyseq.data.parallel import chunked
from keyseq.imports import require
from keyseq.systems.generating import generate
from keyseq.types import Evidence, Phrase

require("spacy", "spacy")
from spacy.language import Language  # noqa: E402
from spacy.tokens import Doc  # noqa: E402

if TYPE_CHECKING:
    from spacy.tokens import Span

NAME = "keyseq"  # of the component, of its spans, and of what it stores in a document
BATCH = 64


class KeyphraseComponent:
    """Adds keyphrases to documents; a pipeline with it can be pickled, saved and run by several processes."""

    def __init__(self, system: str | None, settings: Mapping[str, Any]) -> None:
        self._system, self._settings = system, dict(settings)
        generate([], system, **self._settings)  # an unknown system or setting is reported when the pipeline is made

    def __call__(self, doc: Doc) -> Doc:
        """Process one document."""
        return next(self.pipe([doc]))

    def pipe(self, stream: Iterable[Doc], batch_size: int = BATCH) -> Iterator[Doc]:
        """Process documents in batches."""
        for docs in chunked(stream, batch_size):
            found = generate([doc.text for doc in docs], self._system, **self._settings)
            for doc, phrases in zip(docs, found, strict=True):
                # plain values, since spaCy sends documents between processes, and stores them, without pickle
                doc.user_data[NAME] = [asdict(phrase) for phrase in phrases]
                doc.spans[NAME] = [span for phrase in phrases for span in _spans(doc, phrase)]
                yield doc


def _spans(doc: Doc, phrase: Phrase) -> "list[Span]":
    found = (doc.char_span(*place, label="KEYPHRASE", alignment_mode="expand") for place in phrase.spans)
    return [span for span in found if span is not None]


def _keyphrases(doc: Doc) -> list[Phrase]:
    return [_phrase(stored) for stored in doc.user_data.get(NAME, ())]


def _phrase(stored: Mapping[str, Any]) -> Phrase:
    """A phrase from plain values, in which tuples may have become lists."""
    told: dict[str, Any] = {
        name: tuple(one) if isinstance(one, list) else one for name, one in (stored["evidence"] or {}).items()
    }
    spans = tuple((start, end) for start, end in stored["spans"])
    return Phrase(**{**stored, "evidence": Evidence(**told) if told else None, "spans": spans})


@Language.factory(NAME, default_config={"system": None, "settings": {}}, assigns=["doc._.keyphrases"])
def make_component(nlp: Language, name: str, system: str | None, settings: dict[str, Any]) -> KeyphraseComponent:  # noqa: ARG001
    """The component of a pipeline: `system` and `settings` are those of `keyseq.load`."""
    return KeyphraseComponent(system, settings)


Doc.set_extension("keyphrases", getter=_keyphrases, force=True)
