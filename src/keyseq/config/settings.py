"""The sections of settings. The defaults are the paper's catSeq."""

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_type_hints

from keyseq.config.fields import Value, check, nearest, piece, setting
from keyseq.config.language_settings import LanguageSettings
from keyseq.config.renamed import renamed_keys
from keyseq.config.single import to_toml
from keyseq.errors import KeyseqError


@dataclass(frozen=True, kw_only=True)
class ModelSettings:
    """The network: sizes, and which of its parts are there."""

    vocabulary: int = setting(50_000, "words the network knows, the special ones counted", least=6)
    output_vocabulary: int = setting(
        0, "only the first so many words can be generated, the others only copied; 0: all can", least=0
    )
    embedding_size: int = setting(100, "numbers in a word's embedding; source and target share one table", least=1)
    encoder_size: int = setting(150, "units of each of the encoder's two GRUs (released code: 75)", least=1)
    hidden_size: int = setting(150, "units of the decoder's GRU", least=1)
    attention_size: int = setting(150, "hidden units of the attention's energy, L1 (the paper names no size)", least=1)
    output_size: int = setting(150, "hidden units before the output layer (the paper names no size)", least=1)
    switch_size: int = setting(150, "hidden units of the pointer's switch (the paper names no size)", least=1)
    dropout: float = setting(0.1, "share of embeddings and GRU states dropped in training", least=0, below=1)
    bridge: Literal["tanh", "relu"] = setting(
        "tanh", "first decoder state: one tanh layer over both directions (paper), or a ReLU layer each (released)"
    )
    switch: Literal["context", "output"] = setting(
        "context", "the pointer's switch sees context and state (paper), or the layer before the output (released)"
    )
    target_encoder: bool = piece(
        False,
        "semantic coverage: a second GRU over the words generated so far",
        "keyseq.network.target_encoder:TargetEncoder",
    )
    target_encoder_size: int = setting(150, "units of the target encoder's GRU", least=1)
    target_encoder_start: Literal["zeros", "source"] = setting(
        "zeros", "first state of the target encoder: zeros (paper), or the source's final state (released)"
    )
    input_feeding: bool = piece(
        False, "released code: the decoder also reads its last output", "keyseq.network.input_feeding:InputFeeding"
    )
    coverage: bool = piece(
        False,
        "released code: the attention's energy also sees the attention so far",
        "keyseq.network.coverage:Coverage",
    )
    generated_words: bool = piece(
        False,
        "the attention's energy also sees which of the source's words were already generated; not in the paper",
        "keyseq.network.generated_words:GeneratedWords",
    )
    context_gate: Literal["none", "both"] = setting(
        "none", "released code: gates weigh context against state and word before the output layer"
    )

    def __post_init__(self) -> None:
        check("model", self)
        if self.output_vocabulary > self.vocabulary:
            raise KeyseqError("model.output_vocabulary must not be larger than model.vocabulary")
        if self.bridge == "relu" and 2 * self.encoder_size != self.hidden_size:
            raise KeyseqError("model.bridge=relu needs a model.hidden_size of twice model.encoder_size")
        if self.target_encoder_start == "source" and self.target_encoder_size != self.hidden_size:
            raise KeyseqError(
                "model.target_encoder_start=source needs model.target_encoder_size equal to model.hidden_size"
            )

    @property
    def pieces(self) -> dict[str, str]:
        """The pieces that these settings add to the network: the class of each by the name of its setting."""
        return {field.name: field.metadata["adds"] for field in self._added()}

    @property
    def reads(self) -> tuple[str, ...]:
        """The inputs that these pieces read beside the source, each once."""
        return tuple(dict.fromkeys(name for field in self._added() for name in field.metadata["reads"]))

    def _added(self) -> Iterator["dataclasses.Field[Any]"]:
        for field in dataclasses.fields(self):
            if "adds" in field.metadata and getattr(self, field.name) not in (False, 0, "none"):
                yield field

    @property
    def memory_size(self) -> int:
        """Numbers in the state of a source word: those of both directions."""
        return 2 * self.encoder_size


