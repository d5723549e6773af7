"""The systems of a server: loaded once, reconfigured for the options of each request."""

from collections.abc import Iterable, Mapping
from dataclasses import fields
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from keyseq.config.single import parse_override
from keyseq.errors import KeyseqError, nearest, shown
from keyseq.languages import find
from keyseq.serving.requests import Choice
from keyseq.serving.responses import SystemEntry, VocabularyEntry
from keyseq.systems import SYSTEMS, load
from keyseq.systems.hub import is_place
from keyseq.systems.registry import entry_of, reconfigured, settings_class
from keyseq.systems.selected import divided, selectable
from keyseq.text.analyzer import ENGLISH
from keyseq.text.selection import Selection
from keyseq.types import Document, Phrase, System
from keyseq.vocabularies.controlled_vocabulary import ControlledVocabulary

EXCLUSIVE = frozenset({"vocabulary", "allow"})  # settings of which a request has one at most
VARIANTS = 32  # reconfigured systems kept in a cache: an allow-list takes a while to prepare
# what scores mean, by the kind of system
SCORES = {
    "combined": "the estimated probability that an author would choose the phrase",
    "network": "the probability of the phrase under the network, by the chosen decoding and ranking",
}
RELATIVE = "relative to the other phrases of the same text"
SAMPLE = "Robots deliver parcels. People trust robots that keep their distance."


class ChoiceError(KeyseqError):
    """An option value that this server does not support; `place` is the name of the option."""

    def __init__(self, message: str, place: str) -> None:
        super().__init__(message)
        self.place = place


class Asked(NamedTuple):
    """A system and its settings, which the documents of a batch share."""

    system: str
    settings: tuple[tuple[str, Any], ...]


