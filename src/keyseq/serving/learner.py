"""The system of a server that learns: stores feedback, has it learnt from at intervals, and takes over new versions."""

import asyncio
import contextlib
import logging
import sys
import time
from pathlib import Path

from keyseq.adapting.feedback import Feedback
from keyseq.adapting.feedback_log import FeedbackLog
from keyseq.errors import KeyseqError
from keyseq.serving.loaded_systems import LoadedSystems, public_name
from keyseq.systems.combined import CombinedSystem
from keyseq.systems.learnt_versions import Versions, check_learns

LOG = logging.getLogger(__name__)
MOMENT = 0.5  # seconds between looks at the version in use


class Learner:
    """The feedback on one system, in a folder; the system is updated from it at an interval of seconds, if given."""

    def __init__(self, folder: Path, every: float | None = None) -> None:
        check_learns(folder)
        self.name = public_name(str(folder))
        self._folder, self._every = folder, every
        self._log, self._versions = FeedbackLog(folder), Versions(folder)
        self._version = self._versions.current
        self._learnt = 0  # size of the log when it was last learnt from

    async def store(self, feedback: Feedback) -> None:
        """Store feedback; it is on disk afterwards."""
        await asyncio.to_thread(self._log.append, [feedback])

    async def run(self, systems: LoadedSystems) -> None:
        """Keep the system up to date until cancelled."""
        due = time.monotonic() + (self._every or 0)
        while True:
            await asyncio.sleep(MOMENT)
            if self._every and time.monotonic() >= due:
                await self._learn()
                due = time.monotonic() + self._every
            await self._take_over(systems)

    async def _take_over(self, systems: LoadedSystems) -> None:
        """Use another version if there is one; requests that are being answered keep theirs."""
        try:
            current = self._versions.current
            if current == self._version:
                return
            self._version = current
            corrections = await asyncio.to_thread(self._versions.corrections, current)
        except KeyseqError as error:  # damaged; the version in use goes on
            LOG.warning("%s", error)
            return
        system = systems.loaded(self.name)
        assert isinstance(system, CombinedSystem)  # noqa: S101  # `check_learns` refuses others
        systems.replace(self.name, system.corrected(corrections))
        LOG.info("%s uses version %d", self.name, current)

    async def _learn(self) -> None:
        """Learn in a process of its own, so that requests do not wait for it."""
        size = self._log.size
        if size == self._learnt:
            return
        self._learnt = size
        command = (sys.executable, "-m", "keyseq", "learn", str(self._folder))
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.DEVNULL, stderr=pipe)
        try:
            _, told = await process.communicate()
        finally:
            if process.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    process.terminate()
        level = logging.INFO if process.returncode == 0 else logging.WARNING
        LOG.log(level, "learning: %s", told.decode(errors="replace").strip())
