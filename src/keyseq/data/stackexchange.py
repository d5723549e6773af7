"""StackEx: tagged questions of Stack Exchange, split for training and evaluation, as in the paper's appendix."""

import re
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, TYPE_CHECKING

from keyseq.data.dumps import Dump
from keyseq.data.formats import write_documents
from keyseq.data.parallel import Track, untracked
from keyseq.data.posts import read_questions
from keyseq.data.spool import DocumentSpool
from keyseq.errors import KeyseqError
from keyseq.files import make_folder
from keyseq.overwriting import refuse_existing
from keyseq.text.tokenize import tokenizer
from keyseq.types import Document

if TYPE_CHECKING:
    import regex
    from numpy import int64
    from numpy.typing import NDArray

MEBIBYTE = 2**20
SPLITS = ("test", "valid", "train")  # the files of a corpus


@dataclass(frozen=True, kw_only=True)
class Split:
    """The sizes of the splits, and the maximum length of texts. The defaults are the paper's."""

    valid: int = 16_000
    test: int = 16_000
    seed: int = 0
    train_tokens: int = 300
    evaluation_tokens: int = 1_000


@dataclass(frozen=True, kw_only=True)
class BuildSummary:
    """The counts of a corpus, and of dropped questions by reason."""

    posts: int
    dropped: dict[str, int]
    sites: dict[str, int]
    splits: dict[str, int]


def build(
    dumps: Sequence[Dump], out: Path, split: Split, *, suffix: str = ".jsonl", track: Track = untracked
) -> BuildSummary:
    """Write `train`, `valid` and `test` into a folder, all of them or none.

    The split depends only on the questions and the seed, not on the order of the dumps. So does the order within each
    file: its first thousand are a random sample. Memory holds two numbers per question, the disk their texts.
    """
    for name in SPLITS:
        refuse_existing(out / f"{name}{suffix}")
    with _workplace(out) as folder, (folder / "questions").open("w+b") as file:
        counts: Counter[str] = Counter()
        questions = _Questions(file, split.seed)
        sites = {dump.site: questions.extend(_read(dump, counts, track)) for dump in dumps}
        splits = {
            name: write_documents(track(documents, f"writing {name}", total), folder / f"{name}{suffix}")
            for name, total, documents in _parts(questions, split)
        }
        for name in splits:
            (folder / f"{name}{suffix}").replace(out / f"{name}{suffix}")
    posts = counts.pop("posts")
    counts["duplicate"] = sum(sites.values()) - sum(splits.values())
    return BuildSummary(posts=posts, dropped=dict(counts), sites=sites, splits=splits)


@contextmanager
def _workplace(out: Path) -> Iterator[Path]:
    """A temporary folder inside the output folder, always removed at the end."""
    make_folder(out)
    try:
        with TemporaryDirectory(dir=out, prefix=".building-") as folder:
            yield Path(folder)
    except OSError as error:
        raise KeyseqError(f"{out}: cannot be written ({error.strerror or error})") from error


def cut(document: Document, tokens: int) -> Document:
    """Truncate title and body together to the first tokens, as substrings."""
    found: Iterator[re.Match[str] | regex.Match[str]] = tokenizer().pattern.finditer(document.text)
    last = next(islice(found, tokens - 1, None), None)
    if last is None:
        return document
    end, body_starts = last.end(), len(document.text) - len(document.body)
    return replace(document, title=document.title[:end], body=document.body[: max(0, end - body_starts)])


def _read(dump: Dump, counts: Counter[str], track: Track) -> Iterator[Document]:
    mebibytes = dump.size() // MEBIBYTE + 1
    with dump.open() as file:
        chunks = iter(lambda: file.read(MEBIBYTE), b"")
        yield from read_questions(track(chunks, f"{dump.site}, MiB", mebibytes), dump.site, dump.path, counts)


def _parts(questions: "_Questions", split: Split) -> Iterator[tuple[str, int, Iterator[Document]]]:
    order = questions.order()
    held_out = split.valid + split.test
    if len(order) == 0:
        raise KeyseqError("no question of these dumps has a title, a text and a valid tag")
    if held_out > len(order):
        raise KeyseqError(
            f"only {len(order):,} questions have a title, a text and a valid tag, fewer than the {split.valid:,} "
            f"for validation and {split.test:,} for the test together; reduce them with --valid and --test"
        )
    for name, part, tokens in (
        ("test", order[: split.test], split.evaluation_tokens),
        ("valid", order[split.test : held_out], split.evaluation_tokens),
        ("train", order[held_out:], split.train_tokens),
    ):
        yield name, len(part), (cut(question, tokens) for question in questions.pick(part))


class _Questions:
    """Questions spooled to a file, read back in an order determined by their text and a seed."""

    def __init__(self, file: IO[bytes], seed: int) -> None:
        self._spool, self._seed = DocumentSpool(file), str(seed).encode()
        self._keys = array("Q")

    def extend(self, questions: Iterable[Document]) -> int:
        """Append questions, and return their number."""
        before = len(self._keys)
        for question in questions:
            self._spool.append(question)
            self._keys.append(self._key(question.text))
        return len(self._keys) - before

    def _key(self, text: str) -> int:
        digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8, key=self._seed)
        return int.from_bytes(digest.digest(), "little")

    def order(self) -> "NDArray[int64]":
        """The numbers of the questions in random order, without duplicate texts."""
        import numpy as np

        return np.unique(np.frombuffer(self._keys, dtype=np.uint64), return_index=True)[1]

    def pick(self, numbers: "NDArray[int64]") -> Iterator[Document]:
        """Read questions back by their numbers."""
        return (self._spool[number] for number in numbers)
