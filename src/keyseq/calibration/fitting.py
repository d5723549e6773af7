"""Calibrate an exported network on documents: when a sequence ends, and how phrases are reranked. Weights stay."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from keyseq.calibration.ending import EndingFit, fit_ending
from keyseq.calibration.reranking import RerankingFit, fit_reranking
from keyseq.data.parallel import Track, untracked
from keyseq.files import write_whole
from keyseq.runtime.onnx import SETTINGS, ExportedNetwork
from keyseq.types import Document


class Calibration(NamedTuple):
    """What was fitted and how well; a network that generates one phrase per sequence has no ending."""

    ending: EndingFit | None
    reranking: RerankingFit


def calibrate(
    folder: Path,
    documents: Iterable[Document],
    track: Track = untracked,
) -> Calibration:
    """Fit an exported network to documents with keyphrases, and store the fit in its folder, all of it or nothing."""
    exported, known = ExportedNetwork(folder), [document for document in documents if document.keyphrases]
    ending = None
    if exported.settings.target.paradigm == "one2seq":
        ending = fit_ending(exported, track(known, "number of phrases", len(known)))
    reranking = fit_reranking(exported, track(known, "reranking", len(known)))
    fitted = ending.ending if ending else exported.settings.ending
    with write_whole(folder / SETTINGS, in_place=folder / SETTINGS) as file:
        file.write(replace(exported.settings, ending=fitted, order=reranking.weights).to_toml())
    return Calibration(ending, reranking)
