"""How many phrases a network says and in which order, fitted to documents and stored with it; no weight changes."""

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
    """What was fitted, and what speaks for it; a network that says one phrase a sequence has no number."""

    number: EndingFit | None
    order: RerankingFit


def calibrate(
    folder: Path,
    documents: Iterable[Document],
    track: Track = untracked,
) -> Calibration:
    """Fit an exported network to documents with keyphrases, and store what was found, all of it or nothing."""
    exported, known = ExportedNetwork(folder), [document for document in documents if document.keyphrases]
    number = None
    if exported.settings.target.paradigm == "one2seq":
        number = fit_ending(exported, track(known, "how many", len(known)))
    order = fit_reranking(exported, track(known, "in which order", len(known)))
    ending = number.ending if number else exported.settings.ending
    with write_whole(folder / SETTINGS) as file:
        file.write(replace(exported.settings, ending=ending, order=order.weights).to_toml())
    return Calibration(number, order)
