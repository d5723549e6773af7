"""Prevent a command from overwriting the files that it reads, under whatever name, and those that are there already."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from keyseq.errors import KeyseqError

STANDARD_OUTPUT = 1
MANY = 10_000  # files read before entries of removed ones, such as uploads to a server, are dropped

Key = tuple[int, int]  # device and inode of a regular file: the same for all of its names


class _Inputs:
    """The files read so far, and those being written."""

    def __init__(self) -> None:
        self._read: dict[Key, Path | None] = {}  # None: standard input
        self._written: list[tuple[Key, Path]] = []
        self._many = MANY
        self._printed = _key(STANDARD_OUTPUT)  # the file that standard output was sent to
        self.overwrite = False  # whether the user allows it

    def read(self, key: Key, path: Path | None) -> None:
        if key == self._printed:  # it would be read for ever, as each answer makes it longer
            name = path or "standard input"
            raise KeyseqError(f"{name}: standard output goes to this file, which this command reads; choose another")
        for written, out in self._written:
            if written == key and not self.overwrite:
                raise _refusal(out, path)
        if len(self._read) >= self._many:
            self._read = {key: path for key, path in self._read.items() if path is None or path.exists()}
            self._many = max(MANY, 2 * len(self._read))
        self._read[key] = path

    @contextmanager
    def writing(self, key: Key, out: Path) -> Iterator[None]:
        # the inode of a removed file may be reused
        if key in self._read and ((path := self._read[key]) is None or _key(path) == key):
            raise _refusal(out, path)
        self._written.append((key, out))
        try:
            yield
        finally:
            self._written.remove((key, out))


_inputs: _Inputs | None = None  # shared by threads: one may write what another reads


@contextmanager
def inputs_protected() -> Iterator[None]:
    """Within this context, refuse to overwrite a file that was read, and to read one that is being written."""
    global _inputs  # noqa: PLW0603
    before, _inputs = _inputs, _Inputs()
    try:
        yield
    finally:
        _inputs = before


def reading(file: Path | int) -> None:
    """Record that a file is read: its path, or for standard input its descriptor."""
    if _inputs is not None and (key := _key(file)):
        _inputs.read(key, file if isinstance(file, Path) else None)


@contextmanager
def writing(out: Path, in_place: Path | None = None) -> Iterator[None]:
    """Refuse to write a file that is read, before or meanwhile, unless it is the one to be changed `in_place`."""
    key = _key(out)
    if _inputs is None or _inputs.overwrite or key is None or (in_place is not None and _key(in_place) == key):
        yield
        return
    with _inputs.writing(key, out):
        yield


def allow_overwriting() -> None:
    """Allow the command that runs to replace any file, as --overwrite asks for."""
    if _inputs is not None:
        _inputs.overwrite = True


def refuse_existing(out: Path) -> None:
    """Refuse to replace a file with content that was there before the command, unless that is allowed.

    Folders, pipes and devices are not such files; nor is any file for a program that uses the library.
    """
    if _inputs is None or _inputs.overwrite or _key(out) is None or not out.stat().st_size:
        return
    raise KeyseqError(f"{out}: exists already; write to another file, or replace it with --overwrite")


def _key(file: Path | int) -> Key | None:
    try:
        found = os.fstat(file) if isinstance(file, int) else file.stat()
    except OSError:  # missing or an invalid name: reported when it is opened
        return None
    return (found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None


def _refusal(out: Path, path: Path | None) -> KeyseqError:
    if path == out:
        return KeyseqError(f"{out}: this command reads the file that it would overwrite; write to another one")
    name = "standard input" if path is None else path
    return KeyseqError(f"{out}: is the same file as {name}, which this command reads; write to another one")
