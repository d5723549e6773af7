"""Uploaded files: read by a separate process with a timeout."""

import asyncio
import json
import re
import sys
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path, PurePosixPath, PureWindowsPath

from keyseq.data.formats import FORMATS
from keyseq.data.formats.recognition import ARCHIVE
from keyseq.data.formats.unread_kinds import advice_for
from keyseq.data.tagging import TAGGERS
from keyseq.errors import shown
from keyseq.serving.refusals import Refusal, overloaded
from keyseq.serving.requests import ReadRequest, TagRequest
from keyseq.serving.responses import ReadAnswer
from keyseq.serving.server_settings import Limits
from keyseq.serving.upload_reader import BAD

# of every format that is one file, and of archives of such files
SUFFIXES = (
    *(suffix for name, known in FORMATS.built_in.items() if name != "pairs" for suffix in known.suffixes),
    ARCHIVE,
)
AMBIGUOUS = (".json", ".xml")  # suffixes of libraries, and of other files too
TAGGED = tuple(suffix for name in TAGGERS for suffix in FORMATS.built_in[name].suffixes)  # of taggable libraries
AT_ONCE = 2  # files read at a time
WAITING = 8  # files that may wait
_FLAG = re.compile(r"--([a-z]+(?:-[a-z]+)*)")
_UNFIT = re.compile(r"[^\w .()-]")


class Uploads:
    """Reads uploaded files, a few at a time."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._free = asyncio.Semaphore(AT_ONCE)
        self._present = 0

    async def read(self, wanted: ReadRequest, content: bytes) -> ReadAnswer:
        """The documents of a file of this content."""
        name = _fit(wanted.name, SUFFIXES)
        options = json.dumps(wanted.options())

        async def work(folder: Path) -> bytes:
            await asyncio.to_thread((folder / name).write_bytes, content)
            return await _run(folder, "upload_reader", name, str(self._limits.read), options)

        return ReadAnswer(**json.loads(await self._bounded(work)))

    async def tag(self, wanted: TagRequest) -> bytes:
        """The library with keyphrases added to its documents."""
        name, out = _fit(wanted.name, (*TAGGED, *AMBIGUOUS)), "tagged"
        options, rules = json.dumps(wanted.options()), json.dumps(wanted.rules())

        async def work(folder: Path) -> bytes:
            await asyncio.to_thread((folder / name).write_bytes, wanted.content)
            (folder / "phrases").write_text(json.dumps(wanted.keyphrases), encoding="utf-8")
            await _run(folder, "library_tagger", name, "phrases", out, options, rules)
            return await asyncio.to_thread((folder / out).read_bytes)

        return await self._bounded(work)

    async def _bounded(self, work: Callable[[Path], Awaitable[bytes]]) -> bytes:
        """Do the work in a temporary folder, in its turn and in time."""
        if self._present >= AT_ONCE + WAITING:
            raise overloaded("too many files are being read")
        self._present += 1
        try:
            async with asyncio.timeout(self._limits.seconds), self._free:
                with tempfile.TemporaryDirectory(prefix="keyseq-") as folder:
                    return await work(Path(folder))
        except TimeoutError:
            raise Refusal(408, f"reading the file took over {self._limits.seconds:g} seconds", "name") from None
        finally:
            self._present -= 1


async def _run(folder: Path, module: str, name: str, *arguments: str) -> bytes:
    """The output of a module of this package, run on a file of a folder in a process of its own."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-P", "-m", f"keyseq.serving.{module}", name, *arguments),
        cwd=folder,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        out, complaint = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode == BAD:
        raise Refusal(422, _FLAG.sub(_field, complaint.decode("utf-8", "replace")), "body")
    if process.returncode != 0:
        raise Refusal(422, f"{name}: cannot be read: it needs too much time or memory, or is damaged", "body")
    return out


def _field(flag: re.Match[str]) -> str:
    """The field of a request that is what a flag is on the command line."""
    return "format" if flag[1] == "from" else flag[1].replace("-", "_")


def _fit(name: str, accepted: Sequence[str]) -> str:
    """A safe file name: the last part, without special characters."""
    last = PureWindowsPath(PurePosixPath(name).name).name
    fitting = [suffix for suffix in accepted if last.lower().endswith(suffix)]
    if not fitting and (advice := advice_for(last)):
        raise Refusal(422, f"{shown(last)}: {advice}", "name")
    if not fitting:
        raise Refusal(422, f"{shown(last)}: the name must end in one of {', '.join(accepted)}", "name")
    suffix = max(fitting, key=len)
    stem = _UNFIT.sub("_", last[: -len(suffix)])[:80].strip(" .") or "file"
    return f"{stem}{suffix}"
