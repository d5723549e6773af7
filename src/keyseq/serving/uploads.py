"""Uploaded files: read by a separate process with a timeout."""

import asyncio
import json
import re
import sys
import tempfile
from pathlib import Path, PurePosixPath, PureWindowsPath

from keyseq.data.formats import FORMATS
from keyseq.data.formats.reading import ReadingOptions
from keyseq.serving.refusals import Refusal, overloaded
from keyseq.serving.requests import ReadAnswer, ReadRequest
from keyseq.serving.server_settings import Limits
from keyseq.serving.upload_reader import BAD

# of every format that is one file
SUFFIXES = tuple(suffix for name, known in FORMATS.built_in.items() if name != "pairs" for suffix in known.suffixes)
AT_ONCE = 2  # files read at a time
WAITING = 8  # files that may wait
_UNFIT = re.compile(r"[^\w .()-]")


class Uploads:
    """Reads uploaded files, a few at a time."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._free = asyncio.Semaphore(AT_ONCE)
        self._present = 0

    async def read(self, wanted: ReadRequest, content: bytes) -> ReadAnswer:
        """The documents of a file of this content."""
        if self._present >= AT_ONCE + WAITING:
            raise overloaded("too many files are being read")
        self._present += 1
        try:
            async with asyncio.timeout(self._limits.seconds), self._free:
                return await self._read(_fit(wanted.name), content, wanted.options())
        except TimeoutError:
            raise Refusal(408, f"reading the file took over {self._limits.seconds:g} seconds", "name") from None
        finally:
            self._present -= 1

    async def _read(self, name: str, content: bytes, options: ReadingOptions) -> ReadAnswer:
        with tempfile.TemporaryDirectory(prefix="keyseq-") as folder:
            await asyncio.to_thread(Path(folder, name).write_bytes, content)
            command = ["-P", "-m", "keyseq.serving.upload_reader", name, str(self._limits.read), json.dumps(options)]
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                *command,
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
            raise Refusal(422, complaint.decode("utf-8", "replace"), "body")
        if process.returncode != 0:
            raise Refusal(422, f"{name}: cannot be read: it needs too much time or memory, or is damaged", "body")
        return ReadAnswer(**json.loads(out))


def _fit(name: str) -> str:
    """A safe file name: the last part, without special characters."""
    last = PureWindowsPath(PurePosixPath(name).name).name
    suffix = PurePosixPath(last).suffix.lower()
    if suffix not in SUFFIXES:
        raise Refusal(422, f"unsupported file type; the name must end in one of {', '.join(SUFFIXES)}", "name")
    stem = _UNFIT.sub("_", last[: -len(suffix)])[:80].strip(" .") or "file"
    return f"{stem}{suffix}"
