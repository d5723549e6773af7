import itertools
import random
import resource
import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
import torch

import keyseq
from keyseq.config import OrderSettings, load_settings
from keyseq.decoding.phrases import RANKINGS
from keyseq.errors import KeyseqError
from keyseq.runtime.exporting import export
from keyseq.runtime.torch import torch_stepper
from keyseq.systems import neural
from keyseq.systems.neural import Model, NeuralSystem
from keyseq.systems.neural_settings import NeuralSettings
from keyseq.text.presence import SourceText
from keyseq.types import Document, System

from .networks import WINDOW, WORDS, made, texts

torch.set_num_threads(1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    out = tmp_path_factory.mktemp("systems") / "network"
    export(made(), out)
    return out


@pytest.fixture(scope="module")
def ordered(folder, tmp_path_factory):
    """The same network, which prefers short phrases that the text repeats."""
    out = tmp_path_factory.mktemp("systems") / "ordered"
    shutil.copytree(folder, out)
    order = OrderSettings(share=0.1, probability=0.5, occurrences=2, bias=-1)
    settings = replace(load_settings(out / "settings.toml"), order=order)
    (out / "settings.toml").write_text(settings.to_toml())
    return out


@pytest.fixture(scope="module")
def system(folder):
    return keyseq.load(str(folder), threads=1)


def said(phrases):
    return [[phrase.text for phrase in found] for found in phrases]


def test_a_folder_is_a_system_like_any_other(system, folder):
    assert isinstance(system, System)
    assert system.name == str(folder)
    [phrases] = system.predict([Document(id="a", title="Dal dan", body="fal-fan gem dal.")])
    assert phrases
    assert all(0 <= phrase.score <= 1 for phrase in phrases)


@pytest.mark.parametrize("decoding", ["greedy", "beam", "exhaustive", "sampling"])
def test_scores_fall_with_the_rank_and_spans_are_right(ordered, decoding):
    documents = texts(12)
    for ranking in RANKINGS:
        loaded = keyseq.load(str(ordered), decoding=decoding, beam=1 if decoding == "greedy" else 5, ranking=ranking)
        for text, phrases in zip(documents, loaded.predict(documents), strict=True):
            scores = [phrase.score for phrase in phrases]
            assert scores == sorted(scores, reverse=True)
            for phrase in phrases:
                assert phrase.present == bool(phrase.spans)
                assert all(0 <= start < end <= len(text) for start, end in phrase.spans)


def test_an_exhaustive_search_without_a_choice_is_in_the_learnt_order_where_there_is_one(folder, ordered):
    documents, search = texts(12, longest=30), {"decoding": "exhaustive", "beam": 8}
    published = keyseq.load(str(folder), **search).predict(documents)
    assert keyseq.load(str(ordered), ranking="sequence", **search).predict(documents) == published
    learnt = keyseq.load(str(ordered), **search).predict(documents)
    assert learnt == keyseq.load(str(ordered), ranking="learnt", **search).predict(documents) != published
    assert [sorted(found) for found in said(learnt)] == [sorted(found) for found in said(published)]
    greedy = [keyseq.load(str(one), decoding="greedy").predict(documents) for one in (folder, ordered)]
    assert greedy[0] == greedy[1], "one sequence stays in its own order"
    with pytest.raises(KeyseqError, match="no learnt ranking"):
        keyseq.load(str(folder), ranking="learnt", **search)


def test_phrases_do_not_depend_on_batches_nor_threads_nor_neighbours(folder):
    documents = texts(150)
    together = said(keyseq.load(str(folder), threads=1).predict(documents))
    assert said(keyseq.load(str(folder), threads=3).predict(documents)) == together
    one = keyseq.load(str(folder), threads=1)
    assert [found for text in documents[:40] for found in said(one.predict([text]))] == together[:40]
    assert said(one.predict(documents[::-1])) == together[::-1]


@pytest.mark.parametrize(
    ("count", "threads", "sizes", "why"),
    [
        (300, 2, [64, 64, 64, 64, 32, 12], "greedy searches of many texts share the weights"),
        (128, 2, [64, 64], "as many as keep both threads busy"),
        (127, 2, [32, 32, 32, 31], "or fewer, so that no thread is idle"),
        (100, 1, [64, 32, 4], "and the last are searched as they are by more threads"),
    ],
)
def test_how_many_texts_are_searched_at_once(count, threads, sizes, why):
    batches = [[*range(start, min(count, start + neural.ROWS))] for start in range(0, count, neural.ROWS)]
    joined = neural._in_pairs(batches, threads)
    assert [len(batch) for batch in joined] == sizes, why
    assert [number for batch in joined for number in batch] == [*range(count)]


def test_eight_threads_share_a_system(folder):
    loaded = keyseq.load(str(folder), decoding="beam", beam=4)
    documents = texts(64)
    alone = said(loaded.predict(documents))
    with ThreadPoolExecutor(8) as pool:
        parts = list(pool.map(loaded.predict, [documents[start : start + 8] for start in range(0, 64, 8)]))
    assert [found for part in parts for found in said(part)] == alone


def test_both_engines_give_the_same_phrases_as_a_system(folder):
    stored = made()
    model = Model(torch_stepper(stored.network), stored.vocabulary, stored.settings.target)
    for decoding in ("greedy", "beam"):
        ours = keyseq.load(str(folder), decoding=decoding).predict(texts(60))
        theirs = NeuralSystem("torch", model, NeuralSettings(decoding=decoding)).predict(texts(60))
        assert said(ours) == said(theirs)
        pairs = zip(itertools.chain(*ours), itertools.chain(*theirs), strict=True)
        assert all(one.score == pytest.approx(other.score, rel=1e-3) for one, other in pairs)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "nothing"),
        (" \n\t ", "only space"),
        ("... !!! ,,, ()", "only punctuation"),
        ("—–“”", "only punctuation outside ASCII"),
        ("日本語のテキスト", "no word that this tokenizer sees"),
    ],
)
def test_a_text_without_words_has_no_phrases(system, text, reason):
    assert system.predict([text]) == [[]], reason


