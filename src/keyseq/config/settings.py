"""The sections of settings. The defaults are the paper's catSeq."""

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from keyseq.config.fields import Value, check, piece, setting
from keyseq.config.language_settings import LanguageSettings
from keyseq.config.single import build, section_class, to_toml
from keyseq.errors import KeyseqError

_SPECIAL = 5  # special words, which every vocabulary begins with
_TERMS = ("orthogonal", "semantic", "repetition", "extractor", "tags")  # of the loss, beside the likelihood


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
    title_guide: bool = piece(
        False,
        "TG-Net's encoder: source words also see the title",
        "keyseq.network.title_guide:TitleGuide",
        reads=("title",),
    )
    title_weight: float = setting(
        0.5, "λ of the title-guided encoder, the share of the states that do not see the title", least=0, most=1
    )
    input_feeding: bool = piece(
        False, "released code: input feeding of the last readout", "keyseq.network.input_feeding:InputFeeding"
    )
    coverage: bool = piece(
        False,
        "released code: coverage, the attention energy also sees the sum of past attention",
        "keyseq.network.coverage:Coverage",
    )
    review: bool = piece(
        False,
        "CorrRNN's review attention: the readout also sees the earlier states of the decoder",
        "keyseq.network.review:Review",
    )
    word_graph: int = piece(
        0,
        "DivGraphPointer's encoder: layers of graph convolutions over the distinct words of the source; 0: GRUs",
        "keyseq.network.word_graph:WordGraph",
        reads=("near",),
    )
    generated_counts: bool = piece(
        False,
        "the attention energy also sees how often each source word was generated",
        "keyseq.network.generated_counts:GeneratedCounts",
    )
    document_vector: bool = piece(
        False,
        "after <sep>, the decoder starts from the text and the mean of the source words generated so far",
        "keyseq.network.document_vector:DocumentVector",
    )
    pointer_only: bool = setting(False, "words are only copied from the source, never generated")
    restart: bool = piece(
        False,
        "after <sep>, the decoder starts again from its initial state, with <s> as its input",
        "keyseq.network.restart:Restart",
    )
    generated_words: bool = piece(
        False,
        "the attention energy also sees which source words were already generated; not in the paper",
        "keyseq.network.generated_words:GeneratedWords",
    )
    context_gate: Literal["none", "both"] = setting(
        "none", "released code: gates between context and decoder state before the output layer"
    )
    tags: bool = piece(
        False,
        "ParaNet: parts of speech, read by an encoder of their own and merged with the words",
        "keyseq.network.pos_tags:PosTags",
        reads=("tags",),
        learns=("target_tags",),
    )
    tags_merge: Literal["tanh", "tree"] = setting(
        "tanh", "ParaNet: merge word and tag states by a tanh layer or by a node of a binary tree-LSTM"
    )
    tag_size: int = setting(30, "ParaNet: dimension of the embeddings of parts of speech", least=1)
    tags_blanked: float = setting(
        0.1, "ParaNet: share of training documents without tags, as those of other languages", least=0, below=1
    )
    extractor: bool = piece(
        False,
        "KG-KE: which source words belong to keyphrases, as a task of its own and as weights of copying",
        "keyseq.network.extractor:Extractor",
        learns=("keywords",),
    )
    retrieved: bool = piece(
        False,
        "KG-KR: keyphrases of similar training documents, read by an encoder of their own and seen by the readout",
        "keyseq.network.retrieved:RetrievedPhrases",
        reads=("retrieved",),
    )
    titles: bool = piece(
        False, "Semi-Multi: a second decoder, for titles, which training alone needs", "keyseq.network.titles:Titles"
    )
    assignment_words: int = setting(
        2, "one2set: words that each slot generates before phrases are assigned to slots", least=1
    )
    tagger: Literal["brill"] = setting("brill", "ParaNet: the tagger, that of the extractive systems")

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

        if self.word_graph < 0:
            raise KeyseqError("model.word_graph must be at least 0, which stands for GRUs")
        if self.word_graph and self.title_guide:
            raise KeyseqError("model.word_graph takes the place of the encoder that model.title_guide builds on")
        if self.pointer_only and not self.word_graph:
            raise KeyseqError("model.pointer_only needs model.word_graph, whose source has <sep> and </s> to point at")
        if self.document_vector and self.restart:
            raise KeyseqError("model.document_vector and model.restart both change how a phrase starts; choose one")

    def generable(self, words: int) -> int:
        """How many words of a vocabulary of `words` can be generated; with a pointer alone, none but special ones."""
        return min(_SPECIAL if self.pointer_only else self.output_vocabulary or words, words)

    @property
    def pieces(self) -> dict[str, str]:
        """The optional components that these settings add to the network: class by setting name."""
        return {field.name: field.metadata["adds"] for field in self._added()}

    @property
    def reads(self) -> tuple[str, ...]:
        """The inputs that these components read besides the source, without duplicates."""
        return tuple(dict.fromkeys(name for field in self._added() for name in field.metadata["reads"]))

    @property
    def learns(self) -> tuple[str, ...]:
        """What these components read of targets in training, without duplicates."""
        return tuple(dict.fromkeys(name for field in self._added() for name in field.metadata["learns"]))

    @property
    def without_pieces(self) -> "ModelSettings":
        """The same sizes without optional components."""
        off: dict[str, Any] = {field.name: field.default for field in self._added()}
        return dataclasses.replace(self, **off)

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
    null_present: float = setting(0.2, "one2set: weight of slots for present phrases that have none", least=0)
    null_absent: float = setting(0.1, "one2set: weight of slots for absent phrases that have none", least=0)
    extractor: float = setting(0.0, "KG-KE: weight of the loss of the extractor (published: about 0.3)", least=0)
    tags: float = setting(0.0, "ParaNet: weight of the loss of the tag decoder (not published)", least=0)
    negatives: int = setting(16, "negative source texts of the batch per target, in the contrastive loss", least=0)
    reward: Literal["none", "adaptive-f1"] = setting(
        "none", "train a network further by self-critical policy gradients on this reward, instead of the likelihood"
    )
    reward_words: int = setting(60, "maximum words of a sequence that is drawn for its reward", least=1)

    def __post_init__(self) -> None:
        check("loss", self)
        others = [name for name in _TERMS if getattr(self, name)]
        if self.reward != "none" and others:
            raise KeyseqError(f"loss.reward takes the place of the other losses; set loss.{others[0]} to 0")


