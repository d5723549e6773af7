"""What a thesaurus says of a concept, each feature worked out by hand."""

import numpy as np
import pytest
from tests.ranking.handmade import LABELS, pool

from keyseq.ranking.concept_candidates import ConceptFinder
from keyseq.ranking.concept_features import CONCEPT_FEATURES, ConceptPool, ConceptWeights, measure_concepts, ranked_pool
from keyseq.ranking.logistic import logistic
from keyseq.text.analyzer import ENGLISH
from keyseq.vocabularies.building import build_vocabulary
from keyseq.vocabularies.concept import ALTERNATIVE, BROADER, RELATED, Concept, ConceptLabel

TEXT = "Mercury and Venus . Mercury is the planet that is nearest to the sun, a quicksilver point; Venus follows."


@pytest.fixture
def concepts():
    """Mercury the planet and the element; Venus, which is related to the planet; planets, which are broader."""
    found = [
        Concept("u:planet", (ConceptLabel("Mercury (planet)"),), ((RELATED, "u:venus"), (BROADER, "u:planets"))),
        Concept("u:element", (ConceptLabel("quicksilver"), ConceptLabel("mercury", ALTERNATIVE))),
        Concept("u:venus", (ConceptLabel("Venus"), ConceptLabel("evening star", ALTERNATIVE))),
        Concept("u:planets", (ConceptLabel("planets"),)),
    ]
    finder = ConceptFinder(build_vocabulary(found, "sky"), LABELS, ENGLISH)
    document = pool(TEXT, "Mercury and Venus", generated=())
    found = finder.find(document)
    return ConceptPool(found, finder, document, np.zeros(len(found)))


def features(concepts):
    """The features by the name of each concept."""
    names = [concepts.finder.vocabulary.preferred(one.concept, "en") for one in concepts.found]
    rows = measure_concepts(concepts)
    return {name: dict(zip(CONCEPT_FEATURES, row.tolist(), strict=True)) for name, row in zip(names, rows, strict=True)}


def test_features_by_hand(concepts):
    measured = features(concepts)
    assert set(measured) == {"Mercury (planet)", "quicksilver", "Venus", "planets"}
    assert measured["Mercury (planet)"] == pytest.approx(
        {
            "logit": 0,
            "preferred": 1,
            "borrowed": 0,
            "ambiguity": np.log(2),  # the element has its name too
            "qualified": 1,  # the text has the word "planet"
            "labels_found": np.log(2),
            "occurrences_found": np.log(3),
            "broader_found": np.log(2),
            "narrower_found": 0,
            "related_found": np.log(2),
        }
    )
    assert measured["quicksilver"]["ambiguity"] == 0  # it stands where Mercury does not, too
    assert measured["quicksilver"]["labels_found"] == pytest.approx(np.log(3))
    assert measured["planets"]["narrower_found"] == pytest.approx(np.log(2))
    assert measured["Venus"]["related_found"] == pytest.approx(np.log(2))


def test_without_learning_the_rankers_word_counts_and_related_concepts_add_a_little(concepts):
    chances = dict(zip(features(concepts), ConceptWeights.unlearnt().probabilities(concepts), strict=True))
    assert chances["quicksilver"] == pytest.approx(0.5)
    assert chances["Venus"] == pytest.approx(logistic(np.array(0.3 * np.log(2))))
    assert chances["planets"] == pytest.approx(logistic(np.array(0.3 * np.log(2))))


def test_concepts_that_share_a_label_share_its_probability():
    finder = ConceptFinder(
        build_vocabulary([Concept(f"u:{n}", (ConceptLabel("Mercury"),)) for n in range(2)], "sky"), LABELS, ENGLISH
    )
    document = pool("Mercury rises", "", generated=())
    found = finder.find(document)
    chances = ConceptWeights.unlearnt().probabilities(ConceptPool(found, finder, document, np.array([2.0, 2.0])))
    assert chances == pytest.approx(np.full(2, logistic(np.array(2.0)) / 2))


def test_a_document_without_concepts_has_no_rows(concepts):
    none = ConceptPool([], concepts.finder, concepts.pool, np.zeros(0))
    assert measure_concepts(none).shape == (0, len(CONCEPT_FEATURES))
    assert ConceptWeights.unlearnt().probabilities(none).shape == (0,)


def test_logits_are_those_of_the_first_trees_for_the_best_candidate(learnt, concepts):
    from keyseq.ranking.features import measure

    ranked = ranked_pool(concepts.finder, concepts.pool, learnt.ranker)
    rows = measure(concepts.pool)
    for one, logit in zip(ranked.found, ranked.logits, strict=True):
        numbers = np.array(one.candidates)
        raw = learnt.ranker.first.logits(rows[numbers]).astype(float)
        present = concepts.pool.run[numbers] >= 0
        assert logit == pytest.approx(max(learnt.ranker.scaling.logits(raw, present)))