class LoadedSystems:
    """Loaded systems and vocabularies by the names that clients use; the first system is the default."""

    def __init__(
        self,
        names: Iterable[str | None] = (),
        vocabularies: Mapping[str, ControlledVocabulary] | None = None,
        overrides: Iterable[str] = (),
    ) -> None:
        self._loaded: dict[str, System] = {}
        self._settings: dict[str, type] = {}
        self._vocabularies = dict(vocabularies or {})
        chosen = (name for name, entry in SYSTEMS.built_in.items() if not entry.package)
        for name in names or [None, *chosen]:
            self._add(name)
        self._defaults = self._set(overrides)
        self._variant = lru_cache(VARIANTS)(self._vary)

    def _add(self, name: str | None) -> None:
        system = load(name)
        public = public_name(system.name)
        if public in self._loaded:
            if self._loaded[public].name == system.name:
                return
            raise KeyseqError(f"two systems have the public name '{public}'; rename one of the folders")
        system.predict([SAMPLE])  # warm-up: what is loaded on first use is loaded before the first request
        self._loaded[public], self._settings[public] = system, settings_class(name)
        if "vocabulary" in {field.name for field in fields(self._settings[public])}:
            for vocabulary in self._vocabularies.values():  # one without labels in the system's language is refused
                vocabulary.index(getattr(system, "analyzer", ENGLISH))

    def _set(self, overrides: Iterable[str]) -> dict[str, dict[str, Any]]:
        """The settings that this server gives its systems, from `system.key=value`; requests may replace them."""
        sections = {name: selectable(kind) for name, kind in self._settings.items()}
        found: dict[str, dict[str, Any]] = {name: {} for name in sections}
        for override in overrides:
            name, key, value = parse_override(override, sections)
            found[name][key] = value
        for name, settings in found.items():
            if settings:
                asked = self._with_vocabulary(settings)  # by its name, as in a request
                reconfigured(self._loaded[name], **asked).predict([SAMPLE])  # a bad value is an error of the start
        return found

    def loaded(self, name: str) -> System:
        """A system by its public name."""
        return self._loaded[name]

    def replace(self, name: str, system: System) -> None:
        """Replace a system; whatever is being predicted ends with the one before."""
        self._loaded[name] = system
        self._variant = lru_cache(VARIANTS)(self._vary)  # a new one: the other may still be given variants

    def entries(self) -> list[SystemEntry]:
        """The available systems."""
        default = next(iter(self._loaded))
        return [self._entry(name, default=name == default) for name in self._loaded]

    def vocabularies(self) -> list[VocabularyEntry]:
        """The available vocabularies."""
        return [
            VocabularyEntry(name=name, concepts=len(one), languages=one.languages)
            for name, one in self._vocabularies.items()
        ]

    def _entry(self, name: str, *, default: bool) -> SystemEntry:
        known = entry_of(self._loaded[name].name)
        takes = {field.name for kind in (self._settings[name], Selection) for field in fields(kind)}
        return SystemEntry(
            name=name,
            description=known.description,
            absent=known.absent,
            default=default,
            settings=[setting for setting in Choice.model_fields if setting in takes],
            # of those that requests know; others may be paths of this machine
            defaults={key: value for key, value in self._defaults[name].items() if key in Choice.model_fields},
            scores=SCORES.get("combined" if known.uses else known.kind, RELATIVE),
        )

    def resolve(self, name: str | None, settings: Mapping[str, Any]) -> tuple[Asked, Selection]:
        """The system and settings of a request; an unknown name or unsupported setting is a `ChoiceError`.

        The minimum score is applied afterwards: phrases are sorted by score, so requests that differ only in it can
        share a batch. With a vocabulary, the system applies its own minimum.
        """
        name = next(iter(self._loaded)) if name is None else name
        if name not in self._loaded:
            raise ChoiceError(f"unknown system '{shown(name)}'{nearest(name, self._loaded)}", "system")
        for setting in settings:
            try:
                divided(name, self._settings[name], {setting: settings[setting]})
                if setting == "language":
                    find(settings[setting])
            except KeyseqError as error:
                raise ChoiceError(str(error), setting) from None
        settings = {**self._kept_defaults(name, settings), **settings}
        concepts = getattr(self._loaded[name], "gives_concepts", False) or EXCLUSIVE & set(settings)
        if settings.get("also_new") and not concepts:
            raise ChoiceError("also_new adds phrases that a vocabulary lacks; name a vocabulary too", "also_new")
        asked = self._with_vocabulary(settings)
        if not concepts:
            asked.pop("min_score", None)
        return Asked(name, tuple(sorted(asked.items()))), Selection(min_score=settings.get("min_score", 0.0))

    def _kept_defaults(self, name: str, settings: Mapping[str, Any]) -> dict[str, Any]:
        """The settings that this server gives a system, without the vocabulary or list that a request replaces."""
        replaced = EXCLUSIVE if EXCLUSIVE & set(settings) else frozenset()
        return {key: value for key, value in self._defaults[name].items() if key not in replaced}

    def _with_vocabulary(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """The settings with the vocabulary that they name."""
        if set(settings) >= EXCLUSIVE:
            raise ChoiceError("allow and vocabulary exclude each other; leave one out", "allow")
        if "vocabulary" not in settings:
            return dict(settings)
        name = settings["vocabulary"]
        if name not in self._vocabularies:
            known = nearest(name, self._vocabularies) if self._vocabularies else "; this server has none"
            raise ChoiceError(f"unknown vocabulary '{shown(name)}'{known}", "vocabulary")
        return {**settings, "vocabulary": self._vocabularies[name]}

    def predict(self, asked: Asked, documents: list[Document]) -> list[list[Phrase]]:
        """The phrases of documents; thread-safe."""
        return self._variant(asked).predict(documents)

    def _vary(self, asked: Asked) -> System:
        return reconfigured(self._loaded[asked.system], **dict(asked.settings))


def public_name(name: str) -> str:
    """The name that clients see: the last part of a path, which does not reveal the folder."""
    return Path(name).resolve().name if is_place(name) else name
