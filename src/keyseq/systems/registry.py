"""The systems that have a name, and how any system is found: by its name, its folder or its hub id."""

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from keyseq.errors import KeyseqError, nearest
from keyseq.plugins import Table
from keyseq.systems.hub import is_place
from keyseq.systems.kinds import KINDS, kind_of
from keyseq.systems.selected import Adjustable, divided, selected
from keyseq.types import System


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A system that has a name. One of kind "network" is a folder of `pretrained`; the others are made of classes."""

    description: str
    absent: bool  # whether it can give phrases that the text does not contain
    kind: str = "method"  # a key of `KINDS`
    module: str = ""
    system: str = ""  # its class, in `module`
    settings: str = ""  # the class of its settings, in `module`
    package: str = ""  # one that is not part of keyseq, and does the work
    options: tuple[str, ...] = ()  # options of keyseq train that its kind does not take, but it does

    def reference(self, attribute: str) -> Any:
        """Import what `system` or `settings` names."""
        return referred(f"{self.module}:{getattr(self, attribute)}")

    def trainer(self) -> Any:
        """The function `train` of its module: (documents, settings, track=…) -> a ranker."""
        return referred(f"{self.module}:train")


SYSTEMS = Table(
    "keyseq.systems",
    Entry,
    {
        "auto": Entry(
            description="each text by the system for its kind: scholar, questions, news or general",
            absent=True,
            module="keyseq.systems.auto",
            system="AutoSystem",
            settings="CombinedSettings",
        ),
        "scholar": Entry(
            description="scholarly texts: phrases that they contain, and others that they imply",
            absent=True,
            kind="combined",
        ),
        "questions": Entry(
            description="questions: tags, most of which they do not contain",
            absent=True,
            kind="combined",
        ),
        "general": Entry(
            description="other English texts: web pages, documentation, blogs",
            absent=True,
            kind="combined",
        ),
        "news": Entry(
            description="English news",
            absent=True,
            kind="combined",
        ),
        "scholar-network": Entry(
            description="the network of scholar alone, with the paper's decodings",
            absent=True,
            kind="network",
        ),
        "questions-network": Entry(
            description="the network of questions, with the paper's decodings",
            absent=True,
            kind="network",
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
    },
)

# Systems that must be trained first, and are then loaded from their folder
TRAINABLE: dict[str, Entry] = {
    "kea": Entry(
        description="noun phrases that are frequent, rare elsewhere and early, each weighed as it was learnt",
        absent=False,
        kind="ranker",
        module="keyseq.extractive.kea",
        system="Kea",
        settings="KeaSettings",
    ),
    "maui": Entry(
        description="phrases by decision trees, or terms of a vocabulary: what was given to others counts too",
        absent=True,
        kind="ranker",
        module="keyseq.extractive.maui",
        system="Maui",
        settings="MauiSettings",
        options=("vocabulary",),
    ),
    "combined": Entry(
        description="candidates of the text, of known keyphrases and of a network, ranked by one probability",
        absent=True,
        kind="combined",
    ),
}

DEFAULT = "auto"


def load(name: str | None = None, **settings: Any) -> System:
    """Load a system by its name: `keyseq.load("tfidf", top=5)`; without one, the best that there is.

    The folder of a system that was trained is a name too, and so is a network's hub id.
    """
    name = DEFAULT if name is None else name
    kind = KINDS[kind_named(name)]
    own, selection = divided(name, settings_class(name), settings)
    return selected(cast(System, referred(kind.load)(name, own)), selection)


def reconfigured(system: System, **settings: Any) -> System:
    """A loaded system under other settings; what it has learnt is shared, not read again."""
    own, selection = divided(system.name, settings_class(system.name), settings)
    if not isinstance(system, Adjustable):
        return load(system.name, **settings)
    return selected(system.with_settings(**own), selection)


def load_method(name: str, settings: Mapping[str, Any]) -> System:
    """Make a system that needs no training."""
    entry = SYSTEMS[name]
    return cast(System, entry.reference("system")(entry.reference("settings")(**settings)))


def kind_named(name: str) -> str:
    """The kind of a system, a key of `KINDS`; a name that means nothing is refused."""
    if name in SYSTEMS.built_in:
        return SYSTEMS[name].kind
    if is_place(name):
        folder = Path(name).expanduser()
        return kind_of(folder) if folder.is_dir() else "network"  # those of the hub are networks
    if name in TRAINABLE:
        raise KeyseqError(f"{name} must be trained (keyseq train {name} --help); then name its folder")
    if name not in SYSTEMS:
        raise KeyseqError(f"unknown system '{name}'{nearest(name, SYSTEMS)}")
    return SYSTEMS[name].kind


def settings_class(name: str | None = None) -> type:
    """The class whose fields are the settings of a system, which is named as for `load`."""
    name = DEFAULT if name is None else name
    kind = KINDS[kind_named(name)]
    return cast(type, referred(kind.settings) if kind.settings else SYSTEMS[name].reference("settings"))


def entry_of(name: str) -> Entry:
    """What is known of a system, which is named as for `load`."""
    kind = kind_named(name)
    if name in SYSTEMS.built_in or not is_place(name):
        return SYSTEMS[name]
    if KINDS[kind].describe:
        return cast(Entry, referred(KINDS[kind].describe)(Path(name).expanduser()))
    return Entry(description=KINDS[kind].description, absent=KINDS[kind].absent, kind=kind)


def referred(reference: str) -> Any:
    """Import what `module:name` refers to."""
    module, _, name = reference.partition(":")
    return getattr(importlib.import_module(module), name)
