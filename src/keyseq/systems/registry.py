"""The registry of named systems, and how systems are loaded by name, folder or hub id."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from keyseq.errors import KeyseqError, named_value, nearest
from keyseq.imports import referred as referred
from keyseq.plugins import Table
from keyseq.systems.hub import is_place, locate, system_folder
from keyseq.systems.kinds import KINDS, kind_of
from keyseq.systems.selected import Adjustable, divided, selected
from keyseq.types import System

if TYPE_CHECKING:
    from keyseq.text.analyzer import Analyzer


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A named system: a folder of `pretrained`, or the classes of a method."""

    description: str
    absent: bool  # whether it can predict absent keyphrases
    kind: str = "method"  # a key of `KINDS`
    module: str = ""
    system: str = ""  # its class, in `module`
    settings: str = ""  # the class of its settings, in `module`
    package: str = ""  # the third-party package that implements it
    options: tuple[str, ...] = ()  # options of keyseq train that are specific to it
    uses: tuple[str, ...] = ()  # systems that it delegates to

    def reference(self, attribute: str) -> Any:
        """Import the class that `system` or `settings` names."""
        return referred(f"{self.module}:{getattr(self, attribute)}")

    def trainer(self) -> Any:
        """The function `train` of its module: (documents, settings, track=…) -> a ranker."""
        return referred(f"{self.module}:train")


