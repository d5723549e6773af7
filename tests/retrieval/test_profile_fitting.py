"""Profiles from a corpus: sums of TF-IDF vectors by hand, learnt weights by what they must bring about."""

import numpy as np
import pytest
from tests.retrieval.corpus import stored

from keyseq.retrieval.profile_fitting import ProfileSettings, fit_profiles
from keyseq.retrieval.terms import terms, words_of
from keyseq.retrieval.token_store import store_tokens
from keyseq.text.hashing import phrase_hash
from keyseq.types import Document

PLAIN = ProfileSettings(least=1, learnt=False)


def scores(profiles, labels, text):
    found = profiles.scores(terms(words_of(Document(id="q", body=text))))
    return dict(zip([one.text for one in labels], found.tolist(), strict=True))


def topics(count=60):
    """Documents on two topics; tags are never in the text. The word "study" is everywhere."""
    words = {"zoology": ["tiger", "zebra", "lion", "safari"], "astronomy": ["planet", "comet", "orbit", "galaxy"]}
    draw = np.random.default_rng(1)
    for number in range(count):
        tag = ("zoology", "astronomy")[number % 2]
        text = " . ".join(["study", *draw.choice(words[tag], 3)])
        yield Document(id=str(number), body=text, keyphrases=(tag,))


def test_the_profile_of_a_label_with_one_document_is_that_document(tmp_path):
    # "birds" is of c alone: {bird, nest, green, park, bird nest, green park}, all of length 1 together, so the
    # document itself has a score of 1 (to the 127th part that weights are kept in)
    profiles, labels = fit_profiles(stored(tmp_path), PLAIN)
    assert scores(profiles, labels, "Birds nest in green parks")["birds"] == pytest.approx(1, abs=0.01)


def test_rare_terms_of_a_document_weigh_more(tmp_path):
    # of three documents one has "nest" and two have "green": idf log 4 and log 2, so twice the weight
    profiles, labels = fit_profiles(stored(tmp_path), PLAIN)
    label = [one.text for one in labels].index("birds")
    weights = {}
    for place, term in enumerate(profiles.terms.tolist()):
        for entry in range(profiles.offsets[place], profiles.offsets[place + 1]):
            if profiles.labels[entry] == label:
                weights[term] = profiles.weights[entry] * profiles.scale[label]
    assert weights[phrase_hash(["nest"])] == pytest.approx(2 * weights[phrase_hash(["green"])], abs=0.01)


def test_labels_are_keyphrases_of_enough_documents(tmp_path):
    _, labels = fit_profiles(stored(tmp_path), ProfileSettings(least=2, learnt=False))
    assert [one.text for one in labels] == ["cities", "green parks"]


def test_only_the_largest_weights_of_a_label_are_kept(tmp_path):
    profiles, labels = fit_profiles(stored(tmp_path), ProfileSettings(least=1, learnt=False, weights=2))
    assert np.bincount(profiles.labels).tolist() == [2] * len(labels)
    profiles.check(len(labels))


def test_frequent_labels_keep_more_terms_by_growth(tmp_path):
    texts = " ".join(f"word{number}" for number in range(30))
    tags = ["often"] * 20 + ["usual"] * 10 + ["rare"]
    documents = [Document(id=str(number), body=texts, keyphrases=(tag,)) for number, tag in enumerate(tags)]
    store = store_tokens(documents, tmp_path)
    settings = ProfileSettings(least=1, learnt=False, weights=8, support=12, growth=1.0)
    profiles, labels = fit_profiles(store, settings)
    kept = dict(zip([one.text for one in labels], np.bincount(profiles.labels).tolist(), strict=True))
    # 8 of ten documents; of twenty 16, but no more than the support; of one 0.8, but no less than half
    assert kept == {"often": 12, "usual": 8, "rare": 4}


def test_a_label_of_two_documents_scores_higher_by_the_prior(tmp_path):
    plain, labels = fit_profiles(stored(tmp_path), PLAIN)
    raised, _ = fit_profiles(stored(tmp_path), ProfileSettings(least=1, learnt=False, prior=1.0))
    before, after = (scores(one, labels, "Birds nest in green parks") for one in (plain, raised))
    assert after["green parks"] == pytest.approx(2 * before["green parks"])  # two documents
    assert after["birds"] == pytest.approx(before["birds"])  # one


def test_terms_without_weights_are_left_out(tmp_path):
    profiles, _ = fit_profiles(stored(tmp_path), ProfileSettings(least=1, learnt=False, weights=1))
    assert (np.diff(profiles.offsets.astype(int)) > 0).all()


def test_a_corpus_without_frequent_keyphrases_has_no_labels(tmp_path):
    profiles, labels = fit_profiles(stored(tmp_path), ProfileSettings(least=9, learnt=False))
    assert labels == []
    profiles.check(0)


@pytest.mark.parametrize("learnt", [False, True])
def test_a_tag_that_no_text_contains_is_retrieved_by_the_words_of_its_topic(learnt, tmp_path):
    profiles, labels = fit_profiles(stored(tmp_path, topics()), ProfileSettings(learnt=learnt))
    found = scores(profiles, labels, "a study of a comet near the planet")
    assert found["astronomy"] > 5 * abs(found["zoology"])


def test_learnt_weights_tell_apart_what_shared_words_do_not(tmp_path):
    # "study" is in every document: its idf is nearly 0, and learning must not make it speak for either
    profiles, labels = fit_profiles(stored(tmp_path, topics()), ProfileSettings())
    assert max(map(abs, scores(profiles, labels, "study comet").values())) > 1
    assert all(abs(value) < 3 for value in scores(profiles, labels, "study").values())


def test_the_same_seed_gives_the_same_weights(tmp_path):
    settings = ProfileSettings(documents=10, negatives=5)
    first, second = (fit_profiles(stored(tmp_path, topics()), settings)[0] for _ in range(2))
    assert first.weights.tolist() == second.weights.tolist()
    assert first.scale.tolist() == second.scale.tolist()
