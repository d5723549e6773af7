"""The versions of a system that learns from feedback: a folder each, and which of them is in use."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from keyseq.arrays import map_arrays, write_arrays
from keyseq.errors import KeyseqError
from keyseq.files import make_folder, write_whole, write_whole_folder
from keyseq.retrieval.corrections import Corrections
from keyseq.systems.hub import PRETRAINED
from keyseq.systems.kinds import KINDS, kind_of

HELD_OUT = "held-out.jsonl"  # in the folder of a system: documents by which changes are checked
FEEDBACK = "feedback"  # the folder of all this inside that of the system
CURRENT, VERSIONS = "current", "versions"
PENDING = "pending"  # the version that is being stored, until it is decided whether it is used
ARRAYS, PHRASES, ABOUT = "corrections.safetensors", "phrases.txt", "version.json"


@dataclass(frozen=True, kw_only=True)
class Version:
    """The record of a version: the ranges of bytes of the feedback log that it was learnt from, and its scores.

    Version 0 is the system as it was trained. One that was `refused` is kept, but was not activated.
    """

    number: int = 0
    parent: int = 0
    parts: list[list[int]] = field(default_factory=list)
    documents: int = 0
    verdicts: int = 0
    scores: Mapping[str, Any] = field(default_factory=dict)
    refused: str = ""

    @property
    def end(self) -> int:
        """Where the last part of the log ends that was learnt from."""
        return max((end for _, end in self.parts), default=0)


class Versions:
    """The versions of the system in a folder."""

    def __init__(self, system: Path) -> None:
        self.folder = system / FEEDBACK

    @property
    def current(self) -> int:
        """The number of the version in use."""
        return self._number(CURRENT)

    @property
    def pending(self) -> int:
        """The version that was stored when its process ended before it was activated, or 0."""
        number = self._number(PENDING)
        return number if number in self.numbers() and number != self.current else 0

    def numbers(self) -> list[int]:
        """All versions but 0, the oldest first."""
        folders = (self.folder / VERSIONS).glob("[0-9]*")
        return sorted(int(folder.name) for folder in folders if folder.name.isdecimal())

    def about(self, number: int) -> Version:
        """The record of a version."""
        if number == 0:
            return Version()
        place = self._place(number) / ABOUT
        try:
            return Version(**json.loads(place.read_text(encoding="utf-8")))
        except FileNotFoundError:
            known = ", ".join(map(str, [0, *self.numbers()]))
            raise KeyseqError(f"{self.folder.parent}: there is no version {number}; there are {known}") from None
        except (OSError, ValueError, TypeError, RecursionError) as error:
            raise KeyseqError(f"{place}: damaged ({error}); use another version") from None

    def corrections(self, number: int) -> Corrections | None:
        """The corrections of a version; None for version 0."""
        if number == 0:
            return None
        self.about(number)
        place = self._place(number)
        try:
            texts = (place / PHRASES).read_text(encoding="utf-8").splitlines()
            return Corrections.from_arrays(map_arrays(place / ARRAYS), texts)
        except (OSError, ValueError, TypeError, IndexError) as error:
            raise KeyseqError(f"{place}: damaged ({error}); go back with keyseq learn --rollback") from None

    def add(self, version: Version, corrections: Corrections) -> None:
        """Store a version atomically, without activating it; it is pending until `use` or `settle`."""
        make_folder(self.folder / VERSIONS)
        self._write(PENDING, version.number)
        with write_whole_folder(self._place(version.number)) as partial:
            write_arrays(partial / ARRAYS, corrections.arrays())
            (partial / PHRASES).write_text("".join(f"{text}\n" for text in corrections.texts), encoding="utf-8")
            (partial / ABOUT).write_text(json.dumps(asdict(version), indent=2) + "\n", encoding="utf-8")

    def use(self, number: int) -> None:
        """Activate a version, for systems that are loaded from now on."""
        self.corrections(number)  # a version that is missing or damaged is refused
        self._write(CURRENT, number)
        self.settle()

    def settle(self) -> None:
        """Leave all as it is: no version is pending any more."""
        (self.folder / PENDING).unlink(missing_ok=True)

    def _number(self, name: str) -> int:
        try:
            return int((self.folder / name).read_text(encoding="utf-8"))
        except FileNotFoundError:
            return 0
        except (OSError, ValueError) as error:
            raise KeyseqError(f"{self.folder / name}: damaged ({error}); write the number of a version") from None

    def _write(self, name: str, number: int) -> None:
        with write_whole(self.folder / name) as file:
            file.write(f"{number}\n")

    def _place(self, number: int) -> Path:
        return self.folder / VERSIONS / str(number)


def check_learns(folder: Path) -> None:
    """Refuse what cannot learn from feedback."""
    if not folder.is_dir():
        known = (PRETRAINED / folder.name).is_dir() and len(folder.parts) == 1
        what = "a system of the package" if known else "no such folder"
        raise KeyseqError(
            f"{folder}: {what}; name the folder of a combined system, made by keyseq adapt or keyseq train combined"
        )
    kind = KINDS[kind_of(folder)]
    if not kind.learns:
        raise KeyseqError(f"{folder}: {kind.description}, which cannot learn from feedback; combined systems can")
