"""Combined systems: retrieve, extract, generate, and one calibrated probability over all candidates."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields, replace
from functools import cache
from itertools import islice
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from keyseq.arrays import map_arrays, write_arrays
from keyseq.config.fields import check, setting
from keyseq.config.language_settings import LanguageSettings
from keyseq.config.single import read_toml, to_toml
from keyseq.errors import KeyseqError, shown
from keyseq.extractive.reading import Reading
from keyseq.languages import ANY, name_of
from keyseq.ranking.candidate_ranker import CandidateRanker
from keyseq.ranking.expected_f1 import MOST, best_count
from keyseq.ranking.features import measure
from keyseq.ranking.long_ranking import LongRanking, longest_list
from keyseq.ranking.long_text import LongText, is_long
from keyseq.ranking.naming import Naming
from keyseq.ranking.pool import MOST_LABELS, GeneratedPhrase, Known, Pool
from keyseq.ranking.runs import Flags, Floats, Integers
from keyseq.retrieval.corrections import Corrections
from keyseq.retrieval.keyphraseness import Keyphraseness
from keyseq.retrieval.profiles import Profiles
from keyseq.systems.combined_settings import USUAL_BETA, CombinedSettings
from keyseq.systems.hub import PRETRAINED, locate
from keyseq.systems.learnt_versions import Versions
from keyseq.systems.neural import NeuralSystem, cores
from keyseq.systems.reloading import Reloadable
from keyseq.text.analyzer import ENGLISH, Analyzer
from keyseq.types import Document, Evidence, Phrase, as_documents

if TYPE_CHECKING:
    from keyseq.ranking.concept_features import ConceptWeights
    from keyseq.systems.concepts import ConceptPhrases, JudgedConcepts
    from keyseq.vocabularies.controlled_vocabulary import ControlledVocabulary

MARK = "combined.toml"
PROFILES, LABELS = "profiles.safetensors", "labels.txt"
KEYPHRASENESS, RANKER = "keyphraseness.safetensors", "ranker.safetensors"
BACKGROUND = "background.safetensors"  # keyphraseness of the corpus that an adapted system began with
VOCABULARY, CONCEPTS = "terms.vocabulary", "concepts.safetensors"  # of a system that gives concepts by itself
LONG_RANKING = PRETRAINED / "auto" / "long.safetensors"
NETWORK = "network"  # the folder of the network inside that of the system

# Search of the network: many short prefixes of its sequence rather than few long ones
SEARCH: Mapping[str, Any] = {"decoding": "exhaustive", "beam": 16, "max_length": 6}
MOST_WINDOWS = 3  # of a long text that the network reads
FEWEST_WORDS = 5  # of a text that implies more than it says
GROUP = 8  # documents per task of a thread
LONGEST_TITLE = 25  # words of a first line that is taken for a title


@dataclass(frozen=True, kw_only=True)
class StoredSettings(LanguageSettings):
    """The settings stored in the folder of a combined system."""

    any_language = True
    network: str = setting("", "the network: a folder inside, or a system of the package; none if empty")
    tables: str = setting("", "the system of the package whose counts and profiles are used; its own if empty")
    documents: int = setting(0, "number of documents of counts and profiles", least=0)
    ranked: int = setting(0, "number of training documents of the ranker", least=0)
    retrieved: int = setting(MOST_LABELS, "number of labels retrieved per text; 0: none", least=0)
    scattered: int = setting(0, "number of further labels whose words a text has, but not adjacent", least=0)
    beta: float = setting(
        USUAL_BETA, "beta of the expected F-score that determines the number of phrases", least=0.05, most=20
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        check("combined", self)
        for name in ("network", "tables"):
            value = getattr(self, name)
            if value != Path(value).name or value == "..":
                raise KeyseqError(
                    f"combined.{name} must be the name of a system or of a folder inside this one, not '{shown(value)}'"
                )


class Tables(NamedTuple):
    """The counts and profiles of a corpus, and the labels of the profiles."""

    known: Known
    labels: Sequence[str] = ()

    def retrieving(self, count: int, scattered: int) -> "Tables":
        """The same tables, whose profiles retrieve `count` and `scattered` labels; without profiles if `count` is 0."""
        known = replace(self.known, most=count, scattered=scattered, profiles=self.known.profiles if count else None)
        return Tables(known, self.labels if count else ())


class LearntConcepts(NamedTuple):
    """The vocabulary that a system was adapted to, and the weights learnt for its concepts."""

    vocabulary: "ControlledVocabulary"
    weights: "ConceptWeights"


class CombinedParts(NamedTuple):
    """The parts of a combined system, and the analyzer of its language; network and vocabulary are optional.

    `beta` is the weight of recall in the number of phrases, unless another is asked for.
    """

    tables: Tables
    ranker: CandidateRanker
    network: NeuralSystem | None = None
    concepts: LearntConcepts | None = None
    analyzer: Analyzer = ENGLISH
    beta: float = USUAL_BETA

    def in_language(self, code: str | None, name: str) -> "CombinedParts":
        """The same for texts in one language; refused where the system of this name is for another."""
        own = self.analyzer.language
        if code in (None, own):
            return self
        if own != ANY:
            asked = name_of(str(code))
            raise KeyseqError(
                f"{name} is for texts in {name_of(own)}, not in {asked}; leave the language or the system out"
            )
        return self._replace(analyzer=Analyzer.for_language(str(code)))

    def corrected(self, corrections: Corrections | None) -> "CombinedParts":
        """The same parts with other corrections by users, or with none."""
        known = replace(self.tables.known, corrections=corrections)
        return self._replace(tables=self.tables._replace(known=known))


class JudgedPool(NamedTuple):
    """The candidates of a document with their probabilities (N,) and those of the concepts, as far as these are asked
    for: what several lists of phrases can be made of."""

    naming: Naming
    chances: Floats | None
    concepts: "JudgedConcepts | None"


class CandidateSource:
    """Finds the candidates of documents: in their texts, by profiles and, if there is one, by a network."""

    def __init__(
        self,
        known: Known,
        network: NeuralSystem | None = None,
        threads: int | None = None,
        analyzer: Analyzer = ENGLISH,
        *,
        digests: bool = False,  # of long texts are read
    ) -> None:
        self._known, self._analyzer, self._digests = known, analyzer, digests
        self._network = network.with_settings(**SEARCH, threads=threads) if network else None

    def pools(self, documents: Sequence[Document]) -> Iterator[Pool]:
        """The candidates of each document."""
        digests = list(map(self._digest, documents))
        read = [document for document, _ in digests]
        readings = [Reading(document.text, self._analyzer) for document in read]
        generated = self._generated(read, readings)
        for (document, whole), reading, found in zip(digests, readings, generated, strict=True):
            # the network knows one language, so that its phrases are of no use for others
            yield Pool(reading, title_of(document), self._known, [] if reading.is_foreign else found, whole)

    def _digest(self, document: Document) -> tuple[Document, LongText | None]:
        """The document to read, which is a digest of a long one."""
        if not self._digests or not is_long(document):
            return document, None
        return LongText(document, self._analyzer).digest(self._known.keyphraseness)

    def _generated(self, documents: Sequence[Document], readings: Sequence[Reading]) -> list[list[GeneratedPhrase]]:
        """The phrases that the network generates for each document, the most probable first."""
        if self._network is None:
            return [[] for _ in documents]
        best: list[dict[tuple[str, ...], GeneratedPhrase]] = [{} for _ in documents]
        sources = [reading.source.under(self._network.model.analyzer) for reading in readings]
        for window, found in self._network.searched(documents, sources, MOST_WINDOWS):
            own = best[window.place]
            for words, probability, share in found:
                before = own.get(words, GeneratedPhrase(words, 0.0, 0.0))
                own[words] = GeneratedPhrase(words, max(probability, before.probability), max(share, before.share))
        return [sorted(own.values(), key=lambda one: -one.share) for own in best]


class CombinedSystem(Reloadable):
    """A system over candidates of the text, of profiles and of a network; threads may share it."""

    def __init__(self, name: str, parts: CombinedParts, settings: CombinedSettings) -> None:
        self._given, parts = parts, parts.in_language(settings.language, name)
        self.name, self.parts, self.settings, self.analyzer = name, parts, settings, parts.analyzer
        self._concepts = _concepts(parts, settings)
        self._source, self._alone = (  # the second is used on one of several threads
            CandidateSource(parts.tables.known, parts.network, threads, parts.analyzer, digests=not self._concepts)
            for threads in (settings.threads, 1)
        )

    def with_settings(self, **settings: Any) -> "CombinedSystem":
        """The same system under other settings, sharing its parameters."""
        return CombinedSystem(self.name, self._given, CombinedSettings(**settings))

    def corrected(self, corrections: Corrections | None) -> "CombinedSystem":
        """The same system with other corrections by users, sharing all other parameters."""
        return CombinedSystem(self.name, self._given.corrected(corrections), self.settings)

    @property
    def beta(self) -> float:
        """The weight of recall in the expected F-score: that of the settings, by default that of the system."""
        return self.settings.beta or self.parts.beta

    @property
    def gives_concepts(self) -> bool:
        """Whether it gives the concepts of a vocabulary, not phrases."""
        return self._concepts is not None

    def predict(self, documents: Sequence[str | Document]) -> list[list[Phrase]]:
        """Return the ranked phrases of each document."""
        given = as_documents(documents)
        threads = self.settings.threads or cores()
        if threads == 1 or len(given) < 2:
            return list(map(self.phrases, self._source.pools(given)))
        # one thread searches with the network, which needs no lock of Python's, while another ranks
        order = sorted(range(len(given)), key=lambda number: -len(given[number].text))
        size = min(GROUP, -(-len(order) // threads))
        groups = [[given[number] for number in order[at : at + size]] for at in range(0, len(order), size)]
        with ThreadPoolExecutor(threads) as pool:
            phrases = [one for group in pool.map(self._predicted, groups) for one in group]
        return [one for _, one in sorted(zip(order, phrases, strict=True), key=itemgetter(0))]

    def _predicted(self, group: Sequence[Document]) -> list[list[Phrase]]:
        """The phrases of a few documents, on one thread."""
        return list(map(self.phrases, self.pools(group)))

    def pools(self, documents: Sequence[Document]) -> Iterator[Pool]:
        """The candidates of each document, on one thread."""
        return self._alone.pools(documents)

    def probabilities(self, pool: Pool) -> Floats:
        """The probability (N,) that each candidate is a keyphrase, adjusted by the feedback of users."""
        chances = self.unlearnt(pool)
        return chances if pool.recalled is None else pool.recalled.corrected(pool.keys, chances)

    def unlearnt(self, pool: Pool) -> Floats:
        """The probability (N,) that each candidate is a keyphrase, by the ranker alone, without feedback."""
        if pool.whole is not None:
            return long_ranking().probabilities(pool, pool.whole, self.parts.ranker)
        return self.parts.ranker.probabilities(measure(pool, self.parts.ranker.asked), pool.sketch)

    def phrases(self, pool: Pool) -> list[Phrase]:
        """The ranked phrases among the candidates of a document."""
        return self.listed(self.judged(pool))

    def judged(self, pool: Pool, *, explained: bool = True) -> "JudgedPool":
        """Score the candidates of a document; their phrases get evidence only if `explained`."""
        chances = self.probabilities(pool) if self._concepts is None or self.settings.also_new else None
        concepts = self._concepts.judged(pool) if self._concepts else None
        return JudgedPool(Naming(pool, self.parts.tables.labels, explained=explained), chances, concepts)

    def listed(self, judged: "JudgedPool") -> list[Phrase]:
        """The list of phrases of a scored document, which may have been scored under other settings."""
        if self._concepts is not None:
            return self._subjects(judged, self._concepts)
        pool = judged.naming.pool
        order, chances = self._ranked(judged)
        count = self.settings.top or self._count(chances[order], pool)
        return self._selected(self._named(judged.naming, order, chances), pool, count)

    def _count(self, chances: Floats, pool: Pool) -> int:
        """The number of phrases for these probabilities, in descending order; a long text may have more."""
        if pool.whole is None:
            return best_count(chances, self.parts.ranker.others, self.beta)
        return best_count(chances, long_ranking().others, self.beta, longest_list(pool.whole))

    def _subjects(self, judged: "JudgedPool", concepts: "ConceptPhrases") -> list[Phrase]:
        """The concepts that fit a text; with `also_new`, the phrases that the vocabulary lacks among them."""
        from keyseq.systems.concepts import LEAST

        assert judged.concepts is not None  # noqa: S101  # it was judged by a system that gives concepts
        naming, least = judged.naming, self.settings.min_score or LEAST
        found, unlikely = concepts.phrases(judged.concepts, naming, least)
        others = unlikely + self.parts.ranker.others
        if len(naming.pool.tokens.hashes) < FEWEST_WORDS:
            found = [phrase for phrase in found if phrase.present]
        if self.settings.also_new:
            new = (replace(one, new=True) for one in self._named(naming, *self._ranked(judged)))
            lacking = (one for one in new if one.score >= least and not concepts.has(one.text))
            found = sorted([*found, *islice(lacking, MOST)], key=lambda one: -one.score)
        given = [replace(one, evidence=self._signed(one.evidence, naming.pool)) for one in found if self._is_asked(one)]
        count = self.settings.top or best_count([one.score for one in given], others, self.beta)
        return self._selected(given, naming.pool, count)

    def _is_asked(self, phrase: Phrase) -> bool:
        return self.settings.present in (None, phrase.present)

    def _selected(self, phrases: Iterable[Phrase], pool: Pool, count: int) -> list[Phrase]:
        return self.settings.select(phrases, pool.reading.source.analyzer, count) if count else []

    def _ranked(self, judged: "JudgedPool") -> tuple[Integers, Floats]:
        """The candidates that may be given, the most probable first, and the probabilities of all."""
        pool, chances = judged.naming.pool, judged.chances
        assert chances is not None  # noqa: S101  # it was judged for phrases, too
        wanted = np.flatnonzero(self._wanted(pool))
        return wanted[np.argsort(-chances[wanted], kind="stable")], chances

    def _wanted(self, pool: Pool) -> Flags:
        """Which candidates may be given under these settings."""
        kept = givable(pool)
        return kept if self.settings.present is None else kept & (pool.in_text == self.settings.present)

    def _named(self, naming: Naming, order: Integers, chances: Floats) -> Iterator[Phrase]:
        """The candidates as phrases, in this order, each form once."""
        seen: set[str] = set()
        for number in order.tolist():
            phrase = naming.phrase(number, float(chances[number]))
            if phrase is not None and phrase.text.lower() not in seen:
                seen.add(phrase.text.lower())
                yield replace(phrase, evidence=self._signed(phrase.evidence, naming.pool))

    def _signed(self, evidence: Evidence | None, pool: Pool) -> Evidence | None:
        """Evidence with the name of the system that gave it, and the language in which it read the text."""
        language = "" if pool.reading.is_foreign else pool.reading.source.analyzer.language
        return evidence and replace(evidence, system=self.name, language=language)


def givable(pool: Pool) -> Flags:
    """Which candidates may be given (N,): runs of the text that are noun phrases or known keyphrases, and all others.

    In a language without a tagger, nothing but the ranker tells which runs are phrases, except where nouns have
    capitals: there, a phrase ends with a noun.
    """
    given, _ = pool.counted
    kept: Flags = (pool.run < 0) | (given > 0) | (pool.of_runs(pool.noun_share) > 0) | pool.accepted
    if not (pool.reading.is_tagged or pool.reading.is_foreign):
        kept |= (pool.of_runs(pool.noun_ended) > 0) | (not pool.reading.has_nouns)
    kept &= ~pool.rejected
    if len(pool.tokens.hashes) < FEWEST_WORDS:
        kept &= pool.run >= 0
    if pool.reading.is_foreign:  # in another language, only single words can be told apart
        kept &= pool.of_runs(pool.runs.lengths.astype(float)) == 1
    return kept


def _concepts(parts: CombinedParts, settings: CombinedSettings) -> "ConceptPhrases | None":
    """Gives concepts instead of phrases if there is a vocabulary: that of the settings, or that of the system."""
    settings.check_new(settings.terms or parts.concepts)
    if settings.terms is None and parts.concepts is None:
        return None
    from keyseq.ranking.concept_candidates import ConceptFinder
    from keyseq.ranking.concept_features import ConceptWeights
    from keyseq.systems.concepts import ConceptPhrases

    if parts.analyzer.language == ANY:
        raise KeyseqError(
            "labels of a vocabulary are matched in one language; name that of the texts with language or --language"
        )
    learnt = parts.concepts if settings.terms is None else None
    vocabulary, weights = learnt or LearntConcepts(settings.terms, ConceptWeights.unlearnt())
    vocabulary.index(parts.analyzer)  # one without labels in the language is refused before there is a text
    return ConceptPhrases(ConceptFinder(vocabulary, parts.tables.labels, parts.analyzer), parts.ranker, weights)


def title_of(document: Document) -> str:
    """A document's title; of a bare text its first line, if it is short and more comes after it."""
    if document.title:
        return document.title
    first, _, rest = document.text.partition("\n")
    return first if rest.strip() and len(first.split()) <= LONGEST_TITLE and not first.rstrip().endswith(":") else ""