@dataclass(frozen=True, kw_only=True)
class TargetSettings(LanguageSettings):
    """How a document becomes the source and target sequences of the network."""

    paradigm: Literal["one2seq", "one2one", "one2set"] = setting(
        "one2seq",
        "all phrases of a document in one sequence (one2seq), one example per phrase (one2one), or one sequence for"
        " each of a number of slots (one2set)",
    )
    slots: int = setting(20, "one2set: slots, the first half for present phrases, the second for absent ones", least=2)
    order: Literal["present-absent", "absent-present", "given", "random", "alphabetical", "length"] = setting(
        "present-absent", "order of phrases in the target; present ones in the order of the text"
    )
    shuffle_absent: bool = setting(True, "shuffle absent phrases in each epoch (released), or keep their order")
    divided: bool = setting(
        False, "a special word, <peos>, stands between present and absent phrases, in place of <sep>"
    )
    present_only: bool = setting(
        False, "only phrases that the source contains are targets, in the words that it has them in"
    )
    source_words: int = setting(512, "maximum words of a source text; longer ones are truncated", least=1)
    phrases: int = setting(8, "maximum phrases of a target; more are sampled in each epoch; 0: no limit", least=0)
    phrase_words: int = setting(8, "maximum words of a phrase; longer ones are dropped; 0: no limit", least=0)
    drop: float = setting(
        0.0,
        "KPDrop: probability that a present phrase is dropped from the source, anew in each epoch (published: 0.7)",
        least=0,
        most=1,
    )
    drop_variant: Literal["replace", "append"] = setting(
        "replace", "KPDrop: documents with dropped phrases replace the whole ones, or are trained on beside them"
    )
    untitled: float = setting(
        0.1, "share of training documents whose title is not an input, for networks that read titles", least=0, most=1
    )
    filter: bool = setting(True, "released code: drop phrases with symbols such as @ or =, and codes like 68T05")

    def __post_init__(self) -> None:
        super().__post_init__()
        check("target", self)
        if self.slots % 2:
            raise KeyseqError(f"target.slots must be even, half of them for absent phrases, not {self.slots}")
        if self.divided and self.present_only:
            raise KeyseqError("target.present_only leaves nothing for target.divided to divide; choose one")
        if self.divided and (self.paradigm, self.order) != ("one2seq", "present-absent"):
            raise KeyseqError("target.divided needs target.paradigm=one2seq and target.order=present-absent")


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
        "float32", "precision of the computation, on CPUs of the output layer (no float16 there); weights stay float32"
    )
    log_every: int = setting(50, "steps between log entries", least=1)
    validate_every: int = setting(1_000, "steps between validations", least=1)
    validate_documents: int = setting(2_000, "maximum number of validation documents", least=1)
    patience: int = setting(10, "validations without improvement before training stops; 0: no early stopping", least=0)
    checkpoint_every: int = setting(1_000, "steps between checkpoints; 0: only by time", least=0)
    checkpoint_minutes: float = setting(10.0, "minutes between checkpoints; 0: only by steps", least=0)
    titles: float = setting(
        0.0, "Semi-Multi: share of steps that learn to generate titles; see --titles", least=0, below=1
    )
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
        for part in (self._check_parts, self._check_divided, self._check_slots, self._check_graph):
            part()

    def _check_parts(self) -> None:
        """Reject losses and tasks of missing parts."""
        if self.training.titles and not self.model.titles:
            raise KeyseqError("training.titles needs a decoder of titles; set model.titles=true too")
        if self.training.titles and self.loss.reward != "none":
            raise KeyseqError("loss.reward trains on phrases alone; set training.titles=0")
        if self.loss.extractor and not self.model.extractor:
            raise KeyseqError("loss.extractor trains the extractor; set model.extractor=true too")
        if self.loss.tags and not self.model.tags:
            raise KeyseqError("loss.tags trains the tag decoder; set model.tags=true too")

    def _check_divided(self) -> None:
        """Reject what divided targets do not have, and rewards without them."""
        if self.loss.reward != "none" and not self.target.divided:
            raise KeyseqError("loss.reward counts present and absent phrases apart; set target.divided=true too")
        if self.model.pointer_only and not self.target.present_only:
            raise KeyseqError("model.pointer_only cannot generate absent phrases; set target.present_only=true too")
        restarts = next((name for name in ("restart", "document_vector") if getattr(self.model, name)), None)
        if self.target.divided and (self.loss.orthogonal or self.loss.repetition or restarts):
            raise KeyseqError(
                "target.divided cannot be combined with loss.orthogonal, loss.repetition, model.restart and"
                " model.document_vector, which look for <sep> alone"
            )
        paradigm = self.target.paradigm
        if restarts and paradigm != "one2seq":
            raise KeyseqError(
                f"model.{restarts} acts between the phrases of a sequence; target.paradigm={paradigm} has none"
            )
        if self.target.divided and self.model.tags:
            raise KeyseqError("target.divided cannot be combined with model.tags, whose decoder looks for <sep> alone")

    def _check_slots(self) -> None:
        """Reject what is learnt of whole targets, which a set does not have."""
        if self.target.paradigm != "one2set":
            return
        for name in ("orthogonal", "semantic", "repetition"):
            if getattr(self.loss, name):
                raise KeyseqError(
                    f"loss.{name} needs phrases in one sequence; set target.paradigm=one2seq, or set it to 0"
                )
        if self.model.tags:
            raise KeyseqError("target.paradigm=one2set cannot train a tag decoder; set model.tags=false")

    def _check_graph(self) -> None:
        """Reject what needs the words of a text in their order, or words that it has not."""
        for name in ("tags", "extractor"):
            if self.model.word_graph and getattr(self.model, name):
                raise KeyseqError(f"model.{name} reads the words of a text in order; model.word_graph has none")
        if self.model.word_graph and self.target.drop:
            raise KeyseqError("target.drop drops words of a text in order; model.word_graph has none")
        if self.model.pointer_only and (self.model.titles or self.target.paradigm == "one2set"):
            raise KeyseqError("model.pointer_only cannot generate titles or empty slots; set it to false")

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
