"""Write text in the encoding of the file that it was read from, with its byte order mark."""

import codecs
import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, BinaryIO

from keyseq.data.formats.encodings import marked
from keyseq.data.formats.source import CorpusSource
from keyseq.errors import DataError


@contextmanager
def recoded(source: CorpusSource, out: BinaryIO) -> Iterator[IO[str]]:
    """A text file on `out` in the encoding of a source; bytes that were not UTF-8 are written as they were."""
    with source.open() as file:
        head = file.read(4)
    encoding = source.encoding or marked(head) or "utf-8"
    if source.encoding is None and head.startswith(codecs.BOM_UTF8):
        out.write(codecs.BOM_UTF8)
    text = io.TextIOWrapper(out, encoding=encoding, errors="surrogateescape", newline="")
    try:
        yield text
        text.flush()
    except UnicodeEncodeError as error:
        bad = error.object[error.start]
        raise DataError(
            f"{source.name}: a keyphrase has '{bad}', which {encoding} lacks; convert it to UTF-8"
        ) from None
    finally:
        text.detach()