def load_combined(name: str, settings: Mapping[str, Any]) -> CombinedSystem:
    """Load a combined system of the package or of a folder."""
    folder = locate(name).folder
    return CombinedSystem(name, read_parts(folder), CombinedSettings(**settings))


def read_parts(folder: Path) -> CombinedParts:
    """Read the parts of a combined system from its folder."""
    stored, ranker, versions = read_settings(folder), map_arrays(folder / RANKER), Versions(folder)
    corrections = versions.corrections(versions.current)
    try:
        tables = read_tables(locate(stored.tables).folder if stored.tables else folder)
        tables = tables.retrieving(stored.retrieved, stored.scattered)
        network, concepts = _network(folder, stored.network), _learnt_concepts(folder)
        ranked = CandidateRanker.from_arrays(ranker)
        parts = CombinedParts(tables, ranked, network, concepts, Analyzer.of(stored), stored.beta)
        return parts.corrected(corrections)
    except (KeyError, TypeError, ValueError) as error:
        raise KeyseqError(f"{folder / RANKER}: damaged, or of another version ({error}); train it again") from None


def write_parts(folder: Path, parts: CombinedParts, stored: StoredSettings) -> None:
    """Write all but the network into an existing folder.

    Tables of another system are only named.
    """
    analyzer = parts.analyzer
    stored = replace(
        stored,
        language=analyzer.language,
        tokenizer=analyzer.tokenizer,
        stemmer=analyzer.stemmer,
        stop_words=analyzer.stop_list,
        beta=parts.beta,
    )
    if not stored.tables:
        write_tables(folder, parts.tables)
    write_arrays(folder / RANKER, parts.ranker.arrays())
    if parts.concepts is not None:
        from keyseq.vocabularies.vocabulary_file import write_compiled

        write_compiled(parts.concepts.vocabulary, folder / VOCABULARY)
        write_arrays(folder / CONCEPTS, parts.concepts.weights.arrays())
    (folder / MARK).write_text(to_toml("combined", stored), encoding="utf-8")


