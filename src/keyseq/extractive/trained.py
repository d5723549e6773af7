"""Supervised rankers: as systems, and stored in a folder without executable content."""

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, TypeVar

import safetensors.numpy
from safetensors import SafetensorError

from keyseq.arrays import check_finite
from keyseq.config.bounded_toml import parse_toml
from keyseq.config.fields import check, described, setting
from keyseq.config.single import build, to_toml
from keyseq.errors import KeyseqError, shown
from keyseq.extractive.candidates import CandidateSettings
from keyseq.extractive.frequencies import DocumentFrequencies
from keyseq.extractive.ranker import Ranker
from keyseq.files import write_whole, write_whole_folder
from keyseq.overwriting import reading

MARK, ARRAYS = "ranker.toml", "arrays.safetensors"
FREQUENCIES, KEYPHRASES = "frequencies.txt.gz", "keyphrases.txt.gz"

Settings = TypeVar("Settings", bound=CandidateSettings)


@dataclass(frozen=True, kw_only=True)
class RankerSettings:
    """The settings of a trained ranker."""

    top: int | None = setting(None, "maximum number of phrases; by default, as in training", least=1)

    def __post_init__(self) -> None:
        check("", self)


class TrainedRanker(Ranker[Settings]):
    """A trained ranker; it is thread-safe."""

    def __init__(self, settings: Settings, frequencies: DocumentFrequencies) -> None:
        super().__init__(settings)
        self.top, self.frequencies = settings.top, frequencies

    def __reduce__(self) -> tuple[Any, ...]:  # with its parameters, since it may be in no folder yet
        return object.__new__, (type(self),), self.__dict__

    def __repr__(self) -> str:
        return described(self, RankerSettings(top=self.top), repr(self.name))

    def with_settings(self, **settings: Any) -> Self:  # fields of RankerSettings
        """The same ranker under other settings, sharing its parameters."""
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.top = RankerSettings(**settings).top or self.settings.top
        return other

    def save(self, folder: str | Path) -> None:
        """Write the ranker into a new folder for `keyseq.load`, atomically."""
        with write_whole_folder(Path(folder)) as partial:
            self.write(partial)

    def write(self, folder: Path) -> None:
        """Write the ranker into an existing folder."""
        with write_whole(folder / MARK) as file:
            file.write(to_toml(self.settings.system, self.settings))
        (folder / ARRAYS).write_bytes(safetensors.numpy.save(dict(self.arrays())))
        self.save_tables(folder)

    @abstractmethod
    def arrays(self) -> Mapping[str, Any]:
        """The trained parameters, by name."""

    @abstractmethod
    def save_tables(self, folder: Path) -> None:
        """Write the tables of words and phrases."""

    @classmethod
    @abstractmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote."""


def trained_system(folder: Path, known: Iterable[str]) -> str:
    """The name of the system in a ranker's folder."""
    sections = _read_mark(folder)
    [name, *more] = sections or [""]
    if more or name not in known:
        held = ", ".join(f"[{section}]" for section in sections) or "nothing"
        raise KeyseqError(f"{folder / MARK}: holds {shown(held)}, not the settings of one of {', '.join(known)}")
    return name


def load_settings(folder: Path, kind: type[Settings]) -> Settings:
    """The settings that a ranker was trained with."""
    system = kind.system
    values = _read_mark(folder).get(system)
    if not isinstance(values, Mapping):
        raise KeyseqError(f"{folder / MARK}: has no section [{system}]")
    try:
        return build(system, kind, values)
    except KeyseqError as error:
        raise KeyseqError(f"{folder / MARK}: {error}") from None


def load_arrays(folder: Path) -> dict[str, Any]:
    """The trained parameters of a ranker, by name."""
    try:
        reading(folder / ARRAYS)
        arrays = safetensors.numpy.load_file(folder / ARRAYS)
        check_finite(arrays)
        return arrays
    except (SafetensorError, OSError, ValueError) as error:
        raise damaged(folder, error) from None


def damaged(folder: Path, reason: object) -> KeyseqError:
    """The error of a folder whose parameters do not match its settings."""
    return KeyseqError(f"{folder / ARRAYS}: missing, damaged or of another ranker ({reason}); train it again")


def _read_mark(folder: Path) -> dict[str, Any]:
    try:
        reading(folder / MARK)
        return parse_toml((folder / MARK).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise KeyseqError(f"{folder / MARK}: not the settings of a ranker ({error})") from None
