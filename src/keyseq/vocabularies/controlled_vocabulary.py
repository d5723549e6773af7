"""A controlled vocabulary as flat arrays: concepts by number, their labels, and how they are related."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keyseq.errors import KeyseqError
from keyseq.languages import LANGUAGES
from keyseq.text.analyzer import Analyzer
from keyseq.vocabularies.comparable import label_forms
from keyseq.vocabularies.concept import PREFERRED, ConceptLabel
from keyseq.vocabularies.label_index import LabelIndex
from keyseq.vocabularies.text_table import TextTable

Numbers = NDArray[np.uint32]
MEMO_SIZE = 200_000


@dataclass(frozen=True, kw_only=True, eq=False)
class ControlledVocabulary:
    """C concepts with L labels and R relations, all sorted by concept, preferred labels first.

    The labels of concept c are those from `label_offsets[c]` to `label_offsets[c + 1]`; the concepts that it is related
    to lie in `relations` from `relation_offsets[c]` to `relation_offsets[c + 1]`. Relations stand in both directions.
    """

    uris: TextTable  # (C,) empty where a concept has none
    labels: TextTable  # (L,)
    label_offsets: Numbers  # (C + 1,)
    label_kinds: NDArray[np.uint8]  # (L,)
    label_languages: NDArray[np.uint8]  # (L,) numbers of `codes`
    codes: tuple[str, ...]  # languages of labels; an empty one for labels without a language
    relation_offsets: Numbers  # (C + 1,)
    relation_kinds: NDArray[np.uint8]  # (R,)
    relations: Numbers  # (R,)
    name: str = "vocabulary"
    remarks: tuple[str, ...] = ()  # what is wrong with the file it was read from, but does no harm
    indexes: Mapping[str, LabelIndex] = field(default_factory=dict)  # by language, as far as they were made beforehand

    def __len__(self) -> int:
        return len(self.uris)

    def __repr__(self) -> str:
        return f"<ControlledVocabulary {self.name}: {len(self):,} concepts, {len(self.labels):,} labels>"

    @cached_property
    def label_concepts(self) -> Numbers:
        """The concept of each label (L,)."""
        return np.repeat(np.arange(len(self), dtype=np.uint32), self.label_offsets[1:] - self.label_offsets[:-1])

    @cached_property
    def languages(self) -> dict[str, int]:
        """How many labels there are in each language; those without a language are counted under an empty code."""
        counts = np.bincount(self.label_languages, minlength=len(self.codes)).tolist()
        return {
            code: count for code, count in Counter(dict(zip(self.codes, counts, strict=True))).most_common() if count
        }

    def label(self, number: int) -> ConceptLabel:
        """A label by its number."""
        return ConceptLabel(
            self.labels[number], int(self.label_kinds[number]), self.codes[self.label_languages[number]]
        )

    def labels_of(self, concept: int, language: str) -> list[int]:
        """The numbers of a concept's labels in a language, and of those without one, preferred labels first."""
        numbers = range(int(self.label_offsets[concept]), int(self.label_offsets[concept + 1]))
        return [number for number in numbers if self.codes[self.label_languages[number]] in (language, "")]

    def preferred(self, concept: int, language: str) -> str:
        """The label under which a concept is shown: its preferred one in a language, or else its first in any."""
        numbers = [*self.labels_of(concept, language), int(self.label_offsets[concept])]
        return self.labels[min(numbers, key=lambda number: self.label_kinds[number] != PREFERRED)]

    def related(self, concept: int) -> tuple[NDArray[np.uint8], Numbers]:
        """The kinds of a concept's relations, and the concepts at their other ends."""
        own = slice(int(self.relation_offsets[concept]), int(self.relation_offsets[concept + 1]))
        return self.relation_kinds[own], self.relations[own]

    def concept_of(self, uri: str) -> int | None:
        """The number of the concept that has a URI."""
        return self._by_uri.get(uri)

    @cached_property
    def _by_uri(self) -> dict[str, int]:
        return {uri: number for number, uri in enumerate(self.uris) if uri}

    def index(self, analyzer: Analyzer) -> LabelIndex:
        """The labels in the language of an analyzer, ready to be found; refused where there are none."""
        language = analyzer.language
        if language not in self._indexes:
            self._indexes[language] = LabelIndex.of(self._in_language(language), analyzer.light)
        return self._indexes[language]

    @cached_property
    def _indexes(self) -> dict[str, LabelIndex]:
        return dict(self.indexes)

    def _in_language(self, language: str) -> Iterable[tuple[int, str]]:
        wanted = [number for number, code in enumerate(self.codes) if code in (language, "")]
        kept = np.isin(self.label_languages, wanted)
        if not kept.any():
            known = ", ".join(f"{code} ({count:,})" for code, count in self.languages.items())
            asked = f"{LANGUAGES[language].name} ({language})"
            raise KeyseqError(
                f"{self.name}: none of its labels is in {asked}, the language of the texts; they are in {known}"
            )
        return ((number, text) for number, text in enumerate(self.labels) if kept[number])

    def forms(self, label: int, light: Analyzer) -> list[list[str]]:
        """The stems by which a label is found, remembered: texts of one field have the same labels again and again."""
        key = (light.stemmer, label)
        if key not in self._forms:
            if len(self._forms) >= MEMO_SIZE:
                self._forms.clear()
            self._forms[key] = label_forms(self.labels[label], light)
        return self._forms[key]

    @cached_property
    def _forms(self) -> dict[tuple[str, int], list[list[str]]]:
        return {}

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All but name and remarks, by the names of the arrays."""
        tables = {"uris": self.uris, "labels": self.labels, "codes": TextTable.of(self.codes)}
        texts = {f"{name}.{part}": getattr(table, part) for name, table in tables.items() for part in _TEXT_PARTS}
        numbers = {name: getattr(self, name) for name in _NUMBERS}
        indexes = {
            f"index.{language}.{name}": array
            for language, index in self._indexes.items()
            for name, array in index.arrays().items()
        }
        return texts | numbers | indexes

    @classmethod
    def from_arrays(cls, named: Mapping[str, NDArray[Any]], name: str) -> "ControlledVocabulary":
        """Rebuild what `arrays` gave; KeyError, TypeError or ValueError if these are others."""
        texts = {table: TextTable(*(named[f"{table}.{part}"] for part in _TEXT_PARTS)) for table in _TEXTS}
        languages = {key.split(".")[1] for key in named if key.startswith("index.")}
        indexes = {
            language: LabelIndex.from_arrays(
                {key.split(".")[2]: array for key, array in named.items() if key.startswith(f"index.{language}.")}
            )
            for language in languages
        }
        numbers: dict[str, Any] = {key: named[key] for key in _NUMBERS}
        made = cls(
            uris=texts["uris"],
            labels=texts["labels"],
            codes=tuple(texts["codes"]),
            name=name,
            indexes=indexes,
            **numbers,
        )
        made.check()
        return made

    def check(self) -> None:
        """ValueError unless all parts fit together."""
        concepts, labels, relations = len(self), len(self.labels), len(self.relations)
        self.uris.check(concepts)
        self.labels.check(labels)
        sound = (
            _cut(self.label_offsets, concepts, labels)
            and _cut(self.relation_offsets, concepts, relations)
            and len(self.label_kinds) == len(self.label_languages) == labels
            and len(self.relation_kinds) == relations
            and self.relations.max(initial=0) < max(1, concepts)
            and self.label_languages.max(initial=0) < max(1, len(self.codes))
            and all(index.labels.max(initial=0) < max(1, labels) for index in self.indexes.values())
        )
        if not sound:
            raise ValueError("a vocabulary whose parts do not fit together")


_TEXTS = ("uris", "labels", "codes")
_TEXT_PARTS = ("content", "offsets")
_NUMBERS = ("label_offsets", "label_kinds", "label_languages", "relation_offsets", "relation_kinds", "relations")


def _cut(offsets: Numbers, parts: int, total: int) -> bool:
    """Whether offsets split a given number of items into a given number of parts."""
    ascending = (np.diff(offsets.astype(np.int64)) >= 0).all()
    return len(offsets) == parts + 1 and offsets[0] == 0 and offsets[-1] == total and bool(ascending)
