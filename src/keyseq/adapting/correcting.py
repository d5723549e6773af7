"""From feedback to corrections: the ranker's logit of each judged phrase, and the terms of its document."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from keyseq.adapting.feedback import Feedback
from keyseq.data.parallel import Track, chunked, untracked
from keyseq.ranking.pool import Pool
from keyseq.retrieval.corrections import SURE, Corrections, TermVector, unrelated
from keyseq.retrieval.terms import terms, words_of
from keyseq.systems.combined import CombinedSystem
from keyseq.text.analyzer import Analyzer
from keyseq.text.hashing import Hashes, find, phrase_hash, stem_hashes
from keyseq.text.presence import phrase_stems
from keyseq.types import Document

MOST = 5_000  # documents that are remembered, the latest
BATCH = 32


class Judged(NamedTuple):
    """A document with the verdicts on its phrases: the stems of each, how it is written, and whether it is right."""

    feedback: Feedback
    verdicts: dict[tuple[str, ...], tuple[str, bool]]

    @property
    def keys(self) -> Hashes:
        """The numbers of the phrases."""
        return np.array([phrase_hash(stems) for stems in self.verdicts], dtype=np.uint32)


class HeldOutScores(NamedTuple):
    """A document's terms, and the ranker's logits of its judged phrases."""

    vector: TermVector
    logits: NDArray[np.float32]


def correct(
    system: CombinedSystem,
    entries: Iterable[Feedback],
    others: Sequence[Document] = (),
    before: Corrections | None = None,
    track: Track = untracked,
) -> Corrections:
    """The corrections of a system by feedback, the oldest first; of two verdicts on one phrase, the later counts.

    `others` are random documents, from which the similarity of unrelated texts is estimated. What `before`, earlier
    corrections of the same system, have of a document is not computed again.
    """
    judged = _joined(entries, system.parts.analyzer)
    remembered = _remembered(before) if before else {}
    found = {one.feedback.digest: known for one in judged if (known := _known(one, remembered))}
    new = [one for one in judged if one.feedback.digest not in found]
    plain = system.corrected(None)
    for batch in chunked(track(new, "feedback", len(new)), BATCH):
        for one, pool in zip(batch, plain.pools([one.feedback.document for one in batch]), strict=True):
            found[one.feedback.digest] = _measured(plain, pool, one)
    tables = system.parts.tables.known
    words = (words_of(one, system.parts.analyzer) for one in others)
    vectors = [TermVector.of(terms(own), tables.keyphraseness, tables.profiles) for own in words]
    return _laid_out(judged, [found[one.feedback.digest] for one in judged], unrelated(vectors))


def _remembered(before: Corrections) -> dict[int, tuple[TermVector, dict[int, float]]]:
    """The terms of each document, and the logits of its phrases by their numbers."""
    count = len(before.digests)
    stored = np.repeat(before.terms, np.diff(before.offsets.astype(int)))
    by_document = np.argsort(before.documents, kind="stable")
    starts = np.searchsorted(before.documents[by_document], np.arange(count + 1))
    logits: list[dict[int, float]] = [{} for _ in range(count)]
    for owner, key, logit in zip(before.owners, before.keys[before.phrases], before.logits, strict=True):
        logits[owner][int(key)] = float(logit)
    rows = [by_document[starts[number] : starts[number + 1]] for number in range(count)]
    vectors = [TermVector(stored[own], before.values[own]) for own in rows]
    return dict(zip(before.digests.tolist(), zip(vectors, logits, strict=True), strict=True))


def _known(judged: Judged, remembered: dict[int, tuple[TermVector, dict[int, float]]]) -> HeldOutScores | None:
    """The earlier result for a document, if it has all of its phrases."""
    vector, logits = remembered.get(judged.feedback.digest, (None, {}))
    keys = judged.keys.tolist()
    if vector is None or not logits.keys() >= set(keys):
        return None
    return HeldOutScores(vector, np.array([logits[key] for key in keys], dtype=np.float32))


def _joined(entries: Iterable[Feedback], analyzer: Analyzer) -> list[Judged]:
    """The latest documents, each with all verdicts on it; phrases are stemmed as in their texts."""
    found: dict[int, Judged] = {}
    for entry in entries:
        before = found.pop(entry.digest, Judged(entry, {}))
        read = analyzer.for_text(entry.document.text)
        verdicts = {tuple(phrase_stems(phrase, read)): (phrase, right) for phrase, right in entry.verdicts()}
        verdicts.pop((), None)
        found[entry.digest] = Judged(entry, before.verdicts | verdicts)
    return list(found.values())[-MOST:]


def _measured(system: CombinedSystem, pool: Pool, judged: Judged) -> HeldOutScores:
    """The ranker's logits; of a phrase that is not a candidate, the lowest."""
    chances = system.unlearnt(pool)
    bound = 1 / (1 + np.exp(SURE))
    places = find(pool.keys, judged.keys)
    own = np.where(places >= 0, chances[places] if len(chances) else 0.0, 0.0)
    own = np.clip(own, bound, 1 - bound)
    return HeldOutScores(pool.vector, np.log(own / (1 - own)).astype(np.float32))


def _laid_out(judged: Sequence[Judged], measured: Sequence[HeldOutScores], alien: float) -> Corrections:
    """All of it as arrays."""
    written = {stems: text for one in judged for stems, (text, _) in one.verdicts.items()}
    by_key = {phrase_hash(stems): stems for stems in written}
    keys = np.array(sorted(by_key), dtype=np.uint32)
    words = [stem_hashes(by_key[key]) for key in keys.tolist()]
    hashes = _joint([one.vector.terms for one in measured], np.uint32)
    every, places = np.unique(hashes, return_inverse=True)
    order = np.argsort(places, kind="stable")
    owners = np.repeat(np.arange(len(measured)), [len(one.vector.terms) for one in measured])
    return Corrections(
        terms=every,
        offsets=np.searchsorted(places[order], np.arange(len(every) + 1)).astype(np.uint32),
        documents=owners[order].astype(np.uint32),
        values=_joint([one.vector.values for one in measured], np.float32)[order],
        digests=np.array([one.feedback.digest for one in judged], dtype=np.int64),
        keys=keys,
        words=_joint(words, np.uint32),
        word_offsets=np.concatenate([[0], np.cumsum([len(one) for one in words])]).astype(np.uint32),
        owners=np.repeat(np.arange(len(judged)), [len(one.verdicts) for one in judged]).astype(np.uint32),
        phrases=find(keys, _joint([one.keys for one in judged], np.uint32)).astype(np.uint32),
        accepted=np.array([right for one in judged for _, right in one.verdicts.values()], dtype=np.uint8),
        logits=_joint([one.logits for one in measured], np.float32),
        alien=np.array([alien], dtype=np.float32),
        texts=[written[by_key[key]] for key in keys.tolist()],
    )


def _joint(parts: Sequence[NDArray[Any]], kind: type) -> NDArray[Any]:
    return np.concatenate(parts).astype(kind) if parts else np.zeros(0, dtype=kind)
