"""The settings of a loaded network: decoding, ranking and selection of phrases."""

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Literal

from keyseq.config.fields import setting
from keyseq.decoding.policies import Policy, policy
from keyseq.text.selection import Selection

if TYPE_CHECKING:
    from keyseq.config import EndingSettings, TargetSettings

DecodingName = Literal["distinct", "greedy", "beam", "exhaustive", "sampling"]  # keys of `POLICIES`
RankingName = Literal["sequence", "probability", "share", "learnt"]  # `RANKINGS`

# The default decoding by paradigm: a self-terminating sequence, or many sequences of one phrase
_DEFAULT_DECODING = {"one2seq": "distinct", "one2one": "exhaustive", "one2set": "greedy"}


@dataclass(frozen=True, kw_only=True)
class DecodingSettings:
    """Decoding and ranking of phrases; None is the default of the decoding."""

    decoding: DecodingName | None = setting(None, "decoding strategy; by default, that of the network's paradigm")
    beam: int | None = setting(None, "beam size", least=1, most=10_000)
    max_length: int | None = setting(None, "maximum words of a sequence, its end included", least=1)
    length_penalty: float | None = setting(
        None, "length penalty: divide the log-probability of a sequence by its length to this power", least=0
    )
    temperature: float | None = setting(None, "sampling temperature; 0 takes the most probable word", least=0)
    samples: int | None = setting(None, "number of sampled sequences", least=1)
    seed: int | None = setting(None, "random seed of sampling", least=0)
    distinct: bool | None = setting(None, "phrases of a sequence must not begin with the same word")
    ranking: RankingName | None = setting(
        None,
        "ranking of phrases: by sequence as published, by probability, by share of the probability of all sequences, or"
        " as learnt by keyseq calibrate; by default, exhaustive decoding uses the learnt ranking if there is one",
    )
    min_share: float = setting(
        0.0, "minimum share of a search's probability mass that is in sequences with the phrase", least=0, most=1
    )
    exact: bool = setting(False, "do not merge phrases with the same stems but different words, as published")
    cut: bool = setting(False, "truncate long texts instead of reading them in overlapping windows")


@dataclass(frozen=True, kw_only=True)
class NeuralSettings(DecodingSettings, Selection):
    """The settings of a loaded network: those of Python, command line, HTTP and the web page."""

    allow: tuple[str, ...] | None = setting(None, "the only phrases that may be returned")
    threads: int | None = setting(None, "batches decoded in parallel; by default, one per core", least=1)

    def policy(self, target: "TargetSettings", ending: "EndingSettings") -> Policy:
        """The decoding policy for a network with these targets; the calibrated ending applies to `distinct` only."""
        names = {field.name for field in fields(Policy)} & {field.name for field in fields(DecodingSettings)}
        changes = {name: value for name in names if (value := getattr(self, name)) is not None}
        chosen = policy(self.decoding or _DEFAULT_DECODING[target.paradigm], target.paradigm, **changes)
        if not chosen.distinct:
            return chosen
        return replace(chosen, end_bonus=ending.bonus, end_growth=ending.growth)
