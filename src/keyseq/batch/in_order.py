"""Predict documents by several processes, and give their phrases in the order of the documents."""

import json
from collections.abc import Iterable, Iterator

from keyseq.batch.shards import Failed, Shard
from keyseq.batch.workers import Workers
from keyseq.data.parallel import chunked
from keyseq.errors import KeyseqError
from keyseq.systems.recipe import BATCH, Recipe
from keyseq.types import Document


def phrases_in_order(documents: Iterable[Document], recipe: Recipe, workers: int) -> Iterator[list[str]]:
    """The phrases of each document, best first, by several processes; those that finish early wait in memory."""
    shards = (Shard(number, chunk) for number, chunk in enumerate(chunked(documents, BATCH)))
    waiting: dict[int, bytes] = {}
    following = 0
    for made in Workers(workers).run(shards, recipe, "jsonl"):
        if isinstance(made, Failed):
            raise KeyseqError(f"the documents from {made.number * BATCH + 1} on cannot be predicted: {made.reason}")
        waiting[made.number] = made.content
        while following in waiting:
            yield from _phrases(waiting.pop(following))
            following += 1


def _phrases(lines: bytes) -> Iterator[list[str]]:
    for line in lines.decode("utf-8").split("\n"):
        if line:
            yield [phrase["text"] for phrase in json.loads(line)["keyphrases"]]
