"""Standard output that is closed or full, and exhausted memory: reported in one sentence, like a mistake."""

import errno
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NoReturn, TextIO, cast

from keyseq.errors import KeyseqError

CLOSED = "standard output is closed; write to a file with --out, or to /dev/null"
# what the machine cannot do, wherever a command meets it; any other error of a file is reported where it is opened
_MEMORY = "there is not enough memory for this; give it smaller texts, or more memory (see ulimit -v)"
# how libraries tell the same
_NO_MEMORY = (
    *("failed to map segment", "cannot allocate memory", "can't allocate memory"),
    *("bad_alloc", "can't start new thread"),
)
_MACHINE = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.EFBIG, errno.EMFILE, errno.ENFILE, errno.ENOMEM)


class _Closed(io.TextIOBase):
    """A standard output that is not there."""

    def write(self, _text: str, /) -> NoReturn:
        raise KeyseqError(CLOSED)


@contextmanager
def streams_checked() -> Iterator[None]:
    """Raise a `KeyseqError` where the machine, not the command, fails."""
    if sys.stdout is None:
        sys.stdout = cast(TextIO, _Closed())  # Python leaves None for a closed one
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except (MemoryError, ImportError, RuntimeError) as error:
        if not isinstance(error, MemoryError) and not any(sign in str(error).lower() for sign in _NO_MEMORY):
            raise
        raise KeyseqError(_MEMORY) from None
    except OSError as error:
        _discard_output()
        if error.errno == errno.EPIPE:  # whoever read it has read enough
            sys.exit(1)
        if error.errno not in _MACHINE:
            raise
        where = error.filename or "standard output"
        raise KeyseqError(f"{where}: cannot be written or read ({error.strerror})") from None


def _discard_output() -> None:
    """Write to nowhere what is left, so that the end of Python does not fail once more."""
    with suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
