"""The language of texts and the components of its analyzer, as settings stored with every trained system."""

from dataclasses import dataclass

from keyseq.config.fields import setting
from keyseq.languages import ENGLISH, STEMMERS, STOP_WORDS, TOKENIZERS, check_part, find


@dataclass(frozen=True, kw_only=True)
class LanguageSettings:
    """A language and the components of its analyzer; those not given are the defaults of the language.

    Each component is stored by name, so that a trained system keeps its components when the defaults change.
    """

    language: str = setting(ENGLISH, "language of the texts, by its ISO 639-1 code")
    tokenizer: str = setting("", "how texts are tokenized: meng17 (as published) or unicode")
    stemmer: str = setting(
        "", "stemmer, by which two words are equal: nltk-porter, snowball-german, simplemma-fi, … or none"
    )
    stop_words: str = setting("", "list of stop words: keyseq (English) or stopwordsiso")

    def __post_init__(self) -> None:
        usual = find(self.language)
        parts = {"tokenizer": TOKENIZERS, "stemmer": STEMMERS, "stop_words": STOP_WORDS}
        for part, known in parts.items():
            if not getattr(self, part):
                object.__setattr__(self, part, getattr(usual, part))
            check_part(part.replace("_", " "), getattr(self, part), known)
