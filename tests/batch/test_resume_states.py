"""Whatever happens to a folder of parts between runs, the next whole run leaves what an undisturbed one does."""

import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule
from tests.batch.test_job import Inline, run
from tests.batch.texts import joined, write_corpus

from keyseq.batch.checksums import NAME
from keyseq.batch.parts import DONE
from keyseq.errors import KeyseqError

PARTS = 5
SIZE = 4  # documents of a part
NUMBERS = st.integers(0, PARTS - 1)


class Resuming(RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        self.place = Path(tempfile.mkdtemp(prefix="keyseq-states-"))
        self.corpus, self.folder = write_corpus(self.place / "corpus.jsonl", PARTS * SIZE), self.place / "out"
        run(self.corpus, self.place / "undisturbed", size=SIZE)
        self.whole = joined(self.place / "undisturbed")

    def part(self, number):
        return self.folder / f"part-{number:06d}.jsonl"

    @rule(after=NUMBERS)
    def is_stopped(self, after):
        with suppress(KeyboardInterrupt):
            run(self.corpus, self.folder, Inline(stop_after=after), size=SIZE)

    @rule(failing=st.sets(NUMBERS, max_size=3))
    def has_parts_that_fail(self, failing):
        with suppress(KeyseqError):
            run(self.corpus, self.folder, Inline(failing=failing), size=SIZE)

    @rule()
    def is_run_to_its_end(self):
        run(self.corpus, self.folder, size=SIZE)
        assert joined(self.folder) == self.whole
        assert run(self.corpus, self.folder, Inline(stop_after=0), size=SIZE)[0] == 0  # nothing is left to be made

    @rule(number=NUMBERS, content=st.sampled_from([None, b"", b"{}\n", b'{"keyphrases": [']))
    def loses_a_part(self, number, content):
        if self.part(number).exists():
            self.part(number).unlink() if content is None else self.part(number).write_bytes(content)

    @rule(name=st.sampled_from([NAME, DONE]), kept=st.sampled_from([None, 0, 1, 30, 150]))
    def loses_what_it_knew(self, name, kept):
        path = self.folder / name
        if path.exists() and (kept is None or name == DONE):
            path.unlink()
        elif path.exists():
            path.write_bytes(path.read_bytes()[:kept])

    @rule(number=NUMBERS)
    def is_killed_while_it_writes(self, number):
        if self.folder.exists():
            part = self.part(number)
            part.with_name(f".{part.name}.0123abcd{part.suffix}").write_bytes(b'{"keyphrases": [')

    def teardown(self):
        self.is_run_to_its_end()
        assert not list(self.folder.glob(".part-*"))
        shutil.rmtree(self.place)


TestResuming = Resuming.TestCase
TestResuming.settings = settings(max_examples=25, stateful_step_count=12, deadline=None, derandomize=True)
