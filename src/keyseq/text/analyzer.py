"""The analyzer of a language: tokenizer, stemmer, stop words, and a tagger if available."""

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from keyseq.languages import ANY, LANGUAGES, UNICODE, find
from keyseq.languages import ENGLISH as ENGLISH_CODE
from keyseq.text.stem import stems_by_folded_word, stems_by_word
from keyseq.text.stopwords import GENERIC_NOUNS, generic_nouns, stop_words, verbs
from keyseq.text.tokenize import (
    BETWEEN,
    Token,
    folded,
    folded_together,
    lower_composed,
    lower_turkish,
    normalize,
    tokenize,
    tokenizer,
    words,
)
from keyseq.text.tokenize import DEFAULT as PUBLISHED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from keyseq.config.language_settings import LanguageSettings
    from keyseq.text.segmentation import Segmenter
    from keyseq.text.tagging import Tagger


@dataclass(frozen=True, slots=True)
class Analyzer:
    """The components that analyse a language, each by name; they are loaded on first use."""

    language: str
    tokenizer: str
    stemmer: str
    stop_list: str

    @classmethod
    def for_language(cls, code: str) -> "Analyzer":
        """The default analyzer of a language, by its ISO 639-1 code."""
        usual = find(code)
        return cls(code, usual.tokenizer_at_hand, usual.stemmer, usual.stop_words)

    @classmethod
    def for_detected(cls, code: str) -> "Analyzer":
        """That of a detected language; where keyseq does not support it, whole words and the stop words it may have."""
        return cls.for_language(code) if code in LANGUAGES else cls(code, UNICODE, "none", "stopwordsiso")

    @classmethod
    def of(cls, settings: "LanguageSettings") -> "Analyzer":
        """The analyzer that settings describe."""
        return cls(settings.language, settings.tokenizer, settings.stemmer, settings.stop_words)

    def for_text(self, text: str) -> "Analyzer":
        """The same with a tokenizer that does not split the words of a text; the published one does beyond ASCII."""
        return self if text.isascii() else self.whole_words

    def of_text(self, text: str) -> "Analyzer":
        """The analyzer for a text: this one, or if it is for any language that of the text's."""
        if self.language != ANY:
            return self
        from keyseq.text.detection import detect

        return Analyzer.for_detected(detect(text).code)

    @property
    def whole_words(self) -> "Analyzer":
        """The same with a tokenizer that splits words of no script; the published one splits at accents."""
        return self.with_tokenizer(UNICODE) if self.tokenizer == PUBLISHED else self

    def with_tokenizer(self, name: str) -> "Analyzer":
        """The same with another tokenizer."""
        return replace(self, tokenizer=name)

    @property
    def light(self) -> "Analyzer":
        """The same with a stemmer that takes off inflections alone, where the language has one."""
        light = LANGUAGES[self.language].light_stemmer if self.language in LANGUAGES else ""
        return replace(self, stemmer=light or self.stemmer)

    def tokenize(self, text: str) -> list[Token]:
        """Tokenize a text, keeping case."""
        return tokenize(text, self.tokenizer)

    def normalize(self, word: str) -> str:
        """Normalise a word: `<digit>` for a number, otherwise its case folded."""
        return normalize(word, self.tokenizer)

    def words(self, text: str) -> list[str]:
        """Tokenize a text into normalised words."""
        return words(text, self.tokenizer)

    def stems(self, words: "Iterable[str]") -> list[str]:
        """Stem normalised words."""
        return list(map(stems_by_word(self.stemmer).__getitem__, words))

    def text_stems(self, text: str) -> list[str]:
        """Tokenize and stem a text: `stems(words(text))`, but faster."""
        return list(map(stems_by_folded_word(self.stemmer).__getitem__, folded(text, self.tokenizer)))

    def stem_lines(self, texts: "Sequence[str]") -> list[str]:
        """The stems of each text as a line, all between spaces, so that what a line contains are whole words."""
        stemmed = map(stems_by_folded_word(self.stemmer).__getitem__, folded_together(texts, self.tokenizer))
        line = " ".join(stemmed)
        return (f" {line} " if line else " ").split(BETWEEN) if texts else []

    @property
    def stop_words(self) -> frozenset[str]:
        """Words, lower-cased, that neither begin nor end a keyphrase."""
        return stop_words(self.stop_list, self.language)

    @property
    def lower(self) -> "Callable[[str], str]":
        """How words are lower-cased to be found among the stop words."""
        if self.language == ENGLISH_CODE:
            return str.lower
        return lower_turkish if self.tokenizer == "turkish" else lower_composed

    @property
    def capitalises_nouns(self) -> bool:
        """Whether nouns are recognisable by their capitals."""
        return self.language in LANGUAGES and LANGUAGES[self.language].capitalised_nouns

    @property
    def segmenter(self) -> "Segmenter | None":
        """What cuts runs of characters into words, where the tokenizer has it."""
        return tokenizer(self.tokenizer).segmenter

    @property
    def generic_nouns(self) -> frozenset[str]:
        """Nouns, lower-cased, that are not keyphrases on their own."""
        return GENERIC_NOUNS if self.language == ENGLISH_CODE else generic_nouns(self.language)

    @property
    def verbs(self) -> re.Pattern[str]:
        """Words that are verbs by their endings, where no tagger tells them."""
        return verbs(self.language)

    @property
    def tagger(self) -> "Tagger | None":
        """The part-of-speech tagger, None if the language has none."""
        if self.language != ENGLISH_CODE:
            return None
        from keyseq.text.tagging import english

        return english()


ENGLISH = Analyzer.for_language(ENGLISH_CODE)
