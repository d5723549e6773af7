"""The encoding of text files: UTF-8, or that of a byte order mark, or the one that the user names."""

import codecs
import io
from typing import TYPE_CHECKING, BinaryIO, cast

from keyseq.errors import DataError

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

CHUNK = 1 << 16
FEWEST = 16  # bytes that show an encoding
HEAD = 1024  # bytes that are looked at to tell what a file is
RTF = "{\\rtf"
_BOM = "\ufeff"
# the longer marks first, as that of UTF-16 begins like one of UTF-32
_MARKS = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
# how files that are no text begin, and what to call them
_SIGNATURES = {
    b"%PDF-": "a PDF",
    b"PK\x03\x04": "a zip archive or an office document",
    b"\xd0\xcf\x11\xe0": "an office document of the old kind (.doc, .xls)",
    b"\x89PNG": "a PNG image",
    b"\xff\xd8\xff": "a JPEG image",
    b"GIF8": "a GIF image",
    b"\x1f\x8b": "compressed (gzip)",
    b"(\xb5/\xfd": "compressed (zstd)",
    b"\xfd7zXZ": "compressed (xz)",
    b"7z\xbc\xaf": "a 7z archive",
    b"PAR1": "a Parquet file",
}


def known_encoding(name: str | None) -> str | None:
    """The encoding that a user names, if Python knows it as one of texts."""
    try:
        "".encode("utf-8" if name is None else name)
    except (LookupError, ValueError):
        raise DataError(f"unknown encoding '{name}'; choose one such as utf-8, utf-16, cp1252 or latin-1") from None
    return name


def marked(head: bytes) -> str | None:
    """The encoding that a byte order mark at the beginning of a file tells, if it is another than UTF-8."""
    return next((known for mark, known in _MARKS.items() if head.startswith(mark)), None)


def as_utf8(file: BinaryIO, encoding: str | None, place: str) -> BinaryIO:
    """The content of a file in UTF-8: as it is, unless an encoding is named or a byte order mark tells of another."""
    if encoding is None:
        file = file if hasattr(file, "peek") else cast(BinaryIO, io.BufferedReader(cast(io.RawIOBase, file)))
        encoding = marked(cast(io.BufferedReader, file).peek(4)[:4])
    if encoding is None:
        return file
    return cast(BinaryIO, io.BufferedReader(_Transcoded(file, encoding, place)))


class _Transcoded(io.RawIOBase):
    """A file of another encoding, read as UTF-8."""

    def __init__(self, file: BinaryIO, encoding: str, place: str) -> None:
        self._file, self._encoding, self._place = file, encoding, place
        self._decoder = codecs.getincrementaldecoder(encoding)()
        self._rest, self._line = b"", 1

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        while not self._rest:
            chunk = self._file.read(CHUNK)
            self._rest = self._recoded(chunk)
            if not chunk:
                break
        room = memoryview(buffer).cast("B")
        size = min(len(room), len(self._rest))
        room[:size], self._rest = self._rest[:size], self._rest[size:]
        return size

    def _recoded(self, chunk: bytes) -> bytes:
        try:
            text = self._decoder.decode(chunk, final=not chunk)
        except UnicodeDecodeError as error:
            line = self._line + error.object[: error.start].count(b"\n")
            byte = f"0x{error.object[error.start]:02X}"
            raise DataError(f"{self._place}:{line}: not {self._encoding} (byte {byte}); check --encoding") from None
        except UnicodeError:  # UTF-16 and UTF-32 without a byte order mark
            raise DataError(
                f"{self._place}: not {self._encoding}, as it has no byte order mark; leave out --encoding for UTF-8, "
                f"or name {self._encoding}-le or {self._encoding}-be"
            ) from None
        self._line += text.count("\n")
        return text.encode("utf-8", "surrogatepass")

    def close(self) -> None:
        self._file.close()
        super().close()


def decode(data: bytes, name: str, line: int = 1) -> str:
    """Decode UTF-8 without byte order mark; `line` is the number of the first line."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise DataError(why_not_text(data, name, line, error.start)) from None
    if line == 1 and (likely := _likely_utf16(data[:HEAD])):  # which is UTF-8 too as long as all letters are ASCII
        raise DataError(_is_utf16(name, likely))
    if line == 1 and text.startswith(RTF):
        raise DataError(f"{name}: is an RTF document, not text; save it as .docx or .pdf")
    return text.removeprefix(_BOM) if line == 1 else text


def why_not_text(data: bytes, name: str, line: int = 1, bad: int = 0) -> str:
    """What data is that is not UTF-8, and what to do."""
    for signature, kind in _SIGNATURES.items() if line == 1 else ():
        if data.startswith(signature):
            return f"{name}: is {kind}, not text; give it the suffix of its format, or name the format with --from"
    head = data[:HEAD]
    if likely := _likely_utf16(head):
        return _is_utf16(name, likely)
    if b"\0" in head:
        return f"{name}: is a binary file, not text"
    number = line + data.count(b"\n", 0, bad)
    return (
        f"{name}:{number}: not UTF-8 (byte 0x{data[bad]:02X}); "
        "name its encoding with --encoding, such as cp1252 for a file from Windows"
    )


def _likely_utf16(head: bytes) -> str | None:
    """The byte order of what looks like UTF-16 without a mark: every other byte is zero in half of the places."""
    zeros = {"utf-16-le": head[1::2].count(0), "utf-16-be": head[::2].count(0)}
    likely, other = sorted(zeros, key=lambda encoding: -zeros[encoding])
    is_one = len(head) >= FEWEST and zeros[likely] > len(head) // 4 and zeros[other] < zeros[likely] // 4
    return likely if is_one else None


def _is_utf16(name: str, encoding: str) -> str:
    return f"{name}: looks like UTF-16 without a byte order mark; read it with --encoding {encoding}"