@pytest.mark.parametrize(
    "text",
    [
        "dal",
        "unseen",
        "zzz yyy xxx",
        "2020",
        "naïve café",
        "dal \ud800 dan",
        "a" * 5_000,
        "dal\x00dan",
        "Ωmega Журнал dal",
    ],
)
def test_odd_texts_have_an_answer(system, text):
    [phrases] = system.predict([text, "dal"])[:1]
    assert all(phrase.text for phrase in phrases)


def test_unknown_words_can_be_said_by_copying_and_never_as_unknown(folder):
    documents = [f"Zyx{number} Qwv{number} " * 3 for number in range(30)]
    found = said(keyseq.load(str(folder), decoding="exhaustive", beam=10, max_length=4).predict(documents))
    assert all("qwv" in " ".join(phrases).lower() for phrases in found)
    assert not any("<" in text for phrases in found for text in phrases)


def test_a_long_text_is_read_to_its_end_in_windows(folder):
    late = "unseenword"
    text = " ".join([*random.Random(1).choices(WORDS, k=5 * WINDOW), *[late] * WINDOW])
    settings = {"decoding": "exhaustive", "beam": 10, "max_length": 3}
    whole = said(keyseq.load(str(folder), **settings).predict([text]))[0]
    cut = said(keyseq.load(str(folder), **settings, cut=True).predict([text]))[0]
    head = said(keyseq.load(str(folder), **settings).predict([" ".join(text.split()[:WINDOW])]))[0]
    assert any(late in phrase for phrase in whole)
    assert cut == head