def _learnt_concepts(folder: Path) -> LearntConcepts | None:
    if not (folder / VOCABULARY).is_file():
        return None
    from keyseq.ranking.concept_features import ConceptWeights
    from keyseq.vocabularies.vocabulary_file import read_vocabulary

    return LearntConcepts(
        read_vocabulary(folder / VOCABULARY), ConceptWeights.from_arrays(map_arrays(folder / CONCEPTS))
    )


def read_tables(folder: Path) -> Tables:
    """Read counts and profiles from a folder."""
    try:
        counts = _read_counts(folder / KEYPHRASENESS)
        background = _read_counts(folder / BACKGROUND) if (folder / BACKGROUND).is_file() else None
        if not (folder / PROFILES).is_file():
            return Tables(Known(counts, background=background))
        profiles = Profiles(**map_arrays(folder / PROFILES))
        labels = (folder / LABELS).read_text(encoding="utf-8").splitlines()
        profiles.check(len(labels))
    except (OSError, KeyError, TypeError, ValueError, IndexError) as error:
        raise KeyseqError(f"{folder}: damaged, or of another version ({error}); train it again") from None
    return Tables(Known(counts, profiles, background), labels)


def write_tables(folder: Path, tables: Tables) -> None:
    """Write counts and profiles into an existing folder."""
    known = tables.known
    _write_counts(folder / KEYPHRASENESS, known.keyphraseness)
    if known.background is not None:
        _write_counts(folder / BACKGROUND, known.background)
    if known.profiles is not None:
        write_arrays(folder / PROFILES, {one.name: getattr(known.profiles, one.name) for one in fields(known.profiles)})
        (folder / LABELS).write_text("".join(f"{label}\n" for label in tables.labels), encoding="utf-8")