SYSTEMS = Table(
    "keyseq.systems",
    Entry,
    {
        "auto": Entry(
            description="each text by the system for its language and kind: scholar, questions, news, general, …",
            absent=True,
            module="keyseq.systems.auto",
            system="AutoSystem",
            settings="CombinedSettings",
            uses=(
                *("scholar", "questions", "news", "general"),
                *("french", "russian", "finnish", "chinese", "multilingual"),
            ),
        ),
        "scholar": Entry(
            description="scholarly texts: present and absent keyphrases",
            absent=True,
            kind="combined",
        ),
        "questions": Entry(
            description="questions: tags, most of them absent from the text",
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
        "french": Entry(
            description="French scholarly texts: present and absent keyphrases",
            absent=True,
            kind="combined",
        ),
        "russian": Entry(
            description="Russian news: present and absent keyphrases",
            absent=True,
            kind="combined",
        ),
        "finnish": Entry(
            description="Finnish questions: subjects, present and absent",
            absent=True,
            kind="combined",
        ),
        "chinese": Entry(
            description="Chinese scholarly texts",
            absent=True,
            kind="combined",
        ),
        "multilingual": Entry(
            description="texts in any language, by one ranker that knows none",
            absent=False,
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
            description="noun phrases by TF×IDF of their words",
            absent=False,
            module="keyseq.extractive.tfidf",
            system="TfIdf",
            settings="TfIdfSettings",
        ),
        "textrank": Entry(
            description="noun phrases by PageRank of their words in the co-occurrence graph",
            absent=False,
            module="keyseq.extractive.textrank",
            system="TextRank",
            settings="TextRankSettings",
        ),
        "singlerank": Entry(
            description="textrank with edges weighted by the number of co-occurrences",
            absent=False,
            module="keyseq.extractive.singlerank",
            system="SingleRank",
            settings="SingleRankSettings",
        ),
        "positionrank": Entry(
            description="singlerank with restarts biased to early words",
            absent=False,
            module="keyseq.extractive.positionrank",
            system="PositionRank",
            settings="PositionRankSettings",
        ),
        "topicrank": Entry(
            description="one noun phrase per topic, topics by PageRank",
            absent=False,
            module="keyseq.extractive.topicrank",
            system="TopicRank",
            settings="TopicRankSettings",
        ),
        "multipartiterank": Entry(
            description="noun phrases by PageRank in a graph across topics",
            absent=False,
            module="keyseq.extractive.multipartiterank",
            system="MultipartiteRank",
            settings="MultipartiteRankSettings",
        ),
        "firstphrases": Entry(
            description="the first noun phrases of the text",
            absent=False,
            module="keyseq.extractive.firstphrases",
            system="FirstPhrases",
            settings="FirstPhrasesSettings",
        ),
        "yake": Entry(
            description="phrases by statistics of their words in the text; by the package yake",
            absent=False,
            module="keyseq.extractive.yake",
            system="Yake",
            settings="YakeSettings",
            package="yake",
        ),
        "keybert": Entry(
            description="phrases whose embedding is similar to that of the text; by the package keybert",
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
        description="noun phrases by naive Bayes over TF×IDF and first position",
        absent=False,
        kind="ranker",
        module="keyseq.extractive.kea",
        system="Kea",
        settings="KeaSettings",
    ),
    "maui": Entry(
        description="phrases, or terms of a vocabulary, by bagged decision trees over nine features",
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


def load(name: str | Path | None = None, **settings: Any) -> System:
    """Load a system by name: `keyseq.load("tfidf", top=5)`; without a name, the default system.

    The name may also be the folder of a trained system, or the hub id of a network.
    """
    name = DEFAULT if name is None else _named(name)
    kind = KINDS[kind_named(name)]
    accepted, selection = divided(name, settings_class(name), settings)
    return selected(cast(System, referred(kind.load)(name, accepted)), selection)


def _named(name: str | Path) -> str:
    """The name of a system, or its folder, which as a path is never taken for a name."""
    if name == "":
        raise KeyseqError("the name of the system is empty; keyseq systems lists the names")
    if isinstance(name, Path):
        return str(name) if is_place(str(name)) and str(name) not in SYSTEMS.built_in else f"./{name}"
    if not isinstance(name, str):
        raise KeyseqError(f"a system is loaded by its name or its folder, not by {named_value(name)}")
    return name


def reconfigured(system: System, **settings: Any) -> System:
    """A loaded system under other settings; its parameters are shared, not loaded again."""
    accepted, selection = divided(system.name, settings_class(system.name), settings)
    if not isinstance(system, Adjustable):
        return load(system.name, **settings)
    return selected(system.with_settings(**accepted), selection)


def load_method(name: str, settings: Mapping[str, Any]) -> System:
    """Construct a system that needs no training."""
    entry = SYSTEMS[name]
    return cast(System, entry.reference("system")(entry.reference("settings")(**settings)))


def kind_named(name: str) -> str:
    """The kind of a system, a key of `KINDS`; an unknown name is refused."""
    if name in SYSTEMS.built_in:
        return SYSTEMS[name].kind
    if is_place(name):
        folder = system_folder(Path(name).expanduser())
        return kind_of(folder) if folder.is_dir() else "network"  # those of the hub are networks
    if name in TRAINABLE:
        raise KeyseqError(f"{name} must be trained first (keyseq train {name} --help); then use its folder as the name")
    if name not in SYSTEMS:
        raise KeyseqError(f"unknown system '{name}'{nearest(name, SYSTEMS)}")
    return SYSTEMS[name].kind


def settings_class(name: str | None = None) -> type:
    """The class of the settings of a system, named as for `load`."""
    name = DEFAULT if name is None else name
    kind = KINDS[kind_named(name)]
    return cast(type, referred(kind.settings) if kind.settings else SYSTEMS[name].reference("settings"))


def systems_with(setting: str) -> list[str]:
    """The names of the systems of keyseq that have a setting."""
    return [name for name in SYSTEMS.built_in if any(field.name == setting for field in fields(settings_class(name)))]


def analyzer_of(name: str | None = None) -> "Analyzer":
    """The analyzer of the language of a system, named as for `load`."""
    from keyseq.text.analyzer import ENGLISH, Analyzer  # not needed to list systems

    name = DEFAULT if name is None else name
    kind = KINDS[kind_named(name)]
    return cast(Analyzer, referred(kind.analyzer)(locate(name).folder)) if kind.analyzer else ENGLISH


def entry_of(name: str) -> Entry:
    """The entry of a system, named as for `load`."""
    kind = kind_named(name)
    if name in SYSTEMS.built_in or not is_place(name):
        return SYSTEMS[name]
    if KINDS[kind].describe:
        return cast(Entry, referred(KINDS[kind].describe)(Path(name).expanduser()))
    return Entry(description=KINDS[kind].description, absent=KINDS[kind].absent, kind=kind)
