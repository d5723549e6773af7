"""A vocabulary of 100,000 concepts: how fast it loads, compiled and as a table, and what it adds to a text.

The concepts are generated from phrases of the texts and from known keyphrases, so that texts have as many labels as
those of a real thesaurus; the texts are those of the benchmark `default`. With and without the vocabulary, texts take
turns, so that whatever else the machine does disturbs both.
"""

import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import keyseq
from benchmarks.default import WARMED, abstracts
from benchmarks.figures import Figure
from keyseq.text.tokenize import tokenize
from keyseq.types import Document, System
from keyseq.vocabularies.building import build_vocabulary
from keyseq.vocabularies.concept import ALTERNATIVE, BROADER, RELATED, Concept, ConceptLabel
from keyseq.vocabularies.controlled_vocabulary import ControlledVocabulary
from keyseq.vocabularies.vocabulary_file import SUFFIX, write_compiled

CONCEPTS = 100_000
TEXTS = 300
ALTERNATIVES = 2  # labels of a concept beside the preferred one, at most
SYSTEM = "scholar"
# A process of its own: what was read once is kept in memory
LOAD = """
import sys, time
from keyseq.text.analyzer import ENGLISH
from keyseq.vocabularies.vocabulary_file import read_vocabulary
started = time.perf_counter()
read_vocabulary(sys.argv[1]).index(ENGLISH)
print(time.perf_counter() - started)
"""


def run(quick: bool = False) -> list[Figure]:
    """Measure loading, and texts with and without the vocabulary."""
    count, repeats = (2_000, 1) if quick else (CONCEPTS, 5)
    texts = abstracts(20 if quick else TEXTS)
    vocabulary = generated(count, [_text(one) for one in texts], seed=5)
    with tempfile.TemporaryDirectory() as folder:
        table, compiled = Path(folder) / "terms.tsv", Path(folder) / f"terms{SUFFIX}"
        write_table(vocabulary, table)
        write_compiled(vocabulary, compiled)
        loads = {path: _loading(path, repeats) for path in (compiled, table)}
        added, most, given = _added(texts, compiled)
    name = f"{count:,} concepts, {len(vocabulary.labels):,} labels"
    return [
        Figure(name=f"load, {name}, as a table", value=1000 * loads[table], unit="ms"),
        Figure(
            name=f"load, {name}, compiled",
            value=1000 * loads[compiled],
            unit="ms",
            baseline="as a table",
            ratio=loads[compiled] / loads[table],
        ),
        Figure(name=f"added to a text by {count:,} concepts", value=1000 * added, unit="ms"),
        Figure(name="added to 95 of 100 texts, at most", value=1000 * most, unit="ms"),
        Figure(name="concepts that a text gets", value=given, unit="concepts"),
    ]


def generated(count: int, texts: Sequence[str], seed: int) -> ControlledVocabulary:
    """So many concepts of one to three words, each with alternative labels, a broader and a related concept."""
    chance = random.Random(seed)  # a benchmark, not a secret
    words = sorted({token.text.lower() for text in texts for token in tokenize(text) if token.text.isalpha()})
    labels = _labels(words, chance)

    def concept(number: int) -> Concept:
        own = (ConceptLabel(next(labels), kind) for kind in (0, *[ALTERNATIVE] * chance.randint(0, ALTERNATIVES)))
        relations = ((BROADER, uri(number // 10)), (RELATED, uri(chance.randrange(count)))) if number else ()
        return Concept(uri(number), tuple(own), relations)

    return build_vocabulary((concept(number) for number in range(count)), "generated")


def uri(number: int) -> str:
    """The URI of a concept."""
    return f"http://example.org/{number}"


def _labels(words: Sequence[str], chance: random.Random) -> Iterator[str]:
    """Different labels without end: first every word, for the most matches there can be, then pairs and triples."""
    yield from words
    seen: set[str] = set()
    while True:
        label = " ".join(chance.sample(words, chance.choice((2, 2, 3))))
        if label not in seen:
            seen.add(label)
            yield label


def write_table(vocabulary: ControlledVocabulary, path: Path) -> None:
    """Write URIs and labels as a table with a header."""
    with path.open("w", encoding="utf-8") as file:
        file.write("uri\tlabel\taltLabel\n")
        for number, name in enumerate(vocabulary.uris):
            first, *others = (vocabulary.labels[label] for label in vocabulary.labels_of(number, "en"))
            file.write(f"{name}\t{first}\t{'|'.join(others)}\n")


def _loading(path: Path, repeats: int) -> float:
    """Seconds until labels can be looked for, in a new process each: the median."""
    command = [sys.executable, "-c", LOAD, str(path)]
    done = [subprocess.run(command, capture_output=True, text=True, check=True) for _ in range(repeats)]
    return statistics.median(float(one.stdout) for one in done)


def _added(texts: Sequence[str | Document], compiled: Path) -> tuple[float, float, float]:
    """Seconds that the vocabulary adds to a text, median and 95th percentile, and how many concepts texts get."""
    free, bound = keyseq.load(SYSTEM, threads=1), keyseq.load(SYSTEM, threads=1, vocabulary=compiled)
    for system in (free, bound):
        system.predict(texts[:WARMED])
    differences, given = [], 0
    for text in texts:
        without, _ = _asked(free, text)
        taken, found = _asked(bound, text)
        differences.append(taken - without)
        given += found
    return statistics.median(differences), statistics.quantiles(differences, n=20)[-1], given / len(texts)


def _asked(system: System, text: str | Document) -> tuple[float, int]:
    started = time.perf_counter()
    [phrases] = system.predict([text])
    return time.perf_counter() - started, len(phrases)


def _text(one: str | Document) -> str:
    return one if isinstance(one, str) else one.text
