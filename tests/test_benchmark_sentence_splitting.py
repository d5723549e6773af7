"""NLTK's parameters for the sentences of Annif: found, learnt from its corpus, or missed in a sentence."""

import os
import sys

import pytest
from benchmarks import sentence_splitting
from benchmarks.sentence_splitting import PACKAGE, split_sentences

from keyseq.errors import KeyseqError


@pytest.fixture
def annif(tmp_path, monkeypatch):
    """An Annif of this Python, which is given no data of NLTK."""
    monkeypatch.setenv("NLTK_DATA", str(tmp_path / "nothing"))
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "python").write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    (folder / "python").chmod(0o755)
    return folder / "annif"


def test_parameters_are_learnt_once_from_the_corpus_where_there_are_none(annif, tmp_path, monkeypatch):
    monkeypatch.setattr(sentence_splitting, "_LOOK", "raise SystemExit(1)")
    corpus = tmp_path / "corpus.tsv"
    corpus.write_text("Dr. Smith met Dr. Jones. They spoke of Dr. Brown.\t<http://x/1>\n" * 20)
    assert split_sentences(annif, corpus, tmp_path / "work")
    learnt = tmp_path / "work" / "nltk" / PACKAGE / "english"
    assert "dr" in (learnt / "abbrev_types.txt").read_text().split()
    assert os.environ["NLTK_DATA"] == str(tmp_path / "work" / "nltk")
    corpus.unlink()  # the second time it is not read
    assert split_sentences(annif, corpus, tmp_path / "work")


def test_what_nltk_has_is_used(annif, tmp_path, monkeypatch):
    monkeypatch.setattr(sentence_splitting, "_LOOK", "pass")
    assert not split_sentences(annif, tmp_path / "corpus.tsv", tmp_path / "work")
    assert not (tmp_path / "work").exists()


def test_a_corpus_that_cannot_be_read_is_a_sentence(annif, tmp_path, monkeypatch):
    monkeypatch.setattr(sentence_splitting, "_LOOK", "raise SystemExit(1)")
    with pytest.raises(KeyseqError, match="punkt_tab is not there and cannot be learnt"):
        split_sentences(annif, tmp_path / "missing.tsv", tmp_path / "work")
