"""The kinds of system: how the folder of each is recognised, loaded, described and trained, in one table."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from keyseq.errors import KeyseqError


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """The properties of a kind of system. References are `module:name`, imported on use."""

    description: str  # of systems without a more specific one
    absent: bool  # whether it can predict absent keyphrases
    mark: str = ""  # the file that identifies a folder of this kind; empty if the kind has no folders
    load: str = ""  # reference to (name, settings) -> System, where `name` is that of a system, a folder or a hub id
    settings: str = ""  # reference to the class of the settings of a loaded system
    describe: str = ""  # reference to (folder) -> Entry; by default, folders are described by their kind
    uses: str = ""  # reference to (folder) -> names of systems outside the folder that it depends on
    network: str = ""  # reference to (name, folder) -> name or folder of its network; empty if it has none
    train: str = ""  # reference to (TrainingJob) -> TrainingOutcome; see `keyseq.systems.training_job`
    options: tuple[str, ...] = ()  # options of keyseq train that are specific to this kind
    section: str = ""  # of the settings of a training that hold the language; by default, the name of the system
    analyzer: str = ""  # reference to (folder) -> Analyzer of the system's language; by default, that of English
    decodes: bool = False  # whether it has decodings
    learns: bool = False  # whether it can be adapted to a corpus, and learn from feedback
    measured: Mapping[str, Any] = field(default_factory=dict)  # its settings in experiments
    revision: int = 1  # to be incremented when code changes alter the phrases of the same folder or method


ENOUGH = 50  # phrases of a ranking: more than the gold phrases of any document, so that @O is not truncated

KINDS: dict[str, Kind] = {
    "network": Kind(
        description="a network that generates present and absent phrases",
        absent=True,
        mark="encoder.onnx",
        load="keyseq.systems.networks:load_network",
        settings="keyseq.systems.neural_settings:NeuralSettings",
        network="keyseq.systems.networks:same_network",
        train="keyseq.systems.networks:train_network",
        options=("from", "new-words", "vectors", "titles", "corpus", "processes", "threads"),
        section="target",
        decodes=True,
        # as published: truncated source, phrases merged by words, in the order of the sequences
        measured={"cut": True, "exact": True, "ranking": "sequence"},
    ),
    "ranker": Kind(
        description="a supervised ranker, trained on documents with keyphrases",
        absent=False,
        mark="ranker.toml",
        load="keyseq.systems.rankers:load_ranker",
        settings="keyseq.extractive.trained:RankerSettings",
        describe="keyseq.systems.rankers:describe_ranker",
        train="keyseq.systems.rankers:train_ranker",
        measured={"top": ENOUGH},
    ),
    "combined": Kind(
        description="candidates of the text, of known keyphrases and of a network, ranked by one probability",
        absent=True,
        mark="combined.toml",
        load="keyseq.systems.combined:load_combined",
        settings="keyseq.systems.combined_settings:CombinedSettings",
        uses="keyseq.systems.combined:used_systems",
        network="keyseq.systems.networks:combined_network",
        train="keyseq.systems.combined_training:train_combined",
        options=("network",),
        analyzer="keyseq.systems.combined:read_analyzer",
        learns=True,
        revision=3,  # phrases are written as nouns; more of them by default
    ),
    "merged": Kind(
        description="what a network generates, extracts and retrieves, merged as published",
        absent=True,
        mark="merged.toml",
        load="keyseq.systems.merged:load_merged",
        settings="keyseq.systems.merged:MergedSettings",
        network="keyseq.systems.merged:merged_network",
        measured={"top": ENOUGH},
    ),
    "method": Kind(
        description="a method that needs no training",
        absent=False,
        load="keyseq.systems.registry:load_method",
        measured={"top": ENOUGH},
    ),
}


def recognised(folder: Path) -> str | None:
    """The name of the kind of a folder, by its mark."""
    return next((name for name, kind in KINDS.items() if kind.mark and (folder / kind.mark).is_file()), None)


def kind_of(folder: Path) -> str:
    """The name of the kind of a folder; an unknown folder is refused."""
    kind = recognised(folder)
    if kind is None:
        marks = ", ".join(f"{known.mark} ({name})" for name, known in KINDS.items() if known.mark)
        raise KeyseqError(
            f"{folder}: not the folder of a system: it has none of {marks}; for a trained network, see keyseq export"
        )
    return kind
