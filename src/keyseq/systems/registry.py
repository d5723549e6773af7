"""The systems that have a name, and how each is loaded."""

import importlib
from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, cast

from keyseq.errors import KeyseqError, nearest
from keyseq.systems.hub import is_place
from keyseq.types import System


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A system: what it is, and the class that makes it from its settings. A network is a folder of `pretrained`."""

    description: str
    absent: bool  # whether it can give phrases that the text does not contain
    module: str = "keyseq.systems.neural"
    system: str = "NeuralSystem"
    settings: str = "NeuralSettings"
    package: str = ""  # one that is not part of keyseq, and does the work

    @property
    def is_network(self) -> bool:
        """Whether it is a trained network rather than a method."""
        return self.system == "NeuralSystem"


SYSTEMS: dict[str, Entry] = {
    "scholar": Entry(
        description="a network for scholarly texts: phrases that they contain, and others that they mean",
        absent=True,
    ),
    "questions": Entry(
        description="a network for questions: tags, most of which they do not contain",
        absent=True,
    ),
    "tfidf": Entry(
        description="noun phrases whose words are frequent here and rare elsewhere",
        absent=False,
        module="keyseq.extractive.tfidf",
        system="TfIdf",
        settings="TfIdfSettings",
    ),
    "textrank": Entry(
        description="noun phrases whose words are central in the graph of their neighbourhood",
        absent=False,
        module="keyseq.extractive.textrank",
        system="TextRank",
        settings="TextRankSettings",
    ),
    "singlerank": Entry(
        description="noun phrases whose words often stand near other words",
        absent=False,
        module="keyseq.extractive.singlerank",
        system="SingleRank",
        settings="SingleRankSettings",
    ),
    "positionrank": Entry(
        description="noun phrases whose words stand early in the text and near other words",
        absent=False,
        module="keyseq.extractive.positionrank",
        system="PositionRank",
        settings="PositionRankSettings",
    ),
    "topicrank": Entry(
        description="one noun phrase for each topic that stands near other topics",
        absent=False,
        module="keyseq.extractive.topicrank",
        system="TopicRank",
        settings="TopicRankSettings",
    ),
    "multipartiterank": Entry(
        description="noun phrases that stand near those of other topics",
        absent=False,
        module="keyseq.extractive.multipartiterank",
        system="MultipartiteRank",
        settings="MultipartiteRankSettings",
    ),
    "firstphrases": Entry(
        description="the noun phrases with which the text begins",
        absent=False,
        module="keyseq.extractive.firstphrases",
        system="FirstPhrases",
        settings="FirstPhrasesSettings",
    ),
    "yake": Entry(
        description="phrases by the statistics of their words in this text; by the package yake",
        absent=False,
        module="keyseq.extractive.yake",
        system="Yake",
        settings="YakeSettings",
        package="yake",
    ),
    "keybert": Entry(
        description="phrases whose embedding is near that of the text; by the package keybert",
        absent=False,
        module="keyseq.extractive.keybert",
        system="KeyBert",
        settings="KeyBertSettings",
        package="keybert",
    ),
}

# Systems that must be trained first, and are then loaded from their folder
TRAINABLE: dict[str, Entry] = {
    "kea": Entry(
        description="noun phrases that are frequent, rare elsewhere and early, each weighed as it was learnt",
        absent=False,
        module="keyseq.extractive.kea",
        system="Kea",
        settings="KeaSettings",
    ),
    "maui": Entry(
        description="phrases by decision trees, or terms of a vocabulary: what was given to others counts too",
        absent=True,
        module="keyseq.extractive.maui",
        system="Maui",
        settings="MauiSettings",
    ),
}

DEFAULT = "scholar"


def load(name: str | None = None, **settings: Any) -> System:  # noqa: ANN401  # fields of the system's settings
    """Load a system by its name: `keyseq.load("tfidf", top=5)`; without one, the best that there is.

    The folder of an exported network or of a trained ranker is a name too, and so is a network's hub id.
    """
    name = DEFAULT if name is None else name
    kind = settings_class(name)
    _check(name, kind, settings)
    if name not in SYSTEMS and (trained := _trained(name)):
        return _trained_ranker(name, trained, settings)
    if name not in SYSTEMS or SYSTEMS[name].is_network:
        from keyseq.systems.neural import NeuralSystem

        return NeuralSystem.from_pretrained(name, **settings)
    entry = SYSTEMS[name]
    return cast(System, getattr(importlib.import_module(entry.module), entry.system)(kind(**settings)))


def settings_class(name: str | None = None) -> type:
    """The class whose fields are the settings of a system, which is named as for `load`."""
    name = DEFAULT if name is None else name
    if name in SYSTEMS:
        entry = SYSTEMS[name]
        return cast(type, getattr(importlib.import_module(entry.module), entry.settings))
    if is_place(name):
        if _trained(name):
            from keyseq.extractive.trained import RankerSettings

            return RankerSettings
        from keyseq.systems.neural import NeuralSettings

        return NeuralSettings
    if name in TRAINABLE:
        raise KeyseqError(f"{name} must be trained (keyseq train {name} --help); then name its folder")
    raise KeyseqError(f"unknown system '{name}'{nearest(name, SYSTEMS)}")


def entry_of(name: str) -> Entry | None:
    """What is known of a system by its name or, if it was trained by keyseq train, by its folder."""
    if name in SYSTEMS:
        return SYSTEMS[name]
    trained = _trained(name)
    return TRAINABLE[trained] if trained else None


def trainer(name: str) -> Any:  # noqa: ANN401  # a module
    """The module of a system that must be trained, with its `train`."""
    return importlib.import_module(TRAINABLE[name].module)


def _trained(name: str) -> str | None:
    """The system of a folder that holds a trained ranker."""
    folder = Path(name).expanduser()
    if not folder.is_dir():
        return None
    from keyseq.extractive.trained import trained_system

    return trained_system(folder, TRAINABLE)


def _trained_ranker(name: str, system: str, settings: dict[str, Any]) -> System:
    entry = TRAINABLE[system]
    ranker = getattr(importlib.import_module(entry.module), entry.system).load(Path(name).expanduser())
    ranker.name = name
    return cast(System, ranker.with_settings(**settings))


def _check(name: str, kind: Any, settings: Iterable[str]) -> None:  # noqa: ANN401  # a class of settings
    known = [field.name for field in fields(kind)]
    for setting in settings:
        if setting not in known:
            raise KeyseqError(f"{name} has no setting '{setting}'{nearest(setting, known)}")