def _read_counts(path: Path) -> Keyphraseness:
    counts = map_arrays(path)
    keyphraseness = Keyphraseness(documents=int(counts.pop("documents")[0]), **counts)
    keyphraseness.check()
    return keyphraseness


def _write_counts(path: Path, counts: Keyphraseness) -> None:
    named = {field.name: getattr(counts, field.name) for field in fields(counts)}
    write_arrays(path, named | {"documents": np.array([counts.documents])})


def read_settings(folder: Path) -> StoredSettings:
    """Read the settings stored in the folder of a combined system."""
    return read_toml(folder / MARK, "combined", StoredSettings, "a combined system")


def read_analyzer(folder: Path) -> Analyzer:
    """The analyzer of the language of a combined system."""
    return Analyzer.of(read_settings(folder))


def used_systems(folder: Path) -> list[str]:
    """The systems of the package whose network or tables a combined system uses."""
    stored = read_settings(folder)
    return sorted({name for name in (stored.network, stored.tables) if name and not (folder / name).is_dir()})


def put_network(network: NeuralSystem | None, folder: Path) -> str:
    """Copy a network into the folder of a system, unless it is one of the package; return its name in the settings."""
    if network is None:
        return ""
    is_name = Path(network.name).name == network.name  # joined to it, an absolute path would replace the folder
    if is_name and (PRETRAINED / network.name).is_dir():
        return network.name
    network.save_pretrained(folder / NETWORK)
    return NETWORK


@cache
def long_ranking() -> LongRanking:
    """How the candidates of long texts are ranked, whatever system finds them."""
    return LongRanking.from_arrays(map_arrays(LONG_RANKING))


def _network(folder: Path, name: str) -> NeuralSystem | None:
    """The network of a folder, or one of the package, which several systems share."""
    if not name:
        return None
    return NeuralSystem.from_pretrained(str(folder / name)) if (folder / name).is_dir() else _shared(name)


@cache
def _shared(name: str) -> NeuralSystem:
    return NeuralSystem.from_pretrained(name)
