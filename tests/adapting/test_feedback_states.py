"""However lines of the log of feedback are cut short, and whoever writes next, nothing that was taken is lost."""

import os
import shutil
import tempfile
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from keyseq.adapting.feedback import Feedback
from keyseq.adapting.feedback_log import FeedbackLog

TEXTS = st.text(min_size=1, max_size=20).filter(lambda text: any(map(str.isalnum, text)))


class Logging(RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        self.place = Path(tempfile.mkdtemp(prefix="keyseq-states-"))
        self.logs = FeedbackLog(self.place), FeedbackLog(self.place)  # of two processes
        self.taken = []  # texts, each with the place in the log where it ended

    @rule(texts=st.lists(TEXTS, min_size=1, max_size=3), which=st.integers(0, 1))
    def takes(self, texts, which):
        entries = [Feedback(text=text, accepted=("a phrase",)) for text in texts]
        self.logs[which].append(entries)
        ends = [found.end for found in self.logs[which].read() if found.feedback]
        self.taken += zip([entry.text for entry in entries], ends[len(self.taken) :], strict=True)

    @rule(text=TEXTS, share=st.floats(0.05, 0.95))
    def is_killed_while_it_writes(self, text, share):
        line = Feedback(text=text, accepted=("a phrase",)).to_json().encode()
        self._add(line[: max(1, int(share * len(line)))])

    @rule(line=st.sampled_from([b"\n", b"\0\0\0\0\n", b"[[[\n", b"{}\n", b'{"text": 5}\n', b"\xff\n"]))
    def is_damaged(self, line):
        self._add(line)

    def _add(self, content):
        path = self.logs[0].path
        path.parent.mkdir(exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.write(descriptor, content)
        os.close(descriptor)

    @invariant()
    def has_all_that_was_taken(self):
        for log in self.logs:
            assert [found.feedback.text for found in log.read() if found.feedback] == [text for text, _ in self.taken]

    @rule(share=st.floats(0, 1))
    def is_read_from_where_somebody_stopped(self, share):
        if self.taken:
            number = int(share * (len(self.taken) - 1))
            rest = [found.feedback.text for found in self.logs[0].read(self.taken[number][1]) if found.feedback]
            assert rest == [text for text, _ in self.taken[number + 1 :]]

    def teardown(self):
        shutil.rmtree(self.place)


TestLogging = Logging.TestCase
TestLogging.settings = settings(max_examples=50, stateful_step_count=15, deadline=None, derandomize=True)
