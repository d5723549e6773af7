"""The table of languages: every entry has its parts, and an unknown language is told from the known."""

from pathlib import Path

import pytest
import stopwordsiso

from keyseq.errors import KeyseqError
from keyseq.languages import LANGUAGES, find
from keyseq.text.analyzer import Analyzer


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_language_has_a_stemmer_and_stop_words(code):
    analyzer = Analyzer.for_language(code)
    assert analyzer.text_stems("keyseq 1999") == ["keyseq", "<digit>"]
    assert len(analyzer.stop_words) > 100
    assert code == "en" or code in stopwordsiso.langs()


def test_the_docs_list_every_language_with_its_stemmer_and_tokenizer():
    page = (Path(__file__).parents[1] / "docs/reference/systems.md").read_text(encoding="utf-8")
    for code, language in LANGUAGES.items():
        assert f"| `{code}` | {language.name} | `{language.stemmer}` | `{language.tokenizer}` |" in page


def test_an_unknown_language_is_told_with_the_list_of_the_known():
    with pytest.raises(KeyseqError, match=r"^unknown language 'xx'; choose one of en \(English\), .*zh \(Chinese\)$"):
        find("xx")
