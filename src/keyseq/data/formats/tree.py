"""A folder of files, or a zip archive, which is read in place and never unpacked."""

import io
import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from keyseq.data.formats.encodings import as_utf8, decode
from keyseq.data.formats.file_names import name_to_id
from keyseq.data.formats.source import LARGEST, CorpusSource, limited, whole
from keyseq.errors import DataError, shown
from keyseq.files import open_binary, write_whole_binary, write_whole_folder
from keyseq.overwriting import reading

if TYPE_CHECKING:
    from zipfile import ZipFile

Add = Callable[[str, str], None]  # adds a file to a tree: name, text


@dataclass(frozen=True, slots=True)
class Tree:
    """Files by their names inside a folder, with "/" as separator, in natural order.

    Hidden files, those that macOS adds to archives and the marks of open Office documents are left out.
    """

    path: Path
    names: list[str]
    read: Callable[[str], bytes]
    encoding: str | None = None
    linked: tuple[str, ...] = ()  # links to folders, which are not followed, since they may lead to themselves

    def place(self, name: str) -> str:
        """The name of a file in messages."""
        return _place(self.path, name)

    def text(self, name: str) -> str:
        """Read a file as text, its line ends "\\n"."""
        file = as_utf8(io.BytesIO(self.read(name)), self.encoding, self.place(name))
        return decode(file.read(), self.place(name)).replace("\r\n", "\n")


def _place(path: Path, name: str) -> str:
    return f"{path}/{shown(name)}"


@contextmanager
def open_tree(source: CorpusSource) -> Iterator[Tree]:
    """Open a folder or a zip archive."""
    if source.path is None:
        raise DataError("this corpus is a folder or a zip archive; name it instead of -")
    if source.path.is_dir():
        yield folder(source.path, source.encoding)
        return
    from zipfile import BadZipFile, ZipFile

    try:
        archive = ZipFile(source.path)
    except (BadZipFile, OSError, NotImplementedError, ValueError) as error:
        raise DataError(f"{source.name}: neither a folder nor a zip archive ({error})") from None
    reading(source.path)
    with archive:
        # a name may be malicious ("../x"), but is only used as a key of the archive
        names = [name for name in archive.namelist() if not name.endswith("/")]
        yield Tree(source.path, _shown(names), partial(_read_member, source.path, archive), source.encoding)


def folder(path: Path, encoding: str | None = None) -> Tree:
    """The files of a folder, recursively."""
    files, links = [], []
    for inside, folders, names in os.walk(path):
        files += [Path(inside, name) for name in names]
        links += [place for name in folders if (place := Path(inside, name)).is_symlink()]
    shown, linked = (_shown(place.relative_to(path).as_posix() for place in places) for places in (files, links))
    return Tree(path, shown, partial(_read_file, path), encoding, tuple(linked))


def _shown(names: Iterable[str]) -> list[str]:
    def is_shown(name: str) -> bool:
        return not any(part.startswith((".", "~$")) or part == "__MACOSX" for part in name.split("/"))

    return sorted(filter(is_shown, names), key=_natural)


def _natural(name: str) -> list[tuple[int, str]]:
    """The key of natural order: 2 before 10."""
    parts = re.split(r"([0-9]+)", name)
    return [(len(part.lstrip("0")) if index % 2 else 0, part) for index, part in enumerate(parts)]


def _read_file(path: Path, name: str) -> bytes:
    with open_binary(path / name) as file:
        return limited(whole(file), _place(path, name))


def _read_member(path: Path, archive: "ZipFile", name: str) -> bytes:
    return read_member(archive, name, _place(path, name))


def read_member(archive: "ZipFile", name: str, place: str) -> bytes:
    """Read a file of an archive, which is not unpacked beyond a limit."""
    from lzma import LZMAError
    from zipfile import BadZipFile
    from zlib import error as zlib_error

    if archive.getinfo(name).file_size >= LARGEST:  # zipfile unpacks no more than this declared size
        raise DataError(f"{place}: over {LARGEST >> 20} MiB, more than the limit")
    try:
        return archive.read(name)
    except (BadZipFile, LZMAError, zlib_error, EOFError, OSError, ValueError) as error:
        raise DataError(f"{place}: damaged ({error})") from None
    except (RuntimeError, NotImplementedError) as error:  # a password, or an unknown compression
        raise DataError(f"{place}: cannot be unpacked ({error})") from None


@contextmanager
def write_tree(path: Path) -> Iterator[Add]:
    """Write a new folder, or a zip archive if its name ends in .zip, atomically."""
    if path.suffix.lower() == ".zip":
        from zipfile import ZIP_DEFLATED, ZipFile

        with write_whole_binary(path) as file, ZipFile(file, "w", ZIP_DEFLATED) as archive:
            yield partial(_add_member, archive)
    else:
        with write_whole_folder(path) as new:
            yield partial(_add_file, new)


def _add_member(archive: "ZipFile", name: str, text: str) -> None:
    if name in archive.NameToInfo:
        raise _same_id(name)
    archive.writestr(name, text.encode("utf-8", "backslashreplace"))


def _add_file(path: Path, name: str, text: str) -> None:
    file = path / name
    file.parent.mkdir(exist_ok=True)
    try:
        with file.open("x", encoding="utf-8", errors="backslashreplace", newline="") as out:
            out.write(text)
    except FileExistsError:
        raise _same_id(name) from None


def _same_id(name: str) -> DataError:
    return DataError(f"two documents have the id '{shown(name_to_id(PurePosixPath(name).stem))}'; make ids unique")