def test_a_book_has_an_answer_in_bounded_memory(folder):
    loaded = keyseq.load(str(folder), max_length=2, top=5)
    line = " ".join(random.Random(1).choices(WORDS, k=1_000)) + "\n"
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    [phrases] = loaded.predict([line * (2_000_000 // len(line))])
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert 0 < len(phrases) <= 5
    assert grown < 600 * 1024


@pytest.mark.parametrize("decoding", ["greedy", "beam", "exhaustive"])
def test_an_allow_list_is_all_that_is_said(folder, decoding):
    listed = ["Dal Dan", "fal", "gem (GM)", "unseen", "Word-like", "kal kan kar"]
    loaded = keyseq.load(str(folder), decoding=decoding, beam=1 if decoding == "greedy" else 6, allow=listed)
    found = said(loaded.predict(texts(40)))
    assert set().union(*found) <= set(listed)
    assert all(found)


def test_a_list_of_100_000_phrases_holds(folder):
    draw = random.Random(4)
    listed = {" ".join(draw.choices(WORDS, k=3)) for _ in range(101_000)}
    listed = sorted(listed)[:100_000]
    found = said(keyseq.load(str(folder), decoding="beam", beam=5, allow=listed).predict(texts(12)))
    assert set().union(*found) <= set(listed)
    assert all(found)


def test_settings_choose_what_is_wanted(folder):
    documents = texts(30)
    every = keyseq.load(str(folder), decoding="exhaustive", beam=8).predict(documents)
    top = keyseq.load(str(folder), decoding="exhaustive", beam=8, top=3).predict(documents)
    assert said(top) == [found[:3] for found in said(every)]
    absent = keyseq.load(str(folder), decoding="exhaustive", beam=8, present=False).predict(documents)
    assert said(absent) == [[p.text for p in found if not p.present] for found in every]
    denied = said(every)[0][0]
    left = keyseq.load(str(folder), decoding="exhaustive", beam=8, deny=[denied]).predict(documents)
    assert said(left)[0] == said(every)[0][1:]


def test_one_phrase_a_sequence_is_decoded_exhaustively_unless_told_otherwise(tmp_path):
    export(made("one2one"), tmp_path / "out")
    loaded = keyseq.load(str(tmp_path / "out"))
    [phrases] = loaded.predict(texts(1))
    assert len(phrases) > 20
    assert all(len(phrase.text.split()) <= 6 for phrase in phrases)


def test_a_network_is_saved_and_loaded_as_the_field_expects(folder, tmp_path):
    documents = texts(10)
    first = NeuralSystem.from_pretrained(str(folder), decoding="beam")
    first.save_pretrained(tmp_path / "saved")
    again = NeuralSystem.from_pretrained(str(tmp_path / "saved"), decoding="beam")
    assert said(again.predict(documents)) == said(first.predict(documents))
    stored = made()
    running = Model(torch_stepper(stored.network), stored.vocabulary, stored.settings.target)
    with pytest.raises(KeyseqError, match="only an exported network can be saved"):
        NeuralSystem("torch", running, NeuralSettings()).save_pretrained(tmp_path / "other")


@pytest.mark.parametrize(
    ("name", "settings", "message"),
    [
        ("./nowhere", {}, "neither a folder nor a hub id"),
        (None, {"beem": 3}, "has no setting 'beem'; did you mean 'beam'"),
        (None, {"decoding": "magic"}, "decoding must be one of distinct, greedy, .*not 'magic'"),
        (None, {"beam": 0}, "beam must be at least 1, not 0"),
        (None, {"allow": ["", " "]}, "is empty; write one phrase per line"),
    ],
)
def test_mistakes_are_told_in_a_sentence(folder, name, settings, message):
    with pytest.raises(KeyseqError, match=message):
        keyseq.load(name or str(folder), **settings)


def test_a_trained_but_not_exported_folder_says_what_to_do(tmp_path):
    with pytest.raises(KeyseqError, match=r"not the folder of a system.*see keyseq export"):
        keyseq.load(str(tmp_path))


@pytest.mark.parametrize(
    ("text", "read", "why"),
    [
        ("bal bel\n\nbil bol", ["bal", "bel", ".", "bil", "bol"], "a title stands apart from its text"),
        ("bal bel.\n \nbil bol", ["bal", "bel", ".", "bil", "bol"], "one full stop is enough"),
        ("bal bel\nbil bol", ["bal", "bel", "bil", "bol"], "a line is not a paragraph"),
        ("bal bel", ["bal", "bel"], "nothing to divide"),
        ("\n\nbal\n\n", ["bal"], "nothing before or behind"),
    ],
)
def test_a_network_reads_a_full_stop_between_paragraphs(system, text, read, why):
    [window] = system._windows([Document(id="1", body=text)], [SourceText(text)])
    assert window.words == read, why
