"""Files read through their compression, and written whole or not at all."""

import gzip
import io
import lzma
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, BinaryIO, cast

from keyseq.errors import KeyseqError

COMPRESSIONS = (".gz", ".xz", ".zst")


def bare_suffix(path: Path) -> str:
    """The suffix that tells a file's format, its compression left out: `.jsonl` for `a.jsonl.xz`."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes and suffixes[-1] in COMPRESSIONS:
        suffixes.pop()
    return suffixes[-1] if suffixes else ""


def open_binary(path: Path) -> BinaryIO:
    """Open a file for reading, decompressed as its suffix says."""
    try:
        return cast(BinaryIO, _decompressed(path))
    except FileNotFoundError:
        raise KeyseqError(f"{path}: no such file") from None
    except OSError as error:
        raise KeyseqError(f"{path}: cannot be read ({error.strerror or error})") from None


def _decompressed(path: Path) -> object:
    match path.suffix.lower():
        case ".gz":
            return gzip.open(path, "rb")
        case ".xz":
            return lzma.open(path, "rb")
        case ".zst":
            import zstandard

            return zstandard.open(path, "rb")
    return path.open("rb")


@contextmanager
def write_whole(path: Path) -> Iterator[IO[str]]:
    """Write a UTF-8 text file that appears under its name only when all of it is written.

    The suffix decides the compression, as in reading. A lone surrogate, which UTF-8 cannot hold, is written as
    its escape, which JSON reads back as the same character.
    """
    with write_whole_binary(path) as file:
        text = io.TextIOWrapper(file, encoding="utf-8", errors="backslashreplace", newline="")
        yield text
        text.flush()
        text.detach()


@contextmanager
def write_whole_binary(path: Path) -> Iterator[BinaryIO]:
    """Write a file that appears under its name only when all of it is written."""
    try:
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=path.suffix)
    except OSError as error:
        raise KeyseqError(f"{path}: cannot be written ({error.strerror or error})") from None
    os.close(descriptor)
    partial = Path(name)
    try:
        with cast(BinaryIO, _compressed(partial)) as file:
            yield file
        partial.chmod(0o666 & ~_umask())
        partial.replace(path)
    except OSError as error:
        raise KeyseqError(f"{path}: cannot be written ({error.strerror or error})") from error
    finally:
        partial.unlink(missing_ok=True)


def _compressed(path: Path) -> object:
    match path.suffix.lower():
        case ".gz":
            return gzip.open(path, "wb", compresslevel=6)
        case ".xz":
            return lzma.open(path, "wb")
        case ".zst":
            import zstandard

            return zstandard.open(path, "wb")
    return path.open("wb")


def _umask() -> int:
    """The process's umask, which mkstemp ignores and a user's files should follow."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