@dataclass(frozen=True, kw_only=True)
class LossSettings:
    """The terms that training adds to the negative log-likelihood, and their weights."""

    orthogonal: float = setting(0.0, "λ_OR, weight of the orthogonal penalty", least=0)
    orthogonal_norm: Literal["l2", "squared"] = setting(
        "l2", "L2 norm of the off-diagonal products (paper), or their mean square (released)"
    )
    orthogonal_states: Literal["separators", "separators+end"] = setting(
        "separators", "states that are pushed apart: those that emit <sep> (the paper's text), or </s> too (its figure)"
    )
    semantic: float = setting(0.0, "λ_SC, weight of the contrastive loss of the target encoder", least=0)
    repetition: float = setting(
        0.0, "λ_R, weight of the unlikelihood of beginning a phrase as an earlier one began; not in the paper", least=0
    )
    negatives: int = setting(16, "other source texts of the batch that a target is told apart from", least=0)

    def __post_init__(self) -> None:
        check("loss", self)


@dataclass(frozen=True, kw_only=True)
class TargetSettings(LanguageSettings):
    """How a document becomes what the network reads and writes."""

    paradigm: Literal["one2seq", "one2one"] = setting(
        "one2seq", "all phrases as one sequence, or an example for each phrase"
    )
    order: Literal["present-absent", "absent-present", "given", "random", "alphabetical", "length"] = setting(
        "present-absent", "order of phrases in a sequence; present ones stand as in the text"
    )
    shuffle_absent: bool = setting(True, "absent phrases change places in each epoch (released), or stay as given")
    source_words: int = setting(512, "words of a source text; the rest is cut off", least=1)
    phrases: int = setting(8, "phrases of a sequence, of more a sample in each epoch; 0: no limit", least=0)
    phrase_words: int = setting(8, "words of a phrase, longer ones are left out; 0: no limit", least=0)
    filter: bool = setting(True, "released code: no phrases with marks such as @ or =, nor subject codes such as 68T05")

    def __post_init__(self) -> None:
        super().__post_init__()
        check("target", self)


@dataclass(frozen=True, kw_only=True)
class TrainingSettings:
    """How the network is fitted."""

    batch_size: int = setting(64, "documents a step (one2one: phrases), over all processes", least=1)
    batch_tokens: int = setting(
        0, "source words a step, padding counted, instead of documents; 0: by batch_size", least=0
    )
    steps: int = setting(100_000, "steps at most", least=1)
    optimizer: Literal["adam", "adagrad", "sgd"] = setting("adam", "rule of the steps")
    learning_rate: float = setting(1e-3, "size of the steps", least=0)
    schedule: Literal["constant", "linear", "cosine"] = setting("constant", "how the learning rate falls")
    warmup: int = setting(0, "steps in which the learning rate rises to its value", least=0)
    clip: float = setting(2.0, "norm that gradients are cut to (released code); 0: not cut", least=0)
    precision: Literal["float32", "bfloat16", "float16"] = setting(
        "float32", "of the network's arithmetic, where the device has it; weights stay float32"
    )
    log_every: int = setting(50, "steps between lines in the logs", least=1)
    validate_every: int = setting(1_000, "steps between validations", least=1)
    validate_documents: int = setting(2_000, "documents of a validation", least=1)
    patience: int = setting(10, "validations without a gain before training stops; 0: never", least=0)
    checkpoint_every: int = setting(1_000, "steps between checkpoints; 0: only by time", least=0)
    checkpoint_minutes: float = setting(10.0, "minutes between checkpoints; 0: only by steps", least=0)
    only: str = setting("", "train only weights whose names begin so, such as pieces.generated_words; empty: all")
    seed: int = setting(3435, "of weights, order, dropout and negatives", least=0)
    threads: int = setting(0, "threads of a process; 0: as many as torch takes", least=0)

    def __post_init__(self) -> None:
        check("training", self)


