"""The kinds of system: how the folder of each is recognised, loaded, described and trained, in one table."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from keyseq.errors import KeyseqError


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """What systems of one kind have in common. A reference is `module:name`, and is imported when it is used."""

    description: str  # of a system that has nothing more specific to say
    absent: bool  # whether such a system can give phrases that the text does not contain
    mark: str = ""  # the file by which a folder of this kind is recognised; without one, there are no folders
    load: str = ""  # reference to (name, settings) -> System, where `name` is that of a system, a folder or a hub id
    settings: str = ""  # reference to the class of the settings that a loaded system takes
    describe: str = ""  # reference to (folder) -> Entry; without one, every folder is described as its kind
    train: str = ""  # reference to (TrainingJob) -> TrainingOutcome; see `keyseq.systems.training_job`
    options: tuple[str, ...] = ()  # options of keyseq train that only this kind takes
    decodes: bool = False  # whether it has a choice of decodings
    measured: Mapping[str, Any] = field(default_factory=dict)  # settings under which experiments measure it
    revision: int = 1  # to be raised when the same folder or method gives other phrases than before


ENOUGH = 50  # phrases of a ranking: more than any document has gold ones, so that @O is never cut short

KINDS: dict[str, Kind] = {
    "network": Kind(
        description="a network that generates phrases, in the text or not",
        absent=True,
        mark="encoder.onnx",
        load="keyseq.systems.networks:load_network",
        settings="keyseq.systems.neural_settings:NeuralSettings",
        train="keyseq.systems.networks:train_network",
        options=("from", "new-words", "vectors", "corpus", "processes"),
        decodes=True,
        # only what it reads at once, each phrase of other words, and in their order: as published
        measured={"cut": True, "exact": True, "ranking": "sequence"},
    ),
    "ranker": Kind(
        description="a ranker that learnt from documents with keyphrases",
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
        train="keyseq.systems.combined_training:train_combined",
        options=("network",),
    ),
    "method": Kind(
        description="a method that needs no training",
        absent=False,
        load="keyseq.systems.registry:load_method",
        measured={"top": ENOUGH},
    ),
}


def recognised(folder: Path) -> str | None:
    """The name of the kind whose mark a folder holds."""
    return next((name for name, kind in KINDS.items() if kind.mark and (folder / kind.mark).is_file()), None)


def kind_of(folder: Path) -> str:
    """The name of a folder's kind; a folder of none is refused."""
    kind = recognised(folder)
    if kind is None:
        marks = ", ".join(f"{known.mark} ({name})" for name, known in KINDS.items() if known.mark)
        raise KeyseqError(
            f"{folder}: holds no system: none of {marks} is in it; for a trained network, see keyseq export"
        )
    return kind
