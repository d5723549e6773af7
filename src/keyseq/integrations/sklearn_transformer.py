"""A transformer of scikit-learn: texts to lists of keyphrases, as a step of a pipeline.

make_pipeline(KeyphraseTransformer(top=10), CountVectorizer(analyzer=list), LogisticRegression())
"""

from collections.abc import Iterable, Mapping
from typing import Any, Self

from keyseq.imports import require
from keyseq.systems.generating import generate
from keyseq.types import Document, each_document

require("sklearn", "sklearn")
from sklearn.base import BaseEstimator, TransformerMixin  # noqa: E402


class KeyphraseTransformer(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Turns each text into the list of its keyphrases, best first.

    `system` is that of `keyseq.load`, `top` the maximum number of phrases, `settings` are further settings. There is
    nothing to fit.
    """

    def __init__(
        self, system: str | None = None, *, top: int | None = None, settings: Mapping[str, Any] | None = None
    ) -> None:
        self.system, self.top, self.settings = system, top, settings

    def fit(self, X: Iterable[str | Document], y: object = None) -> Self:  # noqa: N803, ARG002
        """Check the settings; the texts are not looked at."""
        self._generate([])
        return self

    def transform(self, X: Iterable[str | Document]) -> list[list[str]]:  # noqa: N803
        """The keyphrases of each text."""
        return self._generate(X)

    def _generate(self, texts: Iterable[str | Document]) -> list[list[str]]:
        settings = {**(self.settings or {}), **({} if self.top is None else {"top": self.top})}
        return [phrases.texts for phrases in generate(list(each_document(texts)), self.system, **settings)]

    def __sklearn_is_fitted__(self) -> bool:
        return True
