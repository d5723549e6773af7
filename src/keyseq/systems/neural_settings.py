"""What a network can be asked for: how it is searched, and which of its phrases are wanted."""

from dataclasses import dataclass, fields, replace
from typing import Literal

from keyseq.config import EndingSettings, TargetSettings
from keyseq.config.fields import setting
from keyseq.decoding.policies import Policy, policy
from keyseq.text.selection import Selection

DecodingName = Literal["distinct", "greedy", "beam", "exhaustive", "sampling"]  # keys of `POLICIES`
RankingName = Literal["sequence", "probability", "share", "learnt"]  # `RANKINGS`

# What each kind of network was made for: one sequence that ends by itself, or many of one phrase each
_DEFAULT_DECODING = {"one2seq": "distinct", "one2one": "exhaustive"}


@dataclass(frozen=True, kw_only=True)
class DecodingSettings:
    """How a network is searched, and how what is found is ranked; None leaves a choice to the decoding."""

    decoding: DecodingName | None = setting(None, "how a network is searched; by default, as it was trained for")
    beam: int | None = setting(None, "how many hypotheses are followed", least=1)
    max_length: int | None = setting(None, "words of the longest sequence, its end included", least=1)
    length_penalty: float | None = setting(
        None, "divide a sequence's log-probability by its length to this power", least=0
    )
    temperature: float | None = setting(None, "draw words at this temperature; 0 takes the most probable", least=0)
    samples: int | None = setting(None, "how many sequences are drawn", least=1)
    seed: int | None = setting(None, "what the draws begin with", least=0)
    distinct: bool | None = setting(None, "let no phrase of a sequence begin as an earlier one did")
    ranking: RankingName | None = setting(
        None,
        "order a network's phrases as they are generated, by their own probability, by the share of what an exhaustive"
        " search finds that generates them, or as keyseq calibrate has learnt; by default, an exhaustive search takes"
        " the learnt order where there is one",
    )
    min_share: float = setting(
        0.0, "only phrases that this share of what an exhaustive search finds generates, or more", least=0, most=1
    )
    exact: bool = setting(False, "keep phrases of the same stems apart if their words differ, as published")
    cut: bool = setting(False, "read no more of a long text than fits at once, instead of overlapping windows")


@dataclass(frozen=True, kw_only=True)
class NeuralSettings(DecodingSettings, Selection):
    """All that can be asked of a network. Python settings, flags, HTTP fields and the page's controls are these."""

    allow: tuple[str, ...] | None = setting(None, "the only phrases that a network may generate")
    threads: int | None = setting(None, "how many batches are decoded at a time; by default, one a core", least=1)

    def policy(self, target: TargetSettings, ending: EndingSettings) -> Policy:
        """The search for a network of these targets; its calibrated ending is that of `distinct` decoding alone."""
        names = {field.name for field in fields(Policy)} & {field.name for field in fields(DecodingSettings)}
        changes = {name: value for name in names if (value := getattr(self, name)) is not None}
        chosen = policy(self.decoding or _DEFAULT_DECODING[target.paradigm], target.paradigm, **changes)
        if not chosen.distinct:
            return chosen
        return replace(chosen, end_bonus=ending.bonus, end_growth=ending.growth)
