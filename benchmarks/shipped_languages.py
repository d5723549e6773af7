"""Train the systems of the package for other languages than English again, and the ranker that knows no language.

python -m benchmarks.shipped_languages french --data DIR --out french      # or russian, finnish, chinese
python -m benchmarks.shipped_languages multilingual --data DIR --out multilingual
python -m benchmarks.shipped_languages multilingual --data DIR --without fr --out unseen     # to measure it on French

A language's system is what `keyseq train combined` or, of a small corpus, `keyseq adapt --from none` makes of its
training part. The ranker for all languages learns from the first documents of several corpora.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from keyseq.adapting.adaptation import adapt
from keyseq.cli.console import track
from keyseq.data.formats import read_documents, write_documents
from keyseq.errors import KeyseqError
from keyseq.files import write_whole_folder
from keyseq.languages import ANY
from keyseq.ranking.boosting import BoostingSettings
from keyseq.ranking.learning import RankingExample, learn
from keyseq.ranking.pool import Known
from keyseq.retrieval.keyphraseness import Keyphraseness
from keyseq.systems.combined import CandidateSource, CombinedParts, StoredSettings, Tables, write_parts
from keyseq.systems.combined_training import train_combined
from keyseq.systems.learnt_versions import HELD_OUT
from keyseq.systems.ranking_examples import drawn_untitled, ranking_examples
from keyseq.systems.training_job import ProgressDisplay, TrainingJob
from keyseq.text.analyzer import Analyzer
from keyseq.types import Document


@dataclass(frozen=True)
class Recipe:
    """How the system of a language is made; settings are those that are not the defaults of the command."""

    language: str
    settings: Mapping[str, Any]
    adapted: bool = False  # by folds, so that each document of a small corpus serves tables and ranker
    first: int | None = None  # documents of the training part that are learnt from; all without a number

    def corpus(self, data: Path, out: Path) -> Path:
        """The training part; its first documents are written beside the output."""
        [path] = (data / "languages" / self.language).glob("train.jsonl*")
        if self.first is None:
            return path
        beginning = out.with_name(f"{out.name}-train.jsonl")
        write_documents(islice(read_documents(path), self.first), beginning)
        return beginning


SMALL: Mapping[str, Any] = {"weights": 60, "support": 60, "tested": 100}
RECIPES: Mapping[str, Recipe] = {
    "french": Recipe("fr", {"held_out": 0.15}),
    "russian": Recipe(
        "ru",
        {"held_out": 0.2, "learnt": False, "weights": 40, "support": 60, "retrieved": 100, "scattered": 40}
        | {"trees": 120, "leaves": 16, "rate": 0.08, "leaf": 60, "l2": 20, "most_rows": 150_000},
    ),
    "finnish": Recipe("fi", {**SMALL, "ranked": 1_500}, adapted=True),
    "chinese": Recipe(
        "zh",
        {**SMALL, "ranked": 1_400, "trees": 200, "leaves": 20, "rate": 0.06, "most_rows": 250_000},
        adapted=True,
    ),
}
MULTILINGUAL = "multilingual"


@dataclass(frozen=True)
class Part:
    """The first documents of a corpus, from which the ranker for all languages learns."""

    language: str
    path: str
    count: int

    def documents(self, data: Path) -> list[Document]:
        """Those with keyphrases."""
        [path] = data.glob(f"{self.path}.jsonl*")
        return list(islice((one for one in read_documents(path) if one.keyphrases), self.count))

    @property
    def analyzer(self) -> Analyzer:
        """That of the language, without a tagger, which the other languages do not have."""
        return UNTAGGED if self.language == UNTAGGED.language else Analyzer.for_language(self.language)


class _Untagged(Analyzer):
    """English as keyseq reads other languages."""

    __slots__ = ()

    @property
    def tagger(self) -> None:
        """There is none."""


UNTITLED = 0.15  # share of documents whose title is read as a part of the text
SETTINGS = BoostingSettings(trees=120, leaves=24, rate=0.08, leaf=60, l2=20, columns=0.6, most_rows=300_000)
UNTAGGED = _Untagged("en", "unicode", "nltk-porter", "stopwordsiso")
PARTS = (
    Part("fr", "languages/fr/train", 900),
    Part("ru", "languages/ru/train", 400),
    Part("fi", "languages/fi/train", 900),
    Part("zh", "languages/zh/train", 900),
    Part("en", "valid/scholar", 500),
    Part("en", "valid/web", 300),
    Part("en", "train/news", 200),
)


def train_multilingual(data: Path, out: Path, without: str = "") -> None:
    """Learn a ranker from all parts but those in one language, and write it as a system for any language."""
    examples = list(_mixed([_examples(part, data) for part in PARTS if part.language != without]))
    learnt = learn(examples, SETTINGS, track)
    parts = CombinedParts(Tables(Known(_uncounted())), learnt.ranker, analyzer=Analyzer(ANY, "", "", ""))
    with write_whole_folder(out) as folder:
        write_parts(folder, parts, StoredSettings(language=ANY, ranked=len(examples), retrieved=0))


@cache
def _examples(part: Part, data: Path) -> list[RankingExample]:
    """The candidates of a part's documents; kept, since several rankers may be learnt from them."""
    documents = part.documents(data)
    source = CandidateSource(Known(_uncounted()), analyzer=part.analyzer)
    untitled = drawn_untitled(len(documents), UNTITLED, SETTINGS.seed)
    return [example for _, example in ranking_examples(source, documents, untitled, track)]


def _mixed(parts: Sequence[Sequence[RankingExample]]) -> Iterator[RankingExample]:
    """All examples in turns, so that each fold has its share of each part."""
    placed = [(place / len(part), number) for number, part in enumerate(parts) for place in range(len(part))]
    following = [iter(part) for part in parts]
    return (next(following[number]) for _, number in sorted(placed))


def _uncounted() -> Keyphraseness:
    """Counts over no documents: every phrase and word is unknown, in any language."""
    keys, counts = np.zeros(0, dtype=np.uint32), np.zeros(0, dtype=np.uint16)
    return Keyphraseness(
        documents=0, phrases=keys, as_keyphrase=counts, containing=counts, words=keys, beginning=counts, ending=counts
    )


def train_language(system: str, data: Path, out: Path) -> None:
    """Learn the system of a language from its training part."""
    recipe = RECIPES[system]
    corpus = recipe.corpus(data, out)
    if recipe.adapted:
        print(adapt(corpus, out, start="none", language=recipe.language, **recipe.settings).table("markdown"))
    else:
        given = {"language": recipe.language, **recipe.settings}
        job = TrainingJob(
            system="combined",
            train=[corpus],
            out=out,
            overrides=[f"combined.{name}={str(value).lower()}" for name, value in given.items()],
            progress=ProgressDisplay(track=track, note=print),
        )
        train_combined(job)
    (out / HELD_OUT).unlink()  # documents of the corpus, which are not the package's to give


def main() -> None:
    """Train one system."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("system", choices=[*RECIPES, MULTILINGUAL])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--without", default="", metavar="CODE", help="a language that multilingual does not learn")
    options = parser.parse_args()
    try:
        if options.system == MULTILINGUAL:
            train_multilingual(options.data, options.out, options.without)
        else:
            train_language(options.system, options.data, options.out)
    except KeyseqError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
