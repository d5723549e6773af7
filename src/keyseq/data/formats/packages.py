"""Documents that are zip archives of XML files: DOCX, ODT, EPUB."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from keyseq.data.formats.source import LARGEST, CorpusSource
from keyseq.data.formats.tree import read_member
from keyseq.data.formats.xml_trees import LARGEST_TREE, parse
from keyseq.errors import DataError

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element
    from zipfile import ZipFile

OLD_OFFICE = b"\xd0\xcf\x11\xe0"  # Word and Excel before 2007, and encrypted files since


class Package:
    """The files of an open package, read within bounds."""

    def __init__(self, archive: "ZipFile", name: str, kind: str) -> None:
        self._archive, self.name, self.kind = archive, name, kind
        self._names = set(archive.namelist())

    def __contains__(self, name: str) -> bool:
        return name in self._names

    def check_size(self) -> None:
        """Refuse a package whose files together would fill the memory."""
        if sum(member.file_size for member in self._archive.infolist()) >= LARGEST:
            raise DataError(f"{self.name}: over {LARGEST >> 20} MiB unpacked, more than the limit")

    def read(self, name: str) -> bytes:
        """The content of a file that must be there."""
        if name not in self._names:
            raise DataError(f"{self.name}: not {self.kind} (it holds no {name})")
        if self._archive.getinfo(name).file_size > LARGEST_TREE:
            raise DataError(f"{self.name}/{name}: over {LARGEST_TREE >> 20} MiB, more than the limit")
        return read_member(self._archive, name, f"{self.name}/{name}")

    def tree(self, name: str) -> "Element":
        """The XML of a file that must be there."""
        return parse(self.read(name), f"{self.name}/{name}")

    def optional_tree(self, name: str) -> "Element | None":
        """The XML of a file that may be there."""
        return self.tree(name) if name in self._names else None


@contextmanager
def open_package(source: CorpusSource, kind: str) -> Iterator[Package]:
    """Open a package; `kind` is what its format is called."""
    from zipfile import BadZipFile, ZipFile

    content = source.content()
    if content.startswith(OLD_OFFICE):
        raise DataError(f"{source.name}: encrypted, or an old .doc or .xls; save a copy as {kind} without a password")
    try:
        archive = ZipFile(io.BytesIO(content))
    except (BadZipFile, OSError, NotImplementedError, ValueError):
        advice = "save it again where it was made, or give it the suffix of what it is"
        raise DataError(f"{source.name}: damaged, or not {kind}; {advice}") from None
    with archive:
        yield Package(archive, source.name, kind)
