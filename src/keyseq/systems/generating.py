"""`keyseq.generate`: the keyphrases of texts in one call."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, overload

from keyseq.errors import KeyseqError, named_value
from keyseq.systems.language_systems import remark
from keyseq.systems.registry import DEFAULT, load, reconfigured
from keyseq.systems.reloading import reloaded
from keyseq.types import Document, Phrase, System, as_documents

Chosen = System | str | Path | None


class Keyphrases(list[Phrase]):
    """The phrases of one document, best first; a notebook shows them highlighted in the text, with the evidence."""

    def __init__(self, document: Document | str, phrases: Iterable[Phrase]) -> None:
        super().__init__(phrases)
        self.document = Document(id="1", body=document) if isinstance(document, str) else document

    def __reduce__(self) -> tuple[Any, ...]:
        return Keyphrases, (self.document, list(self))

    @property
    def texts(self) -> list[str]:
        """The phrases as strings."""
        return [phrase.text for phrase in self]

    @property
    def language(self) -> str:
        """The code of the language in which the text was read; empty if there is no phrase, or it is unknown."""
        return self[0].evidence.language if self and self[0].evidence else ""

    @property
    def language_confidence(self) -> float | None:
        """The confidence of the default system in the language that it detected, from 0 to 1."""
        return self[0].evidence.language_confidence if self and self[0].evidence else None

    @property
    def note(self) -> str:
        """A remark on the answer, such as that no system is trained for the language; usually empty."""
        return remark(self.system, self.language) if self.system else ""

    @property
    def system(self) -> str:
        """The system that answered; empty as `language`."""
        return self[0].evidence.system if self and self[0].evidence else ""

    def _repr_html_(self) -> str:
        from keyseq.evaluation.html.notebook import phrases_fragment

        return phrases_fragment(self.document, self)


@overload
def generate(texts: str | Document, system: Chosen = None, **settings: Any) -> Keyphrases: ...
@overload
def generate(texts: Iterable[str | Document], system: Chosen = None, **settings: Any) -> list[Keyphrases]: ...
def generate(
    texts: str | Document | Iterable[str | Document], system: Chosen = None, **settings: Any
) -> Keyphrases | list[Keyphrases]:
    """The keyphrases of a text, or of each of several texts.

    `system` is a loaded system, or its name or folder as for `keyseq.load`; by default, the default system. Settings
    are those of the system: `keyseq.generate(text, top=5)`. Systems are loaded once.
    """
    chosen = _system(system, settings)
    if isinstance(texts, str | Document):
        return _keyphrases(chosen, as_documents([texts]))[0]
    return _keyphrases(chosen, as_documents(texts))


def _keyphrases(system: System, documents: Sequence[Document]) -> list[Keyphrases]:
    return [Keyphrases(one, phrases) for one, phrases in zip(documents, system.predict(documents), strict=True)]


def _system(system: Chosen, settings: Mapping[str, Any]) -> System:
    if system is None or isinstance(system, str | Path):
        name = DEFAULT if system is None else str(system.resolve() if isinstance(system, Path) else system)
        try:
            return reloaded(name, tuple(sorted(settings.items())))
        except TypeError:  # a setting that cannot be the key of a cache, such as a list
            return load(name, **settings)
    if not isinstance(system, System):
        raise KeyseqError(f"a system is a name, a folder or one that is loaded, not {named_value(system)}")
    return reconfigured(system, **settings) if settings else system
