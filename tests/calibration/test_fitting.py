from pathlib import Path

import numpy as np
import pytest
import torch
from tests.systems.networks import made, texts

import keyseq
from keyseq.calibration.fitting import calibrate
from keyseq.config import load_settings
from keyseq.data.vocabulary import SEP
from keyseq.errors import KeyseqError
from keyseq.runtime.exporting import export
from keyseq.types import Document


def test_a_calibrated_network_says_as_many_phrases_as_its_documents_have(tmp_path):
    folder, talkative = tmp_path / "network", made()
    with torch.no_grad():
        talkative.network.pointer.vocabulary.bias[SEP] += 3
    export(talkative, folder)
    before = keyseq.load(str(folder)).predict(texts(30))
    documents = [
        Document(id=str(number), body=text, keyphrases=("one", "two")) for number, text in enumerate(texts(30))
    ]
    found = calibrate(folder, documents).ending
    assert found.documents == 30
    assert found.mae < found.mae_uncalibrated
    assert load_settings(folder / "settings.toml").ending == found.ending
    after = keyseq.load(str(folder)).predict(texts(30))
    errors = [np.mean([abs(len(phrases) - 2) for phrases in said]) for said in (after, before)]
    assert errors[0] < errors[1]
    greedy = keyseq.load(str(folder), decoding="greedy")
    assert greedy._policy.end_bonus == greedy._policy.end_growth == 0, "published strategies stay as they are"


def agreed(bodies, said):
    """Documents whose keyphrase is what a network says first."""
    return [
        Document(id=str(number), body=body, keyphrases=(found[0].text,) if found else ("none",))
        for number, (body, found) in enumerate(zip(bodies, said, strict=True))
    ]


@pytest.mark.parametrize("paradigm", ["one2seq", "one2one"])
def test_a_network_learns_an_order_and_uses_it(tmp_path, paradigm):
    folder, bodies = tmp_path / "network", texts(20, longest=30)  # one window each
    export(made(paradigm), folder)
    before = keyseq.load(str(folder), decoding="exhaustive").predict(bodies)
    shared = keyseq.load(str(folder), decoding="exhaustive", ranking="share").predict(bodies)
    documents = [
        Document(id=body, body=body, keyphrases=tuple(phrase.text for phrase in found[len(found) // 2 :]))
        for body, found in zip(bodies, shared, strict=True)  # people here choose what few sequences say
    ]
    number, order = calibrate(folder, documents)
    assert (number is None) == (paradigm == "one2one"), "of one phrase a sequence there is no number"
    assert order.documents == 20
    assert order.r_precision > order.r_precision_published
    assert order.weights.share < 0
    assert load_settings(folder / "settings.toml").order == order.weights
    after = keyseq.load(str(folder), decoding="exhaustive").predict(bodies)
    texts_of = [[{phrase.text for phrase in found} for found in said] for said in (before, after)]
    assert texts_of[0] == texts_of[1], "the same phrases"
    assert [found[0].text for found in after] != [found[0].text for found in before], "in another order"


def test_what_is_found_is_held_against_the_keyphrases_of_its_own_document(tmp_path):
    """Forty documents are two batches; one has nothing to read, others more than a window."""
    folder, bodies = tmp_path / "network", texts(40, longest=90)
    bodies[3] = "..."
    export(made(), folder)
    said = keyseq.load(str(folder), decoding="exhaustive", cut=True).predict(bodies)
    order = calibrate(folder, agreed(bodies, said)).reranking
    assert order.documents == 39
    assert order.r_precision_published == 1, "the first phrase is always the document's"


def test_the_folder_is_calibrated_whatever_its_name(tmp_path, monkeypatch):
    """`scholar` is a network of the package, too."""
    bodies = texts(12, longest=30)
    for name in ("scholar", "other"):
        export(made(), tmp_path / name)
    documents = agreed(bodies, keyseq.load(str(tmp_path / "other"), ranking="share").predict(bodies))
    monkeypatch.chdir(tmp_path)
    assert calibrate(Path("scholar"), documents) == calibrate(Path("other"), documents)


def test_documents_without_keyphrases_calibrate_nothing(tmp_path):
    export(made(), tmp_path / "network")
    before = (tmp_path / "network/settings.toml").read_text()
    with pytest.raises(KeyseqError, match="no document with keyphrases"):
        calibrate(tmp_path / "network", [Document(id="a", body="dal")])
    with pytest.raises(KeyseqError, match="no document with keyphrases"):
        calibrate(tmp_path / "network", [Document(id="a", body="dal", keyphrases=("()",))])
    assert (tmp_path / "network/settings.toml").read_text() == before
