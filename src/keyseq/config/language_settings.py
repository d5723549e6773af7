"""The language of texts and the components of its analyzer, as settings stored with every trained system."""

from dataclasses import dataclass
from typing import ClassVar

from keyseq.config.fields import setting
from keyseq.errors import KeyseqError
from keyseq.languages import ANY, ENGLISH, STEMMERS, STOP_WORDS, TOKENIZERS, check_part, find


@dataclass(frozen=True, kw_only=True)
class LanguageSettings:
    """A language and the components of its analyzer; those not given are the defaults of the language.

    Each component is stored by name, so that a trained system keeps its components when the defaults change. Where
    `any_language` allows it, the language may be `mul`: the components are then those of each text's language.
    """

    any_language: ClassVar[bool] = False

    language: str = setting(ENGLISH, "language of the texts, by its ISO 639-1 code")
    tokenizer: str = setting(
        "", "how texts are tokenized: meng17 (as published), unicode, or one for a language: elision, turkish, josa, …"
    )
    stemmer: str = setting(
        "", "stemmer, by which two words are equal: nltk-porter, snowball-german, simplemma-fi, … or none"
    )
    stop_words: str = setting("", "list of stop words: keyseq (English) or stopwordsiso")

    def __post_init__(self) -> None:
        parts = {"tokenizer": TOKENIZERS, "stemmer": STEMMERS, "stop_words": STOP_WORDS}
        if self.any_language and self.language == ANY:
            if any(getattr(self, part) for part in parts):
                raise KeyseqError(
                    f"with language {ANY}, tokenizer, stemmer and stop words are those of each text; leave them out"
                )
            return
        usual = find(self.language)
        for part, known in parts.items():
            if not getattr(self, part):
                given = usual.tokenizer_at_hand if part == "tokenizer" else getattr(usual, part)
                object.__setattr__(self, part, given)
            check_part(part.replace("_", " "), getattr(self, part), known)
