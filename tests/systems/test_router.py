"""The classifier by which the default system chooses."""

import numpy as np
import pytest

from keyseq.errors import KeyseqError
from keyseq.systems.router import Router, accuracy, fit_router
from keyseq.types import Document

WORDS = {
    "scholar": "we propose a method and evaluate it on benchmarks with significant improvements",
    "questions": "how can i fix my error why does this not work please help",
    "general": "the council said on tuesday that residents will pay for new buses",
}


def documents(count, seed):
    draw = np.random.default_rng(seed)
    marks = {"scholar": ".", "questions": "?", "general": "."}
    return [
        (Document(id=f"{name}{number}", body=" ".join(draw.choice(words.split(), 20)) + marks[name]), name)
        for name, words in WORDS.items()
        for number in range(count)
    ]


def test_texts_of_other_words_than_those_of_training_are_told_apart():
    router = fit_router(documents(40, seed=1))
    assert accuracy(router, documents(40, seed=2)) > 0.95


def test_the_same_seed_gives_the_same_weights():
    first, second = (fit_router(documents(10, seed=1)) for _ in range(2))
    assert np.array_equal(first.weights, second.weights)


def test_a_text_without_words_is_taken_for_a_scholarly_one():
    router = fit_router(documents(10, seed=1))
    assert router.choose(Document(id="1", body=" … ")) == "scholar"
    assert router.choose(Document(id="1")) == "scholar"


def test_what_was_saved_chooses_alike(tmp_path):
    router = fit_router(documents(40, seed=1))
    router.save(tmp_path / "router.safetensors")
    loaded = Router.load(tmp_path / "router.safetensors")
    assert loaded.classes == router.classes
    held_out = [document for document, _ in documents(20, seed=3)]
    assert list(map(loaded.choose, held_out)) == list(map(router.choose, held_out))


def test_a_file_that_is_missing_is_refused_in_a_sentence(tmp_path):
    with pytest.raises(KeyseqError, match="missing or damaged"):
        Router.load(tmp_path / "none.safetensors")


def test_a_text_that_asks_nothing_is_no_question():
    router = fit_router(documents(40, seed=1))
    asked = next(document for document, name in documents(1, seed=4) if name == "questions")
    assert router.choose(asked) == "questions"
    assert router.choose(Document(id="1", body=asked.body.rstrip("?"))) != "questions"


def test_the_headings_of_a_paper_tell_it_whatever_it_is_about():
    router = fit_router(documents(40, seed=1))
    body = next(document.body for document, name in documents(1, seed=4) if name == "general")
    assert router.choose(Document(id="1", body=body)) == "general"
    assert router.choose(Document(id="1", body=f"Abstract\n\n{body}\n\n1 Introduction\n\n{body}")) == "scholar"


@pytest.mark.parametrize(
    ("title", "headings", "chosen"),
    [
        ("Lamps and moths", ("Abstract", "1 Introduction"), "scholar"),  # of Markdown, whose title is known
        ("Lamps and moths", ("Introduction", "2 Related work", "3. Methods"), "scholar"),  # of PDF and JATS
        ("Our library", ("Introduction", "Installation", "References"), "general"),
    ],
)
def test_a_paper_is_known_whose_title_or_abstract_its_reader_took(title, headings, chosen):
    router = fit_router(documents(40, seed=1))
    text = next(document.body for document, name in documents(1, seed=4) if name == "general")
    body = "\n\n".join(f"{heading}\n\n{text}" for heading in headings)
    assert router.choose(Document(id="1", title=title, body=body)) == chosen
