"""The conventions by which the field computes its scores, as data: every rule is a field, every field is set."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, get_args, get_type_hints

from keyseq import languages
from keyseq.errors import KeyseqError, nearest
from keyseq.languages import ENGLISH, LANGUAGES, STEMMERS, TOKENIZERS, UNICODE
from keyseq.text.analyzer import Analyzer
from keyseq.text.tokenize import DEFAULT as DEFAULT_TOKENIZER

DEFAULT = "yuan2020"
_TOKENIZERS = {ENGLISH: "meng17", "ko": "josa", "tr": "turkish"}  # of languages; that of others is `unicode`


def _rule(meaning: str) -> Any:  # dataclasses.field is declared so too
    return field(metadata={"meaning": meaning})


@dataclass(frozen=True, kw_only=True)
class Protocol:
    """The rules that determine a score, besides the gold and the predictions."""

    name: str
    compare: Literal["stems", "concepts"] = _rule(
        "what makes a prediction correct: the stems of a gold phrase, or the concept of one, identified by its URI or "
        "else by its label in any case; texts do not contain concepts, so that `present` is empty and `absent` is `all`"
    )
    language: str = _rule(
        "the language of texts and phrases, which decides on tokenizer and stemmer unless these are set"
    )
    tokenizer: Literal["meng17", "unicode", "turkish", "josa", "whitespace", "nopunc"] = _rule(
        "how texts and phrases become words: `meng17` as published, `unicode` for text beyond ASCII (`turkish` with "
        "its two letters i, `josa` without the particles of Korean), `whitespace` for text that is tokenized already, "
        "`nopunc` = runs of letters, digits and `_`, as the released code does now"
    )
    stemmer: str = _rule("the stemmer by which two words are equal, after case folding")
    title: Literal["period", "space"] = _rule("the source text: `title . body`, or `title body`")
    match: Literal["words", "characters"] = _rule(
        "a phrase is present if its stems occur in the source as consecutive whole words, or as any substring"
    )
    brackets: Literal["gold", "both", "keep"] = _rule(
        "from which phrases bracketed parts, such as acronyms, are removed: the gold ones, all, or none"
    )
    empty_gold: Literal["present", "absent", "drop"] = _rule(
        "a gold phrase without a word counts as a present target, as an absent one, or not at all; none can be matched"
    )
    gold_duplicates: Literal["keep", "drop"] = _rule(
        "gold phrases with the same stems: each is a target, of which a prediction matches only one, or one is kept"
    )
    duplicates: Literal["drop", "wrong"] = _rule(
        "a prediction with the stems of an earlier one is ignored, or keeps its rank and is wrong"
    )
    punctuation: str = _rule("a prediction with one of these marks among its words is ignored")
    unknown: str = _rule("a prediction with this in its text is ignored; empty for none")
    one_word: Literal["any", "first"] = _rule(
        "predictions of one word: any number, or only the first in the list, whether that is ignored or not"
    )
    precision: Literal["predicted", "k"] = _rule(
        "P@k divides by the number of predictions considered, min(k, predicted), or by k ('padded')"
    )
    documents: Literal["with-targets", "all"] = _rule(
        "which documents enter the average of a part: those with a gold phrase of that part, or all (others count 0)"
    )
    no_gold: Literal["zero", "one"] = _rule(
        "nDCG of a document without gold phrases, if it enters the average; other metrics are 0"
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
        """The rules that differ from those of the named protocol, except those implied by another language."""
        if self.name not in PROTOCOLS:
            return {}
        named = find(self.name, {"language": self.language})
        changed = {rule: getattr(self, rule) for rule in RULES if getattr(self, rule) != getattr(named, rule)}
        return changed if self.language == PROTOCOLS[self.name].language else {"language": self.language, **changed}

    @property
    def analyzer(self) -> Analyzer:
        """The analyzer of texts; its tokenizer is the published one if that of the protocol has no offsets."""
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
        compare="stems",
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
        no_gold="zero",
        average="mean-of-f1",
    ),
    # Meng et al. 2017, keyphrase_utils.py of seq2seq-keyphrase
    "meng2017": Protocol(
        name="meng2017",
        compare="stems",
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
        no_gold="zero",
        average="mean-of-f1",
    ),
    # Chan et al. 2019, evaluate_prediction.py of keyphrase-generation-rl with the options of its README; also
    # One2Set, WR-One2Set and KPEval
    "chan2019": Protocol(
        name="chan2019",
        compare="stems",
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
        no_gold="zero",
        average="f1-of-means",
    ),
    # Ours, for languages other than English: words of any script, the stemmer of the language (see `--language`)
    "multilingual": Protocol(
        name="multilingual",
        compare="stems",
        language="en",
        tokenizer="unicode",
        stemmer="nltk-porter",
        title="period",
        match="words",
        brackets="both",
        empty_gold="drop",
        gold_duplicates="drop",
        duplicates="drop",
        punctuation=".,",
        unknown="<unk>",
        one_word="any",
        precision="predicted",
        documents="with-targets",
        no_gold="zero",
        average="mean-of-f1",
    ),
    # Subject indexing as Annif evaluates it (annif/eval.py of 1.4)
    "annif": Protocol(
        name="annif",
        compare="concepts",
        language="en",
        tokenizer="unicode",
        stemmer="none",
        title="period",
        match="words",
        brackets="keep",
        empty_gold="drop",
        gold_duplicates="drop",
        duplicates="drop",
        punctuation="",
        unknown="",
        one_word="any",
        precision="predicted",
        documents="all",
        no_gold="one",
        average="mean-of-f1",
    ),
}


def find(name: str, overrides: Mapping[str, str] | None = None) -> Protocol:
    """Look a protocol up by name, with some of its rules overridden."""
    if name not in PROTOCOLS:
        raise KeyseqError(f"unknown protocol '{name}'{nearest(name, PROTOCOLS)}")
    changes: dict[str, Any] = dict(overrides or {})
    for rule in changes:
        if rule not in RULES:
            raise KeyseqError(f"unknown rule '{rule}' of a protocol{nearest(rule, RULES)}")
    language = changes.get("language", PROTOCOLS[name].language)
    if language != PROTOCOLS[name].language:
        usual = languages.find(language)
        changes = {"tokenizer": _TOKENIZERS.get(language, UNICODE), "stemmer": usual.stemmer} | changes
    return replace(PROTOCOLS[name], **changes)
