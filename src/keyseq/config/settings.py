"""The sections of settings. The defaults are the paper's catSeq."""

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from keyseq.config.fields import Value, check, piece, setting
from keyseq.config.language_settings import LanguageSettings
from keyseq.config.single import build, section_class, to_toml
from keyseq.errors import KeyseqError


@dataclass(frozen=True, kw_only=True)
class ModelSettings:
    """The network: layer sizes and optional components."""

    vocabulary: int = setting(50_000, "size of the vocabulary, special tokens included", least=6)
    output_vocabulary: int = setting(
        0, "number of most frequent words that can be generated; others can only be copied; 0: all", least=0
    )
    embedding_size: int = setting(100, "dimension of word embeddings, shared by source and target", least=1)
    encoder_size: int = setting(150, "units of the encoder's GRU in each direction (released code: 75)", least=1)
    hidden_size: int = setting(150, "units of the decoder's GRU", least=1)
    attention_size: int = setting(150, "hidden units of the attention energy, L1 (not specified in the paper)", least=1)
    output_size: int = setting(150, "hidden units before the output layer (not specified in the paper)", least=1)
    switch_size: int = setting(150, "hidden units of the pointer's switch (not specified in the paper)", least=1)
    dropout: float = setting(0.1, "dropout rate of embeddings and GRU states", least=0, below=1)
    bridge: Literal["tanh", "relu"] = setting(
        "tanh", "initial decoder state: one tanh layer over both directions (paper), or a ReLU layer each (released)"
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
        "zeros", "initial state of the target encoder: zeros (paper), or the final source state (released)"
    )
    input_feeding: bool = piece(
        False, "released code: input feeding of the last readout", "keyseq.network.input_feeding:InputFeeding"
    )
    coverage: bool = piece(
        False,
        "released code: coverage, the attention energy also sees the sum of past attention",
        "keyseq.network.coverage:Coverage",
    )
    generated_words: bool = piece(
        False,
        "the attention energy also sees which source words were already generated; not in the paper",
        "keyseq.network.generated_words:GeneratedWords",
    )
    context_gate: Literal["none", "both"] = setting(
        "none", "released code: gates between context and decoder state before the output layer"
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
        """The optional components that these settings add to the network: class by setting name."""
        return {field.name: field.metadata["adds"] for field in self._added()}

    @property
    def reads(self) -> tuple[str, ...]:
        """The inputs that these components read besides the source, without duplicates."""
        return tuple(dict.fromkeys(name for field in self._added() for name in field.metadata["reads"]))

    def _added(self) -> Iterator["dataclasses.Field[Any]"]:
        for field in dataclasses.fields(self):
            if "adds" in field.metadata and getattr(self, field.name) not in (False, 0, "none"):
                yield field

    @property
    def memory_size(self) -> int:
        """Dimension of the state of a source word, both directions together."""
        return 2 * self.encoder_size


@dataclass(frozen=True, kw_only=True)
class LossSettings:
    """The terms that training adds to the negative log-likelihood, and their weights."""

    orthogonal: float = setting(0.0, "λ_OR, weight of the orthogonal penalty", least=0)
    orthogonal_norm: Literal["l2", "squared"] = setting(
        "l2", "L2 norm of the off-diagonal products (paper), or their mean square (released)"
    )
    orthogonal_states: Literal["separators", "separators+end"] = setting(
        "separators", "states made orthogonal: those that emit <sep> (text of the paper), or </s> too (its figure)"
    )
    semantic: float = setting(0.0, "λ_SC, weight of the contrastive loss of the target encoder", least=0)
    repetition: float = setting(
        0.0, "λ_R, weight of the unlikelihood loss on repeated first words of phrases; not in the paper", least=0
    )
    negatives: int = setting(16, "negative source texts of the batch per target, in the contrastive loss", least=0)

    def __post_init__(self) -> None:
        check("loss", self)


@dataclass(frozen=True, kw_only=True)
class TargetSettings(LanguageSettings):
    """How a document becomes the source and target sequences of the network."""

    paradigm: Literal["one2seq", "one2one"] = setting(
        "one2seq", "all phrases of a document in one sequence (one2seq), or one example per phrase (one2one)"
    )
    order: Literal["present-absent", "absent-present", "given", "random", "alphabetical", "length"] = setting(
        "present-absent", "order of phrases in the target; present ones in the order of the text"
    )
    shuffle_absent: bool = setting(True, "shuffle absent phrases in each epoch (released), or keep their order")
    source_words: int = setting(512, "maximum words of a source text; longer ones are truncated", least=1)
    phrases: int = setting(8, "maximum phrases of a target; more are sampled in each epoch; 0: no limit", least=0)
    phrase_words: int = setting(8, "maximum words of a phrase; longer ones are dropped; 0: no limit", least=0)
    filter: bool = setting(True, "released code: drop phrases with symbols such as @ or =, and codes like 68T05")

    def __post_init__(self) -> None:
        super().__post_init__()
        check("target", self)


@dataclass(frozen=True, kw_only=True)
class TrainingSettings:
    """How the network is trained."""

    batch_size: int = setting(64, "documents per step (one2one: phrases), over all processes", least=1)
    batch_tokens: int = setting(
        0, "source words per step, padding included, instead of documents; 0: by batch_size", least=0
    )
    steps: int = setting(100_000, "maximum number of steps", least=1)
    optimizer: Literal["adam", "adagrad", "sgd"] = setting("adam", "optimizer")
    learning_rate: float = setting(1e-3, "learning rate", least=0)
    schedule: Literal["constant", "linear", "cosine"] = setting("constant", "decay of the learning rate")
    warmup: int = setting(0, "steps of linear warm-up of the learning rate", least=0)
    clip: float = setting(2.0, "maximum norm of gradients (released code); 0: no clipping", least=0)
    precision: Literal["float32", "bfloat16", "float16"] = setting(
        "float32", "precision of the computation (mixed precision needs a GPU); weights stay float32"
    )
    log_every: int = setting(50, "steps between log entries", least=1)
    validate_every: int = setting(1_000, "steps between validations", least=1)
    validate_documents: int = setting(2_000, "maximum number of validation documents", least=1)
    patience: int = setting(10, "validations without improvement before training stops; 0: no early stopping", least=0)
    checkpoint_every: int = setting(1_000, "steps between checkpoints; 0: only by time", least=0)
    checkpoint_minutes: float = setting(10.0, "minutes between checkpoints; 0: only by steps", least=0)
    only: str = setting(
        "", "prefix of the weights to train, e.g. pieces.generated_words (others are frozen); empty: all"
    )
    seed: int = setting(3435, "random seed of initial weights, data order, dropout and negatives", least=0)
    threads: int = setting(0, "threads per process; 0: PyTorch's default", least=0)

    def __post_init__(self) -> None:
        check("training", self)


@dataclass(frozen=True, kw_only=True)
class EndingSettings:
    """When `distinct` decoding ends a sequence; calibrated on documents after training."""

    bonus: float = setting(0.0, "added to the log-probability of </s>; see keyseq calibrate")
    growth: float = setting(0.0, "added for each phrase generated so far")

    def __post_init__(self) -> None:
        check("ending", self)


_HEAVIEST = 1e6  # bound that keeps weighted sums from overflowing


def _weight(doc: str) -> Any:  # a field
    return setting(0.0, f"weight {doc}", least=-_HEAVIEST, below=_HEAVIEST)


@dataclass(frozen=True, kw_only=True)
class OrderSettings:
    """The probability that a phrase found by a search is a keyphrase; calibrated on documents after training.

    The weights of a logistic regression over three log features; all are 0 if it was not calibrated.
    """

    share: float = _weight("of the log share of sequence probability that contains the phrase; see keyseq calibrate")
    probability: float = _weight("of the log-probability of the phrase")
    occurrences: float = _weight("of the log of 1 + the number of occurrences in the text")
    bias: float = setting(0.0, "intercept", least=-_HEAVIEST, below=_HEAVIEST)

    def __post_init__(self) -> None:
        check("order", self)

    @property
    def is_learnt(self) -> bool:
        """Whether these weights were fitted."""
        return self != OrderSettings()


@dataclass(frozen=True, kw_only=True)
class Settings:
    """All settings, by section."""

    model: ModelSettings = dataclasses.field(default_factory=lambda: _default("model"))
    loss: LossSettings = LossSettings()
    target: TargetSettings = TargetSettings()
    training: TrainingSettings = TrainingSettings()
    ending: EndingSettings = EndingSettings()
    order: OrderSettings = OrderSettings()

    def __post_init__(self) -> None:
        if self.loss.semantic and not self.model.target_encoder:
            raise KeyseqError("loss.semantic trains the target encoder; set model.target_encoder=true too")

    @classmethod
    def from_mapping(cls, values: Mapping[str, object]) -> "Settings":
        """Build settings from sections of values, as read from TOML or JSON; the others keep their defaults."""
        return cls(**{name: _build(name, section) for name, section in values.items()})

    def to_mapping(self) -> dict[str, dict[str, Value]]:
        """Every setting by section and key, defaults included."""
        return dataclasses.asdict(self)

    def to_toml(self) -> str:
        """Every setting as TOML, with its description as a comment."""
        return "\n".join(to_toml(section, getattr(self, section)) for section in SECTIONS)


# The class of each section, in the order of a file. A subclass with more settings can replace a section.
SECTIONS: dict[str, Any] = {section.name: section.type for section in dataclasses.fields(Settings)}


def _default(section: str) -> Any:
    return SECTIONS[section]()


def _build(name: str, values: object) -> Any:
    kind = section_class(name, SECTIONS)
    if not isinstance(values, Mapping):
        raise KeyseqError(f"'{name}' is a section of settings; write [{name}] and its keys below it")
    return build(name, kind, values)
