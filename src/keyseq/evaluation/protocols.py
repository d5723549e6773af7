"""The conventions by which the field computes its scores, as data: every rule is a field, every field is set."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, get_args, get_type_hints

from keyseq import languages
from keyseq.errors import KeyseqError, nearest
from keyseq.languages import LANGUAGES, STEMMERS, TOKENIZERS
from keyseq.text.analyzer import Analyzer
from keyseq.text.tokenize import DEFAULT as DEFAULT_TOKENIZER

DEFAULT = "yuan2020"


def _rule(meaning: str) -> Any:  # dataclasses.field is declared so too
    return field(metadata={"meaning": meaning})


@dataclass(frozen=True, kw_only=True)
class Protocol:
    """All that decides a score beside the gold and the predictions."""

    name: str
    language: str = _rule(
        "the language of texts and phrases, which decides on tokenizer and stemmer unless these are set"
    )
    tokenizer: Literal["meng17", "unicode", "whitespace", "nopunc"] = _rule(
        "how texts and phrases become words: `meng17` as published, `unicode` for text beyond ASCII, `whitespace` for "
        "text that is tokenized already, `nopunc` = runs of letters, digits and `_`, as the released code does now"
    )
    stemmer: str = _rule("what makes two words the same word, once case is folded")
    title: Literal["period", "space"] = _rule("the source text: `title . body`, or `title body`")
    match: Literal["words", "characters"] = _rule(
        "a phrase is present if its stems stand in the source as whole words in a row, or as any run of characters"
    )
    brackets: Literal["gold", "both", "keep"] = _rule(
        "from which phrases bracketed parts, such as acronyms, are removed: the gold ones, all, or none"
    )
    empty_gold: Literal["present", "absent", "drop"] = _rule(
        "a gold phrase without a word counts as a present target, as an absent one, or not at all; none can be met"
    )
    gold_duplicates: Literal["keep", "drop"] = _rule(
        "gold phrases with the same stems: every one is a target, which one prediction cannot all meet, or one is"
    )
    duplicates: Literal["drop", "wrong"] = _rule(
        "a prediction with the stems of an earlier one is passed over, or keeps its rank and is wrong"
    )
    punctuation: str = _rule("a prediction with one of these marks among its words is passed over")
    unknown: str = _rule("a prediction with this in its text is passed over; empty for none")
    one_word: Literal["any", "first"] = _rule(
        "predictions of one word: any number, or only the first in the list, whether it is passed over or not"
    )
    precision: Literal["predicted", "k"] = _rule(
        "P@k divides by the number of predictions looked at, min(k, predicted), or by k ('padded')"
    )
    documents: Literal["with-targets", "all"] = _rule(
        "which documents enter the average of a part: those with a gold phrase of that part, or all, then with 0"
    )
    average: Literal["mean-of-f1", "f1-of-means"] = _rule(
        "F1 of a corpus: the mean of the documents' F1, or the harmonic mean of mean P and mean R"
    )

    def __post_init__(self) -> None:
        for rule, choices in CHOICES.items():
            if getattr(self, rule) not in choices:
                raise KeyseqError(
                    f"protocol {self.name}: {rule} is {getattr(self, rule)!r}; choose one of {', '.join(choices)}"
                )

    @property
    def overrides(self) -> dict[str, str]:
        """The rules that differ from those of the named protocol; what follows from another language does not count."""
        if self.name not in PROTOCOLS:
            return {}
        named = find(self.name, {"language": self.language})
        changed = {rule: getattr(self, rule) for rule in RULES if getattr(self, rule) != getattr(named, rule)}
        return changed if self.language == PROTOCOLS[self.name].language else {"language": self.language, **changed}

    @property
    def analyzer(self) -> Analyzer:
        """What stems words and phrases; its tokenizer is the published one where the protocol's knows no places."""
        tokenizer = self.tokenizer if self.tokenizer in TOKENIZERS else DEFAULT_TOKENIZER
        return replace(Analyzer.for_language(self.language), tokenizer=tokenizer, stemmer=self.stemmer)


RULES: dict[str, str] = {entry.name: entry.metadata["meaning"] for entry in fields(Protocol) if entry.name != "name"}
CHOICES: dict[str, tuple[str, ...]] = {
    rule: get_args(hint) for rule, hint in get_type_hints(Protocol).items() if rule in RULES and hint is not str
} | {"language": tuple(LANGUAGES), "stemmer": STEMMERS}

PROTOCOLS: dict[str, Protocol] = {
    # Yuan et al. 2020, appendix "Dataset and Evaluation Details", and the code released with it (kp_evaluate.py)
    "yuan2020": Protocol(
        name="yuan2020",
        language="en",
        tokenizer="meng17",
        stemmer="nltk-porter",
        title="period",
        match="words",
        brackets="gold",
        empty_gold="present",
        gold_duplicates="keep",
        duplicates="drop",
        punctuation=".,",
        unknown="<unk>",
        one_word="any",
        precision="predicted",
        documents="with-targets",
        average="mean-of-f1",
    ),
    # Meng et al. 2017, keyphrase_utils.py of seq2seq-keyphrase
    "meng2017": Protocol(
        name="meng2017",
        language="en",
        tokenizer="meng17",
        stemmer="nltk-porter",
        title="period",
        match="words",
        brackets="gold",
        empty_gold="present",
        gold_duplicates="keep",
        duplicates="drop",
        punctuation="_,().'%",
        unknown="<unk>",
        one_word="first",
        precision="k",
        documents="all",
        average="mean-of-f1",
    ),
    # Chan et al. 2019, evaluate_prediction.py of keyphrase-generation-rl with the options of its README; also
    # One2Set, WR-One2Set and KPEval
    "chan2019": Protocol(
        name="chan2019",
        language="en",
        tokenizer="meng17",
        stemmer="nltk-porter",
        title="space",
        match="words",
        brackets="gold",
        empty_gold="absent",
        gold_duplicates="drop",
        duplicates="drop",
        punctuation=".,",
        unknown="<unk>",
        one_word="any",
        precision="k",
        documents="all",
        average="f1-of-means",
    ),
}


def find(name: str, overrides: Mapping[str, str] | None = None) -> Protocol:
    """Look a protocol up by name, with some of its rules set otherwise."""
    if name not in PROTOCOLS:
        raise KeyseqError(f"unknown protocol '{name}'{nearest(name, PROTOCOLS)}")
    changes: dict[str, Any] = dict(overrides or {})
    for rule in changes:
        if rule not in RULES:
            raise KeyseqError(f"unknown rule '{rule}' of a protocol{nearest(rule, RULES)}")
    language = changes.get("language", PROTOCOLS[name].language)
    if language != PROTOCOLS[name].language:
        usual = languages.find(language)
        changes = {"tokenizer": usual.tokenizer, "stemmer": usual.stemmer} | changes
    return replace(PROTOCOLS[name], **changes)
