"""A folder or zip archive of files of any kind, read recursively."""

import io
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import partial
from typing import BinaryIO

from keyseq.data.formats.file_names import bare_name, id_to_name, name_to_id
from keyseq.data.formats.format_registry import FORMATS
from keyseq.data.formats.plain import as_text
from keyseq.data.formats.recognition import ARCHIVE, by_name
from keyseq.data.formats.source import CorpusSource
from keyseq.data.formats.target import CorpusTarget
from keyseq.data.formats.tree import Tree, open_tree, write_tree
from keyseq.data.formats.unread_kinds import advice_for
from keyseq.errors import DataError, KeyseqError, MissingExtraError
from keyseq.types import Document


@dataclass(frozen=True, kw_only=True)
class Member(CorpusSource):
    """A file inside a folder or an archive."""

    format: str
    place: str
    id: str
    read: Callable[[], bytes]

    @property
    def name(self) -> str:
        """Its name in messages."""
        return self.place

    @property
    def stem(self) -> str:
        """The id of its document, if it holds one."""
        return self.id

    def open(self) -> AbstractContextManager[BinaryIO]:
        """Open it for reading."""
        return io.BytesIO(self.read())

    def documents_in_folder(self) -> Iterator[Document]:
        """Its documents; the ids of a corpus inside the folder begin with its name."""
        for document in FORMATS[self.format].read(self):
            alone = FORMATS[self.format].one_document
            yield document if alone else replace(document, id=f"{self.id}/{document.id}")


def read(source: CorpusSource) -> Iterator[Document]:
    """Read the files of a folder or zip archive, sorted by name; those that are not documents are reported."""
    with open_tree(source) as tree:
        count, missing = 0, None
        for member in _members(source, tree):
            try:
                for document in member.documents_in_folder():
                    count += 1
                    yield document
            except MissingExtraError as error:
                source.report.unread.append(f"{member.name}: {error}")
                missing = error
            except DataError as error:
                source.pass_over(error)
            except KeyseqError as error:  # a link to nothing, a file that may not be read
                source.pass_over(DataError(str(error)))
        if missing and not count:
            raise missing


def _members(source: CorpusSource, tree: Tree) -> Iterator[Member]:
    """The files that can be read; the others are reported."""
    known = {name: by_name(name) for name in tree.names}
    times = Counter(bare_name(name) for name in known if known[name])
    for name in tree.linked:
        source.report.unread.append(
            f"{tree.place(name)}: is a link to a folder, which is not followed; name it on its own"
        )
    for name, kind in known.items():
        reason = _why_not(name, kind)
        if kind is None or reason:
            source.report.unread.append(f"{tree.place(name)}: {reason}")
            continue
        yield Member(
            path=None,
            columns=source.columns,
            encoding=source.encoding,
            report=source.report,
            format=kind,
            place=tree.place(name),
            id=name_to_id(bare_name(name) if times[bare_name(name)] == 1 else name),  # a.txt and a.md are two documents
            read=partial(tree.read, name),
        )


def _why_not(name: str, format: str | None) -> str:
    """Why a file of a folder is not read, if it is not."""
    if name.lower().endswith(ARCHIVE):
        return "is an archive inside the folder; name it on its own"
    if format == "pairs":
        return "is one of two parallel files; name it on its own"
    return "" if format else advice_for(name) or "is of no format that keyseq reads"


def is_readable(names: Iterable[str]) -> bool:
    """Whether any of these files is one that can be read in a folder."""
    return any(not _why_not(name, by_name(name)) for name in names)


def write(documents: Iterable[Document], target: CorpusTarget) -> None:
    """Write a new folder or zip archive with one text file per document."""
    with write_tree(target.path) as add:
        for document in documents:
            add(f"{id_to_name(document.id)}.txt", as_text(document))
