"""A corpus predicted into a folder of part files, resumable after any stop."""

from collections.abc import Iterator
from typing import Any

from keyseq.batch.description import describe
from keyseq.batch.inputs import Inputs
from keyseq.batch.parts import BadRecords, Parts, Summary
from keyseq.batch.shards import Engine, Failed, Shard
from keyseq.data.parallel import chunked
from keyseq.errors import KeyseqError
from keyseq.systems.recipe import BATCH, Recipe

SIZE = 4 * BATCH  # documents of a shard: whole batches, so that a network sees the same ones as in one process
MOST_FAILED = 5  # shards, after which the cause is probably not the shards


class Job:
    """Predict all documents of a corpus into part files of `size` documents, in order.

    When it is run again after it was stopped or killed, only missing parts are made: this process alone writes, and
    part files are written atomically.
    """

    def __init__(self, corpus: Inputs, recipe: Recipe, parts: Parts, size: int = SIZE) -> None:
        self._corpus, self._recipe, self._parts, self._size = corpus, recipe, parts, size
        self._read = self._kept = self._shards = 0
        self._failed: list[Failed] = []
        self.summary: Summary | None = None

    def documents(self, engine: Engine) -> Iterator[int]:
        """Make the missing parts, yielding the number of documents of each; afterwards there is a summary."""
        with self._parts.claimed(self._description()):
            self.summary = self._parts.summary()
            if self.summary is not None:
                return
            with self._parts.bad() as bad:
                yield from self._made(engine, bad)
                summary = Summary(self._read, self._shards, bad.count)
            if self._failed:
                raise KeyseqError(self._failure())
            self._corpus.check_unchanged()
            self._parts.finish(summary)
            self.summary = summary

    def expected(self) -> int | None:
        """An estimate of the number of documents to predict, None if unknown."""
        share = self._corpus.share()
        return round(self._read / share) - self._kept if share else None

    def _description(self) -> dict[str, Any]:
        return {
            "input": self._corpus.keys,
            **describe(self._recipe),
            "documents in a part": self._size,
            "parts": self._parts.suffix,
        }

    def _made(self, engine: Engine, bad: BadRecords) -> Iterator[int]:
        for done in engine.run(self._missing(bad), self._recipe, self._parts.format):
            if isinstance(done, Failed):
                self._failed.append(done)
                if len(self._failed) == MOST_FAILED:
                    raise KeyseqError(self._failure())
                continue
            self._parts.write(done)
            yield done.documents

    def _missing(self, bad: BadRecords) -> Iterator[Shard]:
        """Read the whole corpus, and yield the shards that have no part file yet."""
        skipped: list[str] = []
        intact = self._parts.intact()
        for documents in chunked(self._corpus.documents(skipped), self._size):
            bad.take(skipped)
            number = self._shards
            self._shards += 1
            self._read += len(documents)
            if self._parts.path(number) in intact:
                self._kept += len(documents)
            else:
                yield Shard(number, documents)
        bad.take(skipped)

    def _failure(self) -> str:
        first = min(self._failed)
        others = f" and {len(self._failed) - 1} more" if len(self._failed) > 1 else ""
        return (
            f"{self._parts.path(first.number)}{others} could not be made: {first.reason}; "
            "run the same command again to retry the missing parts"
        )
