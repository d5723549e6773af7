"""Stack Exchange dumps: find them, and stream their `Posts.xml`."""

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import IO, TYPE_CHECKING, BinaryIO, cast

from keyseq.errors import DataError, KeyseqError
from keyseq.files import open_binary
from keyseq.imports import require
from keyseq.overwriting import reading

if TYPE_CHECKING:
    from py7zr import FileInfo, SevenZipFile, WriterFactory

POSTS = "Posts.xml"

# The paper takes "19 computer science related topics" of the October 2017 dump and does not name them. These
# are 19 sites of that dump whose subject is computing itself rather than the use of a product: our choice.
COMPUTER_SCIENCE_SITES = (
    "ai",
    "codereview",
    "computergraphics",
    "crypto",
    "cs",
    "cstheory",
    "datascience",
    "dba",
    "devops",
    "gamedev",
    "networkengineering",
    "reverseengineering",
    "robotics",
    "scicomp",
    "security",
    "softwareengineering",
    "sqa",
    "stats",
    "unix",
)

_DOMAIN = re.compile(r"(\.stackexchange)?\.(com|net)$")
_OTHER_TABLE = re.compile(r"-(?!Posts$)[A-Z]\w+$")  # stackoverflow.com-Votes.7z: one table of a large site


@dataclass(frozen=True)
class Dump:
    """A site's posts: a `.7z` archive as published, or its `Posts.xml`, compressed or not."""

    site: str
    path: Path

    def size(self) -> int:
        """The number of bytes that `open` gives; a lower bound for a compressed `Posts.xml`."""
        if self.path.suffix != ".7z":
            return self.path.stat().st_size
        with _archive(self.path) as archive:
            return _posts_of(archive, self.path).uncompressed

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """Stream the posts from the archive, without unpacking it to memory or disk."""
        if self.path.suffix == ".7z":
            with _archive(self.path) as archive, _unpacked(archive, self.path) as file:
                yield file
        else:
            with open_binary(self.path) as file:
                yield file


def site_of(path: Path) -> str:
    """The short name of a site, as in its address: `cs` for `cs.stackexchange.com.7z` or `…/Posts.xml` in it."""
    name = path.stem if path.suffix == ".7z" else path.resolve().parent.name
    return _DOMAIN.sub("", name.removesuffix("-Posts"))


def find_dumps(paths: Iterable[Path], sites: str = "computer-science") -> list[Dump]:
    """Collect the dumps among files and folders.

    `sites` selects dumps in folders: `computer-science`, `all`, or a comma-separated list. Files, and folders that
    contain a `Posts.xml`, are always taken.
    """
    named, folders = [], []
    for path in paths:
        if path.is_dir() and not (path / POSTS).is_file():
            folders.append(path)
        else:
            named.append(_named(path))
    dumps = named + (_among(folders, sites) if folders else [])
    _refuse_two_of_a_site(dumps)
    return dumps


def _named(path: Path) -> Dump:
    if path.is_dir():
        path = path / POSTS
    if not path.exists():
        raise KeyseqError(f"{path}: no such file or folder")
    if path.suffix != ".7z" and ".xml" not in path.suffixes:
        raise KeyseqError(f"{path}: not a dump; give a .7z archive, a {POSTS}, or a folder of them")
    return Dump(site_of(path), path)


def _among(folders: list[Path], sites: str) -> list[Dump]:
    place = ", ".join(map(str, folders))
    found = [
        Dump(site_of(path), path)
        for folder in folders
        for path in (*sorted(folder.glob("*.7z")), *sorted(folder.glob(f"*/{POSTS}")))
        if not _OTHER_TABLE.search(path.stem)
    ]
    if not found:
        raise KeyseqError(f"{place}: holds no .7z archive and no folder with a {POSTS}")
    if sites == "all":
        return found
    wanted = COMPUTER_SCIENCE_SITES if sites == "computer-science" else _listed(sites)
    there = [dump.site for dump in found]
    missing = [site for site in wanted if site not in there]
    if missing:
        raise KeyseqError(
            f"{place}: no dump of {', '.join(missing)}; there are {', '.join(there)}: "
            "choose with --sites all, or a comma-separated list"
        )
    return [dump for site in wanted for dump in found if dump.site == site]


def _listed(sites: str) -> list[str]:
    names = [_DOMAIN.sub("", site.strip()) for site in sites.split(",") if site.strip()]
    if not names:
        raise KeyseqError("--sites names no site; use computer-science, all, or a comma-separated list")
    return list(dict.fromkeys(names))


def _refuse_two_of_a_site(dumps: list[Dump]) -> None:
    first: dict[str, Path] = {}
    for dump in dumps:
        if dump.site in first:
            raise KeyseqError(
                f"{first[dump.site]} and {dump.path} are both the site '{dump.site}' by name, and would share "
                f"document ids; a {POSTS} is named after its folder"
            )
        first[dump.site] = dump.path


@contextmanager
def _archive(path: Path) -> Iterator["SevenZipFile"]:
    py7zr = require("py7zr", "stackexchange")
    try:
        archive = py7zr.SevenZipFile(path)
    except Exception as error:  # py7zr passes on the errors of its many decoders
        raise DataError(f"{path}: cannot be read as a .7z archive ({_sentence(error)})") from error
    reading(path)
    with archive:
        yield archive


def _posts_of(archive: "SevenZipFile", path: Path) -> "FileInfo":
    for member in archive.list():
        if Path(member.filename).name == POSTS:
            return member
    names = ", ".join(archive.namelist()[:10]) or "nothing"
    raise DataError(f"{path}: holds no {POSTS} but {names}")


@contextmanager
def _unpacked(archive: "SevenZipFile", path: Path) -> Iterator[BinaryIO]:
    """Decompress in a thread into a pipe, since py7zr writes to a writer and the parser reads from a reader."""
    member = _posts_of(archive, path).filename
    reading, writing = os.pipe()
    failures: list[Exception] = []

    def unpack() -> None:
        try:
            with os.fdopen(writing, "wb") as pipe:
                archive.extract(targets=[member], factory=cast("WriterFactory", _Writer(pipe)))
        except BrokenPipeError:
            pass  # the reader closed the pipe
        except Exception as error:  # raised below, in the reader's thread
            failures.append(error)

    thread = Thread(target=unpack, daemon=True)
    with os.fdopen(reading, "rb") as file:
        thread.start()
        try:
            yield file
        finally:
            file.close()
            thread.join()
            if failures:
                raise DataError(f"{path}: is damaged ({_sentence(failures[0])})") from failures[0]


class _Writer:
    """The writer factory that py7zr expects, and its only writer."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe = pipe

    def create(self, _filename: str) -> "_Writer":
        return self

    def write(self, data: bytes) -> int:
        return self._pipe.write(data)

    def flush(self) -> None:
        self._pipe.flush()

    def seek(self, _offset: int, _whence: int = 0) -> int:
        return 0  # py7zr rewinds what it has written; a pipe has nothing to rewind

    def close(self) -> None:
        self.flush()


def _sentence(error: Exception) -> str:
    return str(error) or type(error).__name__
