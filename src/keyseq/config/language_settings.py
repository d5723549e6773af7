"""The language of texts and the parts of its analyzer, as settings that are stored with whatever was trained."""

from dataclasses import dataclass

from keyseq.config.fields import setting
from keyseq.languages import ENGLISH, STEMMERS, STOP_WORDS, TOKENIZERS, check_part, find


@dataclass(frozen=True, kw_only=True)
class LanguageSettings:
    """A language, and the parts that analyse it; those not given are the language's usual ones.

    Each part is stored by its name, so that a system keeps the parts it was trained with when the usual ones change.
    """

    language: str = setting(ENGLISH, "language of the texts, by its ISO 639-1 code")
    tokenizer: str = setting("", "how texts are cut into words: meng17 (as published) or unicode")
    stemmer: str = setting("", "what makes two words the same word: nltk-porter, snowball-german and so on, or none")
    stop_words: str = setting("", "the list of words that are no keyphrases: keyseq (English) or stopwordsiso")

    def __post_init__(self) -> None:
        usual = find(self.language)
        parts = {"tokenizer": TOKENIZERS, "stemmer": STEMMERS, "stop_words": STOP_WORDS}
        for part, known in parts.items():
            if not getattr(self, part):
                object.__setattr__(self, part, getattr(usual, part))
            check_part(part.replace("_", " "), getattr(self, part), known)
