"""Read compressed files, and write files atomically."""

import gzip
import hashlib
import io
import lzma
import os
import shutil
import weakref
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, BinaryIO, cast

from keyseq.errors import KeyseqError
from keyseq.imports import require
from keyseq.overwriting import reading, writing

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

COMPRESSIONS = (".gz", ".xz", ".zst")
CHUNK = 1 << 18  # bytes decompressed at a time

_reading: "weakref.WeakValueDictionary[Path, BinaryIO]" = weakref.WeakValueDictionary()


def bare_suffix(path: Path) -> str:
    """The suffix of a file's format, without that of its compression: `.jsonl` for `a.jsonl.xz`."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes and suffixes[-1] in COMPRESSIONS:
        suffixes.pop()
    return suffixes[-1] if suffixes else ""


def open_binary(path: Path) -> BinaryIO:
    """Open a file for reading, decompressed by its suffix.

    A compressed file that is damaged or truncated raises a `KeyseqError` when reading reaches that point.
    """
    try:
        file = path.open("rb")
    except FileNotFoundError:
        raise KeyseqError(f"{path}: no such file") from None
    except OSError as error:
        raise KeyseqError(f"{path}: cannot be read ({error.strerror or error})") from None
    reading(path)
    _reading[path] = file
    if path.suffix.lower() not in COMPRESSIONS:
        return file
    return cast(BinaryIO, io.BufferedReader(_Decompressed(path, file), buffer_size=CHUNK))


def sha256(path: Path) -> str:
    """The digest of a file's content, or of the names and contents of all files in a folder."""
    if path.is_dir():
        files = sorted(file for file in path.rglob("*") if file.is_file())
        parts = "".join(f"{file.relative_to(path).as_posix()}\0{sha256(file)}\n" for file in files)
        return hashlib.sha256(parts.encode()).hexdigest()
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise KeyseqError(f"{path}: cannot be read ({error.strerror or error})") from None


def share_read(path: Path) -> float | None:
    """The fraction of an open file that has been read, from 0 to 1; None if unknown."""
    file = _reading.get(path)
    try:
        return None if file is None else file.tell() / os.fstat(file.fileno()).st_size
    except (OSError, ValueError, ZeroDivisionError):  # a pipe, a file that was closed, an empty one
        return None


class _Decompressed(io.RawIOBase):
    """The content of a compressed file; damage is reported as a user error that names the file."""

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self._path, self._file = path, file
        self._chunks = filter(None, _DECOMPRESSORS[path.suffix.lower()](file))
        self._rest = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        if not self._rest:
            self._rest = memoryview(self._next_chunk())
        room = memoryview(buffer).cast("B")
        size = min(len(room), len(self._rest))
        room[:size], self._rest = self._rest[:size], self._rest[size:]
        return size

    def _next_chunk(self) -> bytes:
        try:
            return next(self._chunks, b"")
        except (EOFError, OSError, lzma.LZMAError, zlib.error) as error:
            kind = self._path.suffix.lower()
            raise KeyseqError(f"{self._path}: damaged, cut short or not a {kind} file ({error})") from None

    def close(self) -> None:
        self._file.close()
        super().close()


def _gunzip(file: BinaryIO) -> Iterator[bytes]:
    with gzip.GzipFile(fileobj=file) as content:
        yield from iter(lambda: content.read(CHUNK), b"")


def _unxz(file: BinaryIO) -> Iterator[bytes]:
    with lzma.LZMAFile(file) as content:
        yield from iter(lambda: content.read(CHUNK), b"")