@dataclass(frozen=True, kw_only=True)
class EndingSettings:
    """When `distinct` decoding ends a sequence; calibrated on documents after training."""

    bonus: float = setting(0.0, "added to the log-probability of </s>; see keyseq calibrate")
    growth: float = setting(0.0, "added for each phrase generated so far")

    def __post_init__(self) -> None:
        check("ending", self)


_HEAVIEST = 1e6  # no sum of such weights overflows


def _weight(doc: str) -> Any:  # a field
    return setting(0.0, f"weight {doc}", least=-_HEAVIEST, below=_HEAVIEST)


@dataclass(frozen=True, kw_only=True)
class OrderSettings:
    """The probability that a phrase found by a search is a keyphrase; calibrated on documents after training.

    The weights of a logistic regression over three logarithms. All are 0 where nothing was learnt.
    """

    share: float = _weight("of the log of the phrase's share of the sequences' probability; see keyseq calibrate")
    probability: float = _weight("of the log of the phrase's probability")
    occurrences: float = _weight("of the log of one plus the phrase's count in the text")
    bias: float = setting(0.0, "added to the sum of these", least=-_HEAVIEST, below=_HEAVIEST)

    def __post_init__(self) -> None:
        check("order", self)

    @property
    def is_learnt(self) -> bool:
        """Whether these weights were learnt."""
        return self != OrderSettings()


@dataclass(frozen=True, kw_only=True)
class Settings:
    """All there is to set, by section."""

    model: ModelSettings = dataclasses.field(default_factory=lambda: _default("model"))
    loss: LossSettings = LossSettings()
    target: TargetSettings = TargetSettings()
    training: TrainingSettings = TrainingSettings()
    ending: EndingSettings = EndingSettings()
    order: OrderSettings = OrderSettings()

    def __post_init__(self) -> None:
        if self.loss.semantic and not self.model.target_encoder:
            raise KeyseqError("loss.semantic trains the target encoder: set model.target_encoder=true too")

    @classmethod
    def from_mapping(cls, values: Mapping[str, object]) -> "Settings":
        """Build settings from sections of values, as read from TOML or JSON; the rest keeps its default."""
        return cls(**{name: _build(name, section) for name, section in values.items()})

    def to_mapping(self) -> dict[str, dict[str, Value]]:
        """Every setting by section and key, defaults included."""
        return dataclasses.asdict(self)

    def to_toml(self) -> str:
        """Every setting as TOML, each with the comment that explains it."""
        return "\n".join(to_toml(section, getattr(self, section)) for section in SECTIONS)


# The class of each section, in the order of a file. A subclass with more settings may stand in a section's place.
SECTIONS: dict[str, Any] = {section.name: section.type for section in dataclasses.fields(Settings)}


def _default(section: str) -> Any:
    return SECTIONS[section]()


def section_class(name: str) -> Any:  # one of the classes above
    """The class of a section's settings, by its name."""
    if name not in SECTIONS:
        raise KeyseqError(f"unknown section of settings '{name}'{nearest(name, SECTIONS)}")
    return SECTIONS[name]


def setting_type(section: str, key: str) -> Any:  # a type: int, float, bool, str or a Literal
    """The type of a setting, by its section and key."""
    types = get_type_hints(section_class(section))
    if key not in types:
        raise KeyseqError(f"unknown setting '{section}.{key}'{nearest(key, types)}")
    return types[key]


def _build(name: str, values: object) -> Any:
    kind = section_class(name)
    if not isinstance(values, Mapping):
        raise KeyseqError(f"'{name}' is a section of settings: write [{name}] and its keys below")
    values = renamed_keys(name, values)
    for key in values:
        setting_type(name, key)
    return kind(**values)
