"""The features of candidates: one table of named functions over a document's pool."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from keyseq.extractive.reading import ADJECTIVE, GERUND, NOUN, PARTICIPLE
from keyseq.ranking.pool import Pool
from keyseq.ranking.runs import Flags, Floats
from keyseq.ranking.usage import (
    acronym,
    capitalised_inside,
    cohesion,
    left_variety,
    relative_occurrences,
    right_variety,
    shortest_word,
    spread,
    words_around,
)

Feature = Callable[[Pool], Floats | NDArray[np.float32]]
_ORDER = {ord(letter): place for place, letter in enumerate(("|", "x", PARTICIPLE, GERUND, ADJECTIVE, NOUN))}
_CLASS = np.array([_ORDER.get(code, 0) for code in range(256)], dtype=float)


def _constant(pool: Pool, value: float) -> Floats:
    return np.full(len(pool.keys), value)


# Of the run of words in the text; -1 where the text does not have it


def words(pool: Pool) -> Floats:
    """How many words it has."""
    return pool.of_runs(pool.runs.lengths.astype(float))


def occurrences(pool: Pool) -> Floats:
    """How often the text has it."""
    return pool.of_runs(pool.runs.counts.astype(float), 0.0)


def first_place(pool: Pool) -> Floats:
    """The place of its first occurrence, in words."""
    return pool.of_runs(pool.runs.first.astype(float))


def relative_first(pool: Pool) -> Floats:
    """The place of its first occurrence, as a share of the text."""
    return pool.of_runs(pool.runs.first / max(1, len(pool.tokens.hashes)))


def relative_last(pool: Pool) -> Floats:
    """The place of its last occurrence, as a share of the text."""
    return pool.of_runs(pool.runs.last / max(1, len(pool.tokens.hashes)))


def in_title(pool: Pool) -> Floats:
    """How often the title has it."""
    return pool.of_runs(pool.runs.share(pool.runs.places < pool.tokens.title) * pool.runs.counts, 0.0)


def stands_alone(pool: Pool) -> Floats:
    """Share of its occurrences with a mark or a stop word on both sides."""
    return pool.of_runs(pool.runs.share(pool.alone))


def is_noun_phrase(pool: Pool) -> Floats:
    """Share of its occurrences that are noun phrases as a whole."""
    return pool.of_runs(pool.noun_share)


def part_of_longer(pool: Pool) -> Floats:
    """How often the most frequent run of one word more stands in the text, for each occurrence."""
    return pool.of_runs(pool.runs.extended / pool.runs.counts)


def first_class(pool: Pool) -> Floats:
    """The word class of its first word."""
    return pool.of_runs(_CLASS[pool.tokens.classes[pool.runs.first]])


def last_class(pool: Pool) -> Floats:
    """The word class of its last word."""
    return pool.of_runs(_CLASS[pool.tokens.classes[pool.runs.last + pool.runs.lengths - 1]])


def stop_words(pool: Pool) -> Floats:
    """How many stop words are inside."""
    return pool.of_runs(pool.summed(pool.tokens.stops.astype(float)))


def characters(pool: Pool) -> Floats:
    """How many characters its words have."""
    return pool.of_runs(pool.summed(pool.word_shapes[:, 0]))


def capitals(pool: Pool) -> Floats:
    """Whether all its words have a capital, where it first stands."""
    return pool.of_runs(pool.extreme(pool.word_shapes[:, 1], np.minimum))


def digits(pool: Pool) -> Floats:
    """Whether one of its words has a digit."""
    return pool.of_runs(pool.extreme(pool.word_shapes[:, 2], np.maximum))


def textrank(pool: Pool) -> Floats:
    """Its TextRank score."""
    return pool.of_runs(pool.textrank)


def textrank_rank(pool: Pool) -> Floats:
    """Its rank by TextRank."""
    return pool.of_runs(_ranks(pool.textrank))


def tfidf(pool: Pool) -> Floats:
    """Its TF-IDF."""
    return pool.of_runs(pool.tfidf)


def tfidf_rank(pool: Pool) -> Floats:
    """Its rank by TF-IDF."""
    return pool.of_runs(_ranks(pool.tfidf))


def rarity(pool: Pool) -> Floats:
    """The inverse document frequency of its words, in sum."""
    return pool.of_runs(pool.summed(pool.word_idf))


def least_rarity(pool: Pool) -> Floats:
    """The inverse document frequency of its most common word."""
    return pool.of_runs(pool.extreme(pool.word_idf, np.minimum))


def largest_rarity(pool: Pool) -> Floats:
    """The inverse document frequency of its rarest word."""
    return pool.of_runs(pool.extreme(pool.word_idf, np.maximum))


def word_occurrences(pool: Pool) -> Floats:
    """How often the text has its words, on average."""
    return pool.of_runs(pool.summed(pool.word_counts) / pool.runs.lengths)


def begins_keyphrases(pool: Pool) -> Floats:
    """How many keyphrases of the corpus begin with its first word (log)."""
    return pool.of_runs(np.log1p(pool.word_roles[0])[pool.runs.first])


def ends_keyphrases(pool: Pool) -> Floats:
    """How many keyphrases of the corpus end with its last word (log)."""
    return pool.of_runs(np.log1p(pool.word_roles[1])[pool.runs.first + pool.runs.lengths - 1])


# Of the phrase in the corpus


def keyphrase_count(pool: Pool) -> Floats:
    """How many documents of the corpus have it as a keyphrase (log)."""
    return np.log1p(pool.counted[0])


def document_count(pool: Pool) -> Floats:
    """How many documents of the corpus contain it (log)."""
    return np.log1p(pool.counted[1])


def keyphraseness(pool: Pool) -> Floats:
    """In how many of the documents that contain it it is a keyphrase (log of the ratio)."""
    return np.log((pool.counted[0] + 0.05) / (pool.counted[1] + 1))


# Of the profiles


def profile_score(pool: Pool) -> NDArray[np.float32]:
    """The score of its profile."""
    return pool.profile_scores


def profile_rank(pool: Pool) -> Floats:
    """Its rank among the labels that profiles retrieve."""
    return np.where(pool.label >= 0, pool.profile_ranks, 999.0)


def profile_share(pool: Pool) -> NDArray[np.float32]:
    """Its profile's score, as a share of the best one's."""
    return pool.profile_scores / max(pool.retrieved.best_score, 1e-9)


def words_in_text(pool: Pool) -> Floats:
    """Share of its words that the text has somewhere."""
    return pool.words_in_text


# Of the network


def generated_probability(pool: Pool) -> Floats:
    """The probability with which the network generated it."""
    return pool.of_generated(np.array([one.probability for one in pool.generated]), 0.0)


def generated_share(pool: Pool) -> Floats:
    """Share of the probability of all generated sequences that have it."""
    return pool.of_generated(np.array([one.share for one in pool.generated]), 0.0)


def generated_rank(pool: Pool) -> Floats:
    """Its rank among the generated phrases."""
    return pool.of_generated(np.arange(len(pool.generated), dtype=float), 99.0)


# Of the document


def text_words(pool: Pool) -> Floats:
    """How long the text is, in words."""
    return _constant(pool, float(len(pool.tokens.hashes)))


def title_words(pool: Pool) -> Floats:
    """How long the title is, in words."""
    return _constant(pool, float(pool.tokens.title))


def best_profile(pool: Pool) -> Floats:
    """The best score of any profile."""
    return _constant(pool, pool.retrieved.best_score)


def best_generated(pool: Pool) -> Floats:
    """The largest share of any generated phrase."""
    return _constant(pool, max((one.share for one in pool.generated), default=0.0))


def capitalised_text(pool: Pool) -> Floats:
    """Share of the words of the text that have a capital."""
    return _constant(pool, float(pool.word_shapes[:, 1].mean()) if len(pool.word_shapes) else 0.0)


# Of the phrase in the corpus that an adapted system began with; all alike where there is none


def background_keyphrase_count(pool: Pool) -> Floats:
    """How many documents of the background have it as a keyphrase (log)."""
    return np.log1p(pool.background_counted[0])


def background_document_count(pool: Pool) -> Floats:
    """How many documents of the background contain it (log)."""
    return np.log1p(pool.background_counted[1])


def background_keyphraseness(pool: Pool) -> Floats:
    """In how many of the documents of the background that contain it it is a keyphrase (log of the ratio)."""
    return np.log((pool.background_counted[0] + 0.05) / (pool.background_counted[1] + 1))


# Of its words among retrieved labels and generated phrases: evidence for phrases that neither has as a whole


def profile_support(pool: Pool) -> Floats:
    """The best profile score of a retrieved label with each of its words, on average."""
    return _mean(pool.profile_support)


def least_profile_support(pool: Pool) -> Floats:
    """The same of the word for which it is least."""
    return _least(pool.profile_support)


def generated_support(pool: Pool) -> Floats:
    """The largest share of a generated phrase with each of its words, on average."""
    return _mean(pool.generated_support)


def least_generated_support(pool: Pool) -> Floats:
    """The same of the word for which it is least."""
    return _least(pool.generated_support)


def keyphrase_words(pool: Pool) -> Floats:
    """How often its words begin or end keyphrases, for each document that has them (log, of the least such word)."""
    beginning, ending = pool.word_roles
    _, containing = pool.known.keyphraseness.of_phrases(pool.tokens.hashes)
    return pool.of_runs(pool.extreme(np.log((beginning + ending + 0.05) / (containing + 1)), np.minimum))


# Stored trees refer to features by index: new ones come last
FEATURES: dict[str, Feature] = {
    function.__name__: function
    for function in (
        words,
        occurrences,
        first_place,
        relative_first,
        relative_last,
        in_title,
        stands_alone,
        is_noun_phrase,
        part_of_longer,
        first_class,
        last_class,
        stop_words,
        characters,
        capitals,
        digits,
        textrank,
        textrank_rank,
        tfidf,
        tfidf_rank,
        rarity,
        least_rarity,
        largest_rarity,
        word_occurrences,
        begins_keyphrases,
        ends_keyphrases,
        keyphrase_count,
        document_count,
        keyphraseness,
        profile_score,
        profile_rank,
        profile_share,
        words_in_text,
        generated_probability,
        generated_share,
        generated_rank,
        text_words,
        title_words,
        best_profile,
        best_generated,
        capitalised_text,
        background_keyphrase_count,
        background_document_count,
        background_keyphraseness,
        profile_support,
        least_profile_support,
        generated_support,
        least_generated_support,
        keyphrase_words,
        capitalised_inside,
        acronym,
        relative_occurrences,
        spread,
        cohesion,
        shortest_word,
        words_around,
        left_variety,
        right_variety,
    )
}


def measure(pool: Pool, asked: Flags | None = None) -> NDArray[np.float32]:
    """The features of each candidate (N, F), in the order of the table; those that are not requested (F,) are 0."""
    columns = np.zeros((len(FEATURES), len(pool.keys)), dtype=np.float32)
    for number, feature in enumerate(FEATURES.values()):
        if asked is None or asked[number]:
            columns[number] = feature(pool)
    return columns.T


def _mean(support: Floats) -> Floats:
    mean: Floats = np.nansum(support, axis=1) / np.maximum(1, (~np.isnan(support)).sum(axis=1))
    return mean


def _least(support: Floats) -> Floats:
    least: Floats = np.nan_to_num(np.fmin.reduce(support, axis=1, initial=np.inf), posinf=0.0)
    return least


def _ranks(values: Floats) -> Floats:
    ranks = np.empty(len(values))
    ranks[np.argsort(-values, kind="stable")] = np.arange(len(values))
    return ranks