def _unzstd(file: BinaryIO) -> Iterator[bytes]:
    # the reader of zstandard does not detect a truncated file
    zstandard = require("zstandard", "zstd")
    frame = zstandard.ZstdDecompressor().decompressobj()
    begun = False
    try:
        # small steps: a hostile block of few bytes decompresses to many
        for chunk in iter(lambda: file.read(CHUNK // 16), b""):
            rest = chunk
            while rest:
                begun = True
                yield frame.decompress(rest)
                rest = frame.unused_data
                if frame.eof:
                    frame, begun = zstandard.ZstdDecompressor().decompressobj(), False
    except zstandard.ZstdError as error:
        raise EOFError(str(error)) from None
    if begun:
        raise EOFError("the last frame is not complete")


_DECOMPRESSORS = {".gz": _gunzip, ".xz": _unxz, ".zst": _unzstd}


@contextmanager
def write_whole(path: Path, *, in_place: Path | None = None) -> Iterator[IO[str]]:
    """Write a UTF-8 text file atomically: it appears under its name only when it is complete.

    The suffix decides the compression, as in reading. A lone surrogate, which UTF-8 cannot represent, is written as
    its escape, which JSON reads back as the same character.
    """
    with write_whole_binary(path, in_place=in_place) as file:
        text = io.TextIOWrapper(file, encoding="utf-8", errors="backslashreplace", newline="")
        yield text
        text.flush()
        text.detach()


@contextmanager
def write_whole_binary(path: Path, *, in_place: Path | None = None) -> Iterator[BinaryIO]:
    """Write a file atomically: it appears under its name only when it is complete.

    A link is followed; a pipe or device is written directly. A file that the command reads is refused, unless it is
    the one that is changed `in_place` without loss.
    """
    with writing(path, in_place), _written_whole(path) as file:
        yield file


@contextmanager
def _written_whole(path: Path) -> Iterator[BinaryIO]:
    try:
        path = path.resolve() if path.is_symlink() else path
        special = path.exists() and not path.is_file() and not path.is_dir()
    except OSError as error:  # a name that is too long
        raise KeyseqError(f"{path}: cannot be written ({error.strerror or error})") from None
    if path.is_dir():
        raise KeyseqError(f"{path}: is a folder; name a file in it to write to")
    if special:
        with _into(path) as file:
            yield file
        return
    partial = _partial(path)
    try:
        with _compressed(partial) as file:
            yield file
        sync(partial)
        partial.replace(path)
        sync(path.parent)
    except OSError as error:
        missing = isinstance(error, FileNotFoundError) and not path.parent.exists()
        why = f", since there is no folder {path.parent}" if missing else f" ({error.strerror or error})"
        raise KeyseqError(f"{path}: cannot be written{why}") from error
    finally:
        with suppress(OSError):  # a read-only file system says no to a file that is not there
            partial.unlink(missing_ok=True)


@contextmanager
def _into(path: Path) -> Iterator[BinaryIO]:
    """Write into something that is not a regular file and must not be replaced, such as `/dev/null`."""
    try:
        with path.open("wb") as file:
            yield file
    except OSError as error:
        raise KeyseqError(f"{path}: cannot be written ({error.strerror or error})") from error


def make_folder(path: Path) -> None:
    """Create a folder and its parents, unless it exists."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise KeyseqError(f"{path}: the folder cannot be created ({error.strerror or error})") from None


def sync(path: Path) -> None:
    """Wait until a file, or the list of files of a folder, is on disk; Windows sees to that itself."""
    if os.name == "nt":
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def write_whole_folder(path: Path) -> Iterator[Path]:
    """Write a new folder atomically: it appears under its name only when it is complete."""
    if path.is_file() or (path.is_dir() and any(path.iterdir())):
        raise KeyseqError(f"{path}: already exists; choose a new folder")
    partial = _partial(path)
    try:
        partial.mkdir()
        yield partial
        for inside in (*partial.rglob("*"), partial):
            sync(inside)
        partial.replace(path)
        sync(path.parent)
    except OSError as error:
        raise KeyseqError(f"{path}: cannot be written ({error.strerror or error})") from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)


@contextmanager
def _compressed(path: Path) -> Iterator[BinaryIO]:
    """A file that is compressed as its suffix says, to the same bytes each time: without a date and a name."""
    with path.open("wb") as file:
        match path.suffix.lower():
            case ".gz":
                with gzip.GzipFile("", "wb", 6, file, mtime=0) as content:
                    yield cast(BinaryIO, content)
            case ".xz":
                with lzma.open(file, "wb") as content:
                    yield cast(BinaryIO, content)
            case ".zst":
                with require("zstandard", "zstd").open(file, "wb", closefd=False) as content:
                    yield cast(BinaryIO, content)
            case _:
                yield file


def _partial(path: Path) -> Path:
    """The temporary name until completion; known before creation, so that a signal leaves nothing behind."""
    return path.with_name(f".{path.name}.{os.urandom(4).hex()}{path.suffix}")
